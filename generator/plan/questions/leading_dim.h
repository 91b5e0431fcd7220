#pragma once

#include <functional>

#include "expression/typed.h"

namespace pallasgen {

// Returns the replacement for element `number` of the leading dim of a named value; null if the value has no such
// elements of its own and is sliced.
using ElementOfName = std::function<TypedPtr(const Typed& use, int64_t number)>;

// Element `number` of the leading dim of an expression, without that dim: the expression of the same elements of its
// operands. Null if the expression does not map elements along that dim.
TypedPtr leading_element(const TypedPtr& expr, int64_t number, const ElementOfName& of_name);

}  // namespace pallasgen
