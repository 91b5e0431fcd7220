#pragma once

#include "model/counts.h"
#include "program/draft.h"
#include "report/slow_remedies.h"

namespace pallasgen {

// The slow paths of a finished plan, the largest share of the kernel's time or bytes first.
std::vector<SlowPath> slow_paths(const Plan& plan);

// Warns of each slow path, with the counted and the needed amounts and the changes tried by `plan` that fix it.
// `kernel`: as in the spec, before passes prepare it.
void warn_of_slow_paths(Draft& draft, const tile::Program& program, const Kernel& kernel, const TryPlan& plan);

}  // namespace pallasgen
