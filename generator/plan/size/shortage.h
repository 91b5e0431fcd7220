#pragma once

#include "plan/targets.h"
#include "questions/program_memory.h"
#include "tile/program.h"

namespace pallasgen {

// More bytes than the target has: the parts, how many stages fit, and what would bring a dot's operands in.
tile::Shortage shortage_of(const ProgramMemory& memory, const tile::Program& program, const Target& target);

}  // namespace pallasgen
