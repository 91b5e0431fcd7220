#pragma once

#include "layout/layout.h"

// Layouts of values that are made of others without moving anything, in both directions: of the result from the
// operand's and of the operand from the result's. All are null where there is no such layout.
namespace pallasgen {

// The layout of the vector that broadcasts along `axis` into `layout`: the same parts, those of `axis` replicated
// (registers dropped). A reduction along the axis gives it, too.
std::optional<ValueLayout> slice_layout(const ValueLayout& layout, int axis);
// What is left of a sum along `axis` when each thread has added up its registers: the slice, partial where it is
// replicated because of the axis.
std::optional<ValueLayout> folded_layout(const ValueLayout& layout, int axis);
// The layout with a new dim of `size` before dim `axis`, all of it in registers of the threads that hold the rest. With
// size 1 it undoes a squeeze.
std::optional<ValueLayout> broadcast_layout(const ValueLayout& layout, int axis, int64_t size);
// The layout of the transposed block: dim d is dim `order[d]` of the layout.
std::optional<ValueLayout> transpose_layout(const ValueLayout& layout, const std::vector<int>& order);
// The layout of the same elements, in row-major order, as a block of another shape.
std::optional<ValueLayout> reshape_layout(const ValueLayout& layout, const std::vector<int64_t>& shape);
// The layout of columns [start, start + size) along `axis`; null unless they are the same registers of every thread.
std::optional<ValueLayout> window_layout(const ValueLayout& layout, int axis, int64_t start, int64_t size);

// Whether each warpgroup has a run of the rows of its own, as many as every other, in the order of the warpgroups. One
// warpgroup has all of them.
bool divides_rows(const ValueLayout& layout);
// Whether each warp of a warpgroup has those 16 rows of 64 that it has of accumulators.
bool divides_rows_by_warps(const ValueLayout& layout);

// Partial layouts. The full layout of what a partial one adds up to: every holder of a part has the sum.
bool is_partial(const ValueLayout& layout);
ValueLayout full_layout(const ValueLayout& layout);
}  // namespace pallasgen
