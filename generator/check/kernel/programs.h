#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/grid_values.h"

namespace pallasgen {

// The part of an array that a block covers: [begin, end) per array dim.
struct Extent {
  int64_t begin, end;
};
using BlockRange = std::vector<Extent>;

// Values of axes that checks try. `values[axis]` is ascending and never empty.
struct GridSample {
  std::vector<std::vector<int64_t>> values;
};

// For each axis the first few programs, all where there are few; at most about `most` points. Axes of unknown size are
// taken to be as large as that. Empty where the grid is known to be empty.
std::optional<GridSample> sample_grid(const Kernel& kernel, int64_t most);
// Programs that every launch with a program has: all (or the first few and the last) of an axis of constant size, and
// the first of others.
std::optional<GridSample> certain_grid(const Kernel& kernel, int64_t most);

// Whether the program at that point exists and is not skipped; none where that is not decided.
std::optional<bool> exists(const Kernel& kernel, const GridPoint& point);
// The block of a ref at a grid point; none where it is not decided.
std::optional<BlockRange> block_at(const Kernel& kernel, const Ref& ref, const GridPoint& point);
bool overlap(const BlockRange& a, const BlockRange& b);

// Calls `visit` for all points of the sample in the grid's order, until it returns false.
template <class Visit>
void for_each_point(const GridSample& sample, Visit visit) {
  GridPoint point(sample.values.size());
  std::vector<size_t> at(sample.values.size(), 0);
  for (;;) {
    for (size_t axis = 0; axis < at.size(); ++axis) point[axis] = sample.values[axis][at[axis]];
    if (!visit(point)) return;
    size_t axis = at.size();
    while (axis > 0 && ++at[axis - 1] == sample.values[axis - 1].size()) at[--axis] = 0;
    if (axis == 0) return;
  }
}

// Whether two points differ in sequential axes alone.
bool same_program(const Kernel& kernel, const GridPoint& a, const GridPoint& b);

// "program (0, 1)", "the program" for the empty grid: the parallel axes of a point.
std::string program_text(const Kernel& kernel, const GridPoint& point);
// "step (k = 3)", "step (j = 0, k = 1)": the sequential axes of a point.
std::string step_text(const Kernel& kernel, const GridPoint& point);
// "c[0:128, 0:256]"
std::string block_text(const Ref& ref, const BlockRange& range);
// Whether the ref's index map mentions an axis, directly or through a let.
bool depends_on_axis(const Kernel& kernel, const TypedPtr& expr, int axis);
bool depends_on_axis(const Kernel& kernel, const Ref& ref, int axis);

}  // namespace pallasgen
