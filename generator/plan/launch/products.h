#pragma once

#include "program/draft.h"

namespace pallasgen {

// Puts requirements before the `at`th by which the index expressions of sizes, extents and strides, computed in 64 bits
// by the launcher, divide by no 0 and are exact: each dim is below 2^31 (require_dims), but products of more than two,
// and scalars, may be larger than 64 bits hold.
void require_products(Draft& draft, size_t at);

}  // namespace pallasgen
