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

// Values of the axes that a check tries. `values[axis]` is ascending and never empty.
struct GridSample {
  std::vector<std::vector<int64_t>> values;
};

// The first few programs along each axis (all, if there are few), about `most` points in all. An axis of unknown size
// counts as large enough. None if the grid is known to be empty.
std::optional<GridSample> sample_grid(const Kernel& kernel, int64_t most);
// Programs that exist in every launch that has any: along an axis of known size all of them, or the first few and the
// last; along other axes the first. None if the grid is known to be empty.
std::optional<GridSample> certain_grid(const Kernel& kernel, int64_t most);

// False if the point is known to be outside the grid or skipped; none if `skip` is not decided there.
std::optional<bool> exists(const Kernel& kernel, const GridPoint& point);
// The block of a ref at a grid point; none if it is not decided.
std::optional<BlockRange> block_at(const Kernel& kernel, const Ref& ref, const GridPoint& point);
bool overlap(const BlockRange& a, const BlockRange& b);

// Calls `visit` for all points of the sample in the grid's order until it returns false.
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

// True if two points differ at most in sequential axes.
bool same_program(const Kernel& kernel, const GridPoint& a, const GridPoint& b);

// The parallel axes of a point: "program (0, 1)", or "the program" without parallel axes.
std::string program_text(const Kernel& kernel, const GridPoint& point);
// The sequential axes of a point: "step (k = 3)", "step (j = 0, k = 1)".
std::string step_text(const Kernel& kernel, const GridPoint& point);
// A block as text: "c[0:128, 0:256]".
std::string block_text(const Ref& ref, const BlockRange& range);
// True if the expression, or the ref's index map, mentions the axis, directly or through a let.
bool depends_on_axis(const Kernel& kernel, const TypedPtr& expr, int axis);
bool depends_on_axis(const Kernel& kernel, const Ref& ref, int axis);

}  // namespace pallasgen
