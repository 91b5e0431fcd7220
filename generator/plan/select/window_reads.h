#pragma once

#include <set>

#include "plan/targets.h"
#include "tile/program.h"

namespace pallasgen {

// A block of an input of which statements take parts at constant places (`x[:, 0:64]`, `dot(x[0], y)`) is read part by
// part, so that each lies in registers, or comes to a slot of its own, as a block does. What is computed of a block
// element by element, and taken in parts alone, is computed of the parts. Dots and their operands have names.
void read_windows(tile::Program& program, const Target& target);

// The blocks of inputs of which statements take other parts at places that all threads know (`x[s, :]`, `x[0:8:2]`):
// threads load these from shared memory.
std::set<int> blocks_of_parts(const tile::Program& program);

}  // namespace pallasgen
