#pragma once

#include "tile/program.h"

namespace pallasgen {

// What is made element by element for instructions of the role is loaded from its tile before they read it: A stays in
// registers, what goes through a channel is stored there from registers. Expects values that have homes.
void load_element_operands(tile::Program& program, tile::Role& role);

}  // namespace pallasgen
