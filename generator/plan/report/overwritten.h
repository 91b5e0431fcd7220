#pragma once

#include <vector>

#include "plan/plan.h"

namespace pallasgen {

// A fragment that each step of a loop computes though nothing in the loop reads it, so that only the last step's value
// is used. Listed once if several loops enclose it.
struct Overwritten {
  int fragment = -1;
  double slots = 0;  // instructions of one step, for all threads of the role
};
std::vector<Overwritten> overwritten_in_steps(const Plan& plan);

}  // namespace pallasgen
