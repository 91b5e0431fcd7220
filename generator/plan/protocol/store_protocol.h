#pragma once

#include "tile/program.h"

namespace pallasgen {

// The waits, fences and meetings of the channels whose entries the role fills from registers and copies to global
// memory: before what it computes for an entry the copy that last used it has read it, and the copy sees what all
// threads wrote.
void insert_store_protocol(const tile::Program& program, tile::Role& role);

}  // namespace pallasgen
