#pragma once

#include "layout/layout.h"

namespace pallasgen {

inline constexpr int64_t kGroupThreads = 128;  // of a warpgroup

// One dimension of the tiled shape, traced to the dim of the shape that it splits: its index times `stride` adds to the
// coordinate along `source` (kReplicated or kPartial: no coordinate).
struct TracedPart {
  Holder holder = Holder::reg;
  int source = kReplicated;
  int64_t stride = 0;
  int64_t size = 1;
};

// The parts of a layout in their order, traced.
std::vector<TracedPart> traced_parts(const ValueLayout& layout);
// A layout with these parts: tilings that split each dim of the shape by its parts, the largest stride outermost.
ValueLayout layout_of_parts(std::string name, std::vector<int64_t> shape, const std::vector<TracedPart>& parts);

// The coordinates of the row-major `linear`-th element of a block.
std::vector<int64_t> coordinates_of(const std::vector<int64_t>& shape, int64_t linear);

}  // namespace pallasgen
