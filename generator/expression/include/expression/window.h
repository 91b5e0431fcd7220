#pragma once

#include "expression/typed.h"

namespace pallasgen {

// Elements [first, first + size) of an expression along one of its dims, computed from the same elements of its
// operands. `first` is an index; the window lies inside. Null if the expression does not map elements one to one along
// that dim (product, random bits, reduction, concatenation), so that a part costs as much as the whole.
TypedPtr window(const TypedPtr& expr, size_t dim, const TypedPtr& first, int64_t size);

}  // namespace pallasgen
