#pragma once

#include "plan/targets.h"
#include "tile/program.h"

namespace pallasgen {

// Gives blocks that dots with rounding instructions (precision=tf32) read a rounded copy, which threads make, if other
// statements read them too: filling a slot for such instructions rounds the block. Expects named dots and operands.
void round_operands(tile::Program& program, const Target& target);

}  // namespace pallasgen
