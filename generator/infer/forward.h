#pragma once

#include "tile/program.h"

namespace pallasgen {

// Replaces a copy that is made only for writes, `o = acc; write o`, by writes of the value itself, which quote what the
// copy quoted. Copies of values in shared memory stay: registers store more of their elements at once.
void forward_copies(tile::Program& program);

}  // namespace pallasgen
