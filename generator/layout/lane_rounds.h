#pragma once

#include <optional>

#include "layout/convert.h"
#include "parts.h"

namespace pallasgen {

// The registers of each thread that need no other thread, and the rounds in which the lanes of warps exchange the rest.
// Null where an element must come from another warp.
struct LaneMoves {
  std::vector<std::vector<int>> own;  // [thread][register of `to`]
  std::vector<LaneRound> rounds;      // each of all threads
};
std::optional<LaneMoves> lane_moves(const HeldElements& from, const HeldElements& to, int64_t element_bytes);

}  // namespace pallasgen
