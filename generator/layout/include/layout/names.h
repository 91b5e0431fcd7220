#pragma once

#include <optional>
#include <string_view>

#include "layout/layout.h"

// Names of layouts in the texts of tile programs, after an @.
//
//   wgmma  wgmma_operand        accumulators and operands in registers
//   wgmma_row  wgmma_column     one value for each of their rows or columns
//   fma.X.R.C                   blocks of threads that multiply: X threads side by side, vectors of R rows, C columns
//   strided.V  rows.L.V         vectors of V elements; rows of L lanes
//   all  warp  one              the whole block in each thread of the role, of its first warp, in its first thread
//   <name>.slice  .columns      one value for each row or column of such a block (rows.L.slice whatever the vector is)
//   <name>.T                    transposed
//   <name>.partial              holders of the same element have parts of it: wgmma_row.partial; in a value's
//                               text the reduction that combines them follows, `(sum)`
//   held.r8d0s64.l8d0s1.l4x     any other: for each holder (register, lane, warp, group of warps) its parts, from the
//                               slowest on: how many indices, in which dim, how far apart;
//                               x: all have the same; p: parts of a sum
//   flat.…                      the same, of the block's elements in row-major order
namespace pallasgen {

// The name of a layout in a role of so many threads.
std::string layout_text(const ValueLayout& layout, int64_t role_threads, int64_t element_bytes);
// The layout of that name for a block of this shape; null where there is none.
std::optional<ValueLayout> layout_named(std::string_view text, const std::vector<int64_t>& shape, int64_t role_threads,
                                        int64_t element_bytes);

}  // namespace pallasgen
