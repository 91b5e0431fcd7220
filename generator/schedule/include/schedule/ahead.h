#pragma once

#include "tile/program.h"

namespace pallasgen::schedule {

// Moves copies into channels of a role's own to earlier iterations: an entry is copied as many iterations before its
// use as the channel has slots besides the one in use and those that it keeps. Copies for the first iterations are
// before the loop. A copy stays if its iteration computes what it needs, or if the loop stores to the array that it
// reads.
tile::Program copy_ahead(const tile::Program& program);

}  // namespace pallasgen::schedule
