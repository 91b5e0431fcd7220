#pragma once

#include "tile/program.h"

namespace pallasgen::schedule {

// Moves the loads of threads to the top of their blocks, so that all are under way before the first is waited for, and
// their stores directly behind what they store, whose registers are free then. Neither passes a loop or a branch.
void place_accesses(const tile::Program& program, tile::Block& block);

}  // namespace pallasgen::schedule
