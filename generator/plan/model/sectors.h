#pragma once

#include "model/example.h"

namespace pallasgen {

// 32-byte sectors of one access of a warp to global memory: those that it touches, and the fewest that hold the bytes
// that its lanes want.
struct Sectors {
  int64_t touched = 0, needed = 0;
  int64_t places = 0;  // distinct places: lanes may want the same
};

// Counts the sectors if each lane accesses one element of the array `ref`; an index per lane. Nothing if the places
// are unknown.
std::optional<Sectors> sectors_of(const Plan& plan, const Example& example, int ref,
                                  const std::vector<std::vector<int64_t>>& of_lanes);
// Counts the sectors of the first access by the first warp that holds the block in this layout.
std::optional<Sectors> sectors_of(const Plan& plan, const Example& example, const program::Access& access,
                                  const ValueLayout& layout);

}  // namespace pallasgen
