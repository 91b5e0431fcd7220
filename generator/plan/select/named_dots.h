#pragma once

#include "plan/targets.h"
#include "tile/program.h"

namespace pallasgen {

// Turns dots inside expressions into statements with values of their own, and operands of dots into such values if they
// are none. A transpose of an operand becomes a flag of its dot.
void name_dots(tile::Program& program, const Target& target);

}  // namespace pallasgen
