#pragma once

#include "program/draft.h"
#include "tile/program.h"

namespace pallasgen {

// Chooses how many CTAs an SM holds at least: `__launch_bounds__` asks ptxas for them, which then gives a thread as few
// registers as that needs. The number depends on the registers for the role's values and addresses where most are
// alive, so that nothing is spilled. It is not chosen for several roles, which share registers out themselves, where an
// SM gets only one CTA, or if registers also hold blocks of products or the intermediate results of functions.
void choose_least_ctas(Draft& draft, const tile::Program& program);

}  // namespace pallasgen
