#pragma once

#include "tile/program.h"

namespace pallasgen {

// Loads values in shared memory into registers, `x_block = x`, before the first statement with which threads compute
// with them. Values that are indexed element by element, and those that instructions and copies take, stay in shared
// memory.
void load_shared(tile::Program& program);

}  // namespace pallasgen
