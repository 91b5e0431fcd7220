#pragma once

#include "tile/program.h"

namespace pallasgen {

// Whether the copies of a role, and what moves their channels on, stand where plans have them: in a loop, or in one
// over tiles, and copies also in a branch of a loop that has no others.
bool copies_in_place(const tile::Program& program, const tile::Role& role);

}  // namespace pallasgen
