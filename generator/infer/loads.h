#pragma once

#include "tile/program.h"

namespace pallasgen {

// Threads compute with a value in shared memory after an assignment to another in registers, `x_block = x`, before the
// first statement that wants it. What reaches into such a value by an index, and what instructions and copies take,
// stays where it is.
void load_shared(tile::Program& program);

}  // namespace pallasgen
