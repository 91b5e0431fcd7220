#pragma once

#include <functional>
#include <string>

#include "expression/typed.h"

namespace pallasgen {

// True if the tree has more than `limit` nodes, counting each use of a shared node.
bool is_larger(const TypedPtr& tree, int64_t limit);

// A scalar body with every call of a function replaced by the body that `function_body` returns for the function's id.
// Null if the result has more than `limit` nodes.
TypedPtr inline_calls(const TypedPtr& body, const std::function<TypedPtr(int)>& function_body, int64_t limit);

// The derivative of a scalar float body (elementwise operations and casts of LocalUse parameters, no calls) with
// respect to the parameter of that id, in the body's dtype. Steps (floor, sign, comparisons) are constant; equal
// operands of maximum and minimum get half of the derivative each; clamp passes it strictly inside. Null if an
// operation, named by `refusal`, has no derivative. Derivatives share nodes with the body; as trees they may be larger
// by a factor of its depth: see is_larger().
TypedPtr derivative(const TypedPtr& body, int parameter, std::string& refusal);

}  // namespace pallasgen
