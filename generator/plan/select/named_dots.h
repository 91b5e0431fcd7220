#pragma once

#include "plan/targets.h"
#include "tile/program.h"

namespace pallasgen {

// Dots of instructions that stand inside expressions become statements with values of their own, and so do operands of
// dots that are no values yet; a transpose of an operand becomes a flag of its dot.
void name_dots(tile::Program& program, const Target& target);

}  // namespace pallasgen
