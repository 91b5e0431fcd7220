#pragma once

#include "model/counts.h"
#include "program/draft.h"
#include "report/slow_remedies.h"

namespace pallasgen {

// The slow paths of a finished plan, the largest share of the kernel's time or bytes first.
std::vector<SlowPath> slow_paths(const Plan& plan);

// A warning for each of them, with what was counted, what would be needed, and what of the changes that `plan` tries
// mends it. `kernel`: as the spec says it.
void warn_of_slow_paths(Draft& draft, const tile::Program& program, const Kernel& kernel, const TryPlan& plan);

}  // namespace pallasgen
