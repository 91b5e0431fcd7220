#pragma once

#include "program/draft.h"
#include "tile/program.h"

namespace pallasgen {

// How many CTAs an SM holds at once at the least: what `__launch_bounds__` asks ptxas for, which then gives a thread as
// few registers as that needs. By what the role's values and addresses take where most are alive, so that nothing is
// spilled; one CTA where there are several roles, which share registers out
// themselves, where a CTA is all that an SM gets, and where blocks of products, or what functions
// compute with, are in registers besides the values.
void choose_least_ctas(Draft& draft, const tile::Program& program);

}  // namespace pallasgen
