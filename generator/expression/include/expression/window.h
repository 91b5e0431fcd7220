#pragma once

#include <functional>

#include "expression/typed.h"

namespace pallasgen {

// Elements [first, first + size) of an expression along one of its dims, computed from the same elements of its
// operands. `first` is an index; the window lies inside. Null if the expression does not map elements one to one along
// that dim (product, random bits, reduction, concatenation), so that a part costs as much as the whole.
TypedPtr window(const TypedPtr& expr, size_t dim, const TypedPtr& first, int64_t size);

// Returns the replacement for element `number` of the leading dim of a named value; null if the value has no such
// elements of its own and is sliced.
using ElementOfName = std::function<TypedPtr(const Typed& use, int64_t number)>;

// Element `number` of the leading dim of an expression, without that dim, computed from the same elements of its
// operands; of a product of batches, one product. Null if the expression does not map elements along that dim.
TypedPtr leading_element(const TypedPtr& expr, int64_t number, const ElementOfName& of_name);

}  // namespace pallasgen
