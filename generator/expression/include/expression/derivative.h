#pragma once

#include <functional>
#include <string>

#include "expression/typed.h"

namespace pallasgen {

// A scalar body with every call of a function replaced by that function's body; `function_body` gives it by its id.
TypedPtr inline_calls(const TypedPtr& body, const std::function<TypedPtr(int)>& function_body);

// The derivative of a scalar float body (elementwise operations and casts of LocalUse parameters, no calls) by the
// parameter of that id, with its dtype. Steps (floor, sign, comparisons) count as constant; where the operands of
// maximum and minimum are equal each has half a share; clamp passes what lies strictly inside. Null where an operation
// has no derivative, which `refusal` names.
TypedPtr derivative(const TypedPtr& body, int parameter, std::string& refusal);

}  // namespace pallasgen
