#pragma once

#include "plan/targets.h"
#include "tile/program.h"

namespace pallasgen {

// Says what orders the copies and the reads of channels that a role fills itself: groups of copies, one for each turn
// of the loop that they are in, the waits for them, the meetings of the threads that use each other's copies, and
// where the role is done with an entry. One meeting a turn does for both sides: behind it the copies of all threads
// have arrived, and what the turn before read may be overwritten.
tile::Program insert_protocol(const tile::Program& program);

}  // namespace pallasgen
