#pragma once

#include "homes/program_memory.h"
#include "plan/targets.h"
#include "tile/program.h"

namespace pallasgen {

// The parts of a program that is too large, the stages that would fit, and changes that would make its dot fit.
tile::Shortage shortage_of(const ProgramMemory& memory, const tile::Program& program, const Target& target);

}  // namespace pallasgen
