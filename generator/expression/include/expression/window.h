#pragma once

#include "expression/typed.h"

namespace pallasgen {

// The elements of an expression from `first` on along one of its dims, `size` of them, made of the same elements of
// what the expression is made of. `first` is an index; the window lies inside. Null where the expression is no map of
// elements along that dim (a product, random bits, a reduction or a concatenation along it), so that a part costs as
// much as all.
TypedPtr window(const TypedPtr& expr, size_t dim, const TypedPtr& first, int64_t size);

}  // namespace pallasgen
