#pragma once

#include <vector>

#include "plan/plan.h"

namespace pallasgen {

// Bytes of one array that a launch of the plan moves, for the sizes of the cost model.
struct ArrayTraffic {
  int ref = -1;        // index in Kernel::refs
  double memory = 0;   // device memory moves these: each element once, or `wanted` if that is less
  double wanted = 0;   // CTAs read and write these: the bytes beyond `memory` come from the L2 cache
  double touched = 0;  // bytes of the sectors that warps touch for them
};
// Returns the traffic of each array that the programs of the roles touch, in the order of the kernel's refs.
std::vector<ArrayTraffic> traffic_of(const Plan& plan);

}  // namespace pallasgen
