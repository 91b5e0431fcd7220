#pragma once

#include "layout/layout.h"

// Layouts of values that are computed from others without moving anything between threads: of the result from the
// operand's, or of the operand from the result's. All are null where no such layout exists.
namespace pallasgen {

// The layout of a vector that is broadcast along `axis` to `layout`: that layout without the axis, whose holders become
// replicated and whose registers are dropped. A reduction along the axis gives it, too.
std::optional<ValueLayout> slice_layout(const ValueLayout& layout, int axis);
// The layout of a sum along `axis` after each thread has added up its registers: the slice, partial in the lanes, warps
// and warpgroups that hold different indices of the axis.
std::optional<ValueLayout> folded_layout(const ValueLayout& layout, int axis);
// The layout with a new dim of `size` before dim `axis`, all of it in registers of the threads that hold the rest. With
// size 1 it undoes a squeeze.
std::optional<ValueLayout> broadcast_layout(const ValueLayout& layout, int axis, int64_t size);
// The layout of the transposed block: dim d is dim `order[d]` of the layout.
std::optional<ValueLayout> transpose_layout(const ValueLayout& layout, const std::vector<int>& order);
// The layout of the same elements, in row-major order, as a block of another shape.
std::optional<ValueLayout> reshape_layout(const ValueLayout& layout, const std::vector<int64_t>& shape);
// The layout of elements [start, start + size) of `axis`; null unless they are the same registers of every thread.
std::optional<ValueLayout> window_layout(const ValueLayout& layout, int axis, int64_t start, int64_t size);

// True if each warpgroup holds a run of as many rows as every other, in the order of the warpgroups. True for one
// warpgroup.
bool divides_rows(const ValueLayout& layout);
// True if each warp of a warpgroup holds the same 16 rows of 64 that it holds of accumulators.
bool divides_rows_by_warps(const ValueLayout& layout);

// True if holders have parts of each sum. full_layout is the layout of the sums themselves, which all holders have.
bool is_partial(const ValueLayout& layout);
ValueLayout full_layout(const ValueLayout& layout);
}  // namespace pallasgen
