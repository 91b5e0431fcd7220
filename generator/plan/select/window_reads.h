#pragma once

#include <set>

#include "plan/targets.h"
#include "tile/program.h"

namespace pallasgen {

// Reads a block of an input part by part if statements take parts at constant places (`x[:, 0:64]`, `dot(x[0], y)`), so
// that each part is in registers or in a slot of its own, like a block. An elementwise expression of a block of which
// only parts are used is computed part by part. Expects named dots and operands.
void read_windows(tile::Program& program, const Target& target);

// The blocks of inputs of which statements take other parts, at places that all threads share (`x[s, :]`, `x[0:8:2]`):
// threads load these parts from shared memory.
std::set<int> blocks_of_parts(const tile::Program& program);

}  // namespace pallasgen
