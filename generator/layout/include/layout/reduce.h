#pragma once

#include "layout/layout.h"

namespace pallasgen {

// What a movement between threads costs, for comparison with others.
struct MovePrice {
  int64_t instructions = 0;  // of each thread
  int64_t cycles = 0;        // of an SM's pipes, and the latencies of what waits for what
};

// How the parts of a partial layout become the sum in each of their holders: each thread adds up its registers, then
// lanes in halves, then warps through shared memory, in an order that the layout alone decides.
struct Reduction {
  ValueLayout result;
  std::vector<int> fold;                // for each register of the layout, the register of `result` that it is added to
  std::vector<int> masks;               // the lanes that differ in these bits add up what they have, in this order
  std::vector<std::vector<int>> warps;  // for each warp, those whose values it adds up; empty: none goes through memory
  bool within_warpgroups = true;        // no such sum needs another warpgroup
  int64_t shared_bytes = 0;
  MovePrice price;
};
Reduction reduce_partial(const ValueLayout& layout, int64_t element_bytes);
// The sum along a dim (or any other reduction): what lies along it is partial. Null where the layout is flat and
// crosses the dim; where the layout has padding along the dim, its registers take part with what changes nothing.
std::optional<Reduction> reduce_layout(const ValueLayout& layout, int axis, int64_t element_bytes);

}  // namespace pallasgen
