#pragma once

#include "plan/targets.h"
#include "tile/program.h"

namespace pallasgen {

// Reads a gathered block in the shape of its reshape if only a dot by instructions uses it, in that shape, and rows
// stay rows: pages that follow one another in shared memory are the rows of one operand.
void read_reshaped(tile::Program& program, const Target& target);

}  // namespace pallasgen
