#pragma once

#include "tile/program.h"

namespace pallasgen {

// Stores values themselves where a copy of them is made for the store alone: `o = acc; write o`. The write quotes what
// the copy quoted. Values in shared memory stay: registers store more of their elements at once.
void forward_copies(tile::Program& program);

}  // namespace pallasgen
