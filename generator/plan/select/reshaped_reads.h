#pragma once

#include "plan/targets.h"
#include "tile/program.h"

namespace pallasgen {

// Gathered blocks that are read for their reshape alone, whose rows stay rows, are read in that shape where a dot by
// instructions takes it: pages that lie one behind the other in shared memory are the rows of one operand.
void read_reshaped(tile::Program& program, const Target& target);

}  // namespace pallasgen
