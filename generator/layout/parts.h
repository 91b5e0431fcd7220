#pragma once

#include "layout/layout.h"

namespace pallasgen {

inline constexpr int kLanes = 32;              // of a warp
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

// What element_of says, for all registers of all threads: the element in row-major order, -1: none.
class HeldElements {
 public:
  explicit HeldElements(const ValueLayout& layout);
  int threads() const { return threads_; }
  int registers() const { return registers_; }
  int64_t elements() const { return elements_; }
  int64_t at(int thread, int reg) const { return held_[static_cast<int64_t>(thread) * registers_ + reg]; }

 private:
  int threads_, registers_;
  int64_t elements_ = 1;
  std::vector<int64_t> held_;
};

}  // namespace pallasgen
