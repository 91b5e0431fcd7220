#pragma once

#include "plan/targets.h"
#include "questions/program_memory.h"
#include "tile/program.h"

namespace pallasgen {

// Lists the parts of a program that is too large, how many stages fit, and changes that would make a dot's operands
// fit.
tile::Shortage shortage_of(const ProgramMemory& memory, const tile::Program& program, const Target& target);

}  // namespace pallasgen
