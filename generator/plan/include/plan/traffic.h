#pragma once

#include <vector>

#include "plan/plan.h"

namespace pallasgen {

// What a plan moves of one array in all, in bytes, for the sizes of the cost model.
struct ArrayTraffic {
  int ref = -1;        // of Kernel::refs
  double memory = 0;   // that device memory moves: each element once, or what is wanted where that is less
  double wanted = 0;   // that CTAs read and write: what passes `memory` comes from the L2 cache
  double touched = 0;  // of the sectors that warps touch for them
};
// Of each array that the programs of the roles touch, in the order of the kernel's refs.
std::vector<ArrayTraffic> traffic_of(const Plan& plan);

}  // namespace pallasgen
