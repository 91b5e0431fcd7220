#pragma once

#include <functional>
#include <string>

#include "expression/typed.h"

namespace pallasgen {

// Whether the tree has more than `limit` nodes, each use of a shared node counted.
bool is_larger(const TypedPtr& tree, int64_t limit);

// A scalar body with every call of a function replaced by that function's body; `function_body` gives it by its id.
// Null where that has more than `limit` nodes.
TypedPtr inline_calls(const TypedPtr& body, const std::function<TypedPtr(int)>& function_body, int64_t limit);

// The derivative of a scalar float body (elementwise operations and casts of LocalUse parameters, no calls) by the
// parameter of that id, with its dtype. Steps (floor, sign, comparisons) count as constant; where the operands of
// maximum and minimum are equal each has half a share; clamp passes what lies strictly inside. Null where an operation
// has no derivative, which `refusal` names. Derivatives share what they have in common with the body, and written out
// as trees they may be larger by a factor of the body's depth: is_larger() tells.
TypedPtr derivative(const TypedPtr& body, int parameter, std::string& refusal);

}  // namespace pallasgen
