#pragma once

#include "plan/targets.h"
#include "tile/program.h"

namespace pallasgen {

// Chooses the instructions of each dot, the homes of its operands, and the path of each copy. Program::decisions says
// which alternatives were not taken, and why.
tile::Program select_instructions(const tile::Program& program, const Target& target);

}  // namespace pallasgen
