#pragma once

#include "program/draft.h"

namespace pallasgen {

// Inserts requirements before the `at`th, so that the index expressions of sizes, extents and strides, which the
// launcher computes in 64 bits, are exact and divide by no 0: each dim is below 2^31 (require_dims), but scalars and
// products of more than two dims may overflow 64 bits.
void require_products(Draft& draft, size_t at);

}  // namespace pallasgen
