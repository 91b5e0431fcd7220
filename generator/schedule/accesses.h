#pragma once

#include "tile/program.h"

namespace pallasgen::schedule {

// Moves the threads' loads to the top of their blocks, so that all have started before the first is waited for, and
// their stores to directly after what they store, whose registers are free then. Neither passes a loop or a branch.
void place_accesses(const tile::Program& program, tile::Block& block);

}  // namespace pallasgen::schedule
