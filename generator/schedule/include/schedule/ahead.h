#pragma once

#include "tile/program.h"

namespace pallasgen::schedule {

// Moves the copies into channels of a role's own to the turns before: an entry is copied as many turns before its use
// as the channel has slots beside the one in use and those that it keeps. Those of the first turns stand in front of
// the loop. A copy stays where its turn computes what it needs, or stores to the array that it reads.
tile::Program copy_ahead(const tile::Program& program);

}  // namespace pallasgen::schedule
