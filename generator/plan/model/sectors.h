#pragma once

#include "model/example.h"

namespace pallasgen {

// What one access of a warp to global memory moves, in units of 32 bytes: those that it touches, and the fewest that
// have room for what its lanes want.
struct Sectors {
  int64_t touched = 0, needed = 0;
  int64_t places = 0;  // different ones: lanes may want the same
};

// Of one element of the array `ref` at each of these indices, one for each lane.
std::optional<Sectors> sectors_of(const Plan& plan, const Example& example, int ref,
                                  const std::vector<std::vector<int64_t>>& of_lanes);
// Of the first access of the first warp that holds the block in this layout.
std::optional<Sectors> sectors_of(const Plan& plan, const Example& example, const program::Access& access,
                                  const ValueLayout& layout);

}  // namespace pallasgen
