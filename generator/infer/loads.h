#pragma once

#include "tile/program.h"

namespace pallasgen {

// Values in shared memory that threads compute with come into registers by an assignment behind their get: `x_block =
// x`. What reaches into such a value by an index, and what instructions and copies take, stays where it is.
void load_shared(tile::Program& program);

}  // namespace pallasgen
