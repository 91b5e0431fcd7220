#pragma once

#include <vector>

#include "plan/plan.h"

namespace pallasgen {

// A fragment that each step of a loop computes anew though nothing in the loop reads it, so that what the last step
// makes is all that is left. Of several loops around it, once.
struct Overwritten {
  int fragment = -1;
  double slots = 0;  // instructions of one step, of all threads of the role
};
std::vector<Overwritten> overwritten_in_steps(const Plan& plan);

}  // namespace pallasgen
