#pragma once

#include <functional>

#include "expression/typed.h"

namespace pallasgen {

// What stands for element `number` of the leading dim of a named value; null: the value has no such elements of its
// own, and a slice of it is taken.
using ElementOfName = std::function<TypedPtr(const Typed& use, int64_t number)>;

// Element `number` of the leading dim of an expression, without that dim: made of the same elements of what the
// expression is made of. Null where the expression is no map of elements along that dim.
TypedPtr leading_element(const TypedPtr& expr, int64_t number, const ElementOfName& of_name);

}  // namespace pallasgen
