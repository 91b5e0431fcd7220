#pragma once

#include "tile/program.h"

namespace pallasgen {

// Loads operands that the role makes element by element from their tiles before its instructions read them: A stays in
// registers, and an operand that goes through a channel is stored there from registers. Expects values that have homes.
void load_element_operands(tile::Program& program, tile::Role& role);

}  // namespace pallasgen
