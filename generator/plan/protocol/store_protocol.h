#pragma once

#include "tile/program.h"

namespace pallasgen {

// Inserts the waits, fences and syncs of the channels whose entries the role fills from registers and copies to global
// memory: before the role writes an entry, the last copy from it has finished reading, and a copy sees the writes of
// all threads.
void insert_store_protocol(const tile::Program& program, tile::Role& role);

}  // namespace pallasgen
