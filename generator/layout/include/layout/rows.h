#pragma once

#include <cstdint>

// How a row that is reduced is shared out among neighbouring threads.
namespace pallasgen {

// Elements of a row of `columns` that each of `lanes` holds, in whole vectors.
int64_t row_share(int64_t columns, int64_t vector, int64_t lanes);
// Lanes of a row that are threads of one CTA, at the most; further ones are threads of other CTAs of its cluster.
inline constexpr int64_t kMostLanesOfCta = 1024;
// How many threads hold a row of a block, a power of two: as few as hold it in registers, within a warp where it fits,
// and more than a CTA has where these are too few; a row that is alone in its block has as many as have something to
// do. `parameters`: vectors that all rows share stand beside it, and take registers too.
int64_t row_lanes(int64_t rows, int64_t columns, int64_t vector, bool parameters = false);

// Of a matrix whose columns alone are reduced: how many of the threads, a power of two that divides their number, share
// a row. They read a long run of memory together, few elements have no column, and few threads share one.
int64_t column_lanes(int64_t threads, int64_t columns, int64_t vector);

}  // namespace pallasgen
