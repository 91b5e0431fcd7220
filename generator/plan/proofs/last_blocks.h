#pragma once

#include "program/draft.h"

namespace pallasgen {

// Returns, by dim, the greatest size with which every block ends below 2^31, so that a place in it fits an int if the
// place of its first element does. Dims that may have any int are left out. Only dims count: places that depend on
// scalars or arrays of them are computed in 64 bits.
std::map<int, int64_t> dims_of_last_blocks(const Draft& draft);

}  // namespace pallasgen
