#pragma once

#include "plan/targets.h"
#include "tile/program.h"

namespace pallasgen {

// Inserts the order of the copies and reads of channels that a role fills itself: groups of copies, one for each
// iteration of the loop around them, the waits for them, the syncs of threads that use each other's copies, and the
// place where the role has used an entry. One sync in an iteration is enough: after it, the copies of all threads have
// arrived, and the entry that the iteration before read may be overwritten.
tile::Program insert_protocol(const tile::Program& program);

}  // namespace pallasgen
