#pragma once

#include <cstdint>

// How a row that is reduced is shared out among neighbouring threads.
namespace pallasgen {

// Elements of a row of `columns` that each of `lanes` holds, in whole vectors.
int64_t row_share(int64_t columns, int64_t vector, int64_t lanes);
// Most lanes of a row that are threads of one CTA; further lanes are threads of other CTAs of its cluster.
inline constexpr int64_t kMostLanesOfCta = 1024;
// How many threads hold a row of a block, a power of two: as few as hold it in registers, if possible in one warp, and
// more than a CTA has if these are too few. A row that is alone in its block has as many as have work to do.
// `parameters`: vectors that all rows share take registers, too.
int64_t row_lanes(int64_t rows, int64_t columns, int64_t vector, bool parameters = false);

// How many of the threads share a row of a matrix of which only columns are reduced: a power of two that divides their
// number, so that they read a long run of memory together, with the least padding; of several, the largest.
int64_t column_lanes(int64_t threads, int64_t columns, int64_t vector);

}  // namespace pallasgen
