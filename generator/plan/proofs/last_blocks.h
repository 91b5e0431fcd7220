#pragma once

#include "program/draft.h"

namespace pallasgen {

// The greatest sizes of dims with which every block ends below 2^31, so that a place in it is an int wherever the place
// of its first element is one: by dim, where it is less than an int holds. Only dims decide; what scalars and arrays of
// them say of a place is computed in 64 bits.
std::map<int, int64_t> dims_of_last_blocks(const Draft& draft);

}  // namespace pallasgen
