#pragma once

#include "plan/targets.h"
#include "tile/program.h"

namespace pallasgen {

// Chooses the instructions of each dot, the home of what it multiplies, and the path of each copy. What was not taken,
// and why, stands in Program::decisions.
tile::Program select_instructions(const tile::Program& program, const Target& target);

}  // namespace pallasgen
