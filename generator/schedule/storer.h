#pragma once

#include "tile/program.h"

namespace pallasgen::schedule {

// Moves the stores that tensor copies take to memory in each step of an axis out of the consumers, the last role of the
// program, into a role of one warp of the producer's warpgroup, which stands between the two: the consumers put what is
// stored into a channel and go on. Program::decisions say which are moved, and of each that stays, why.
void move_stores(tile::Program& program);

}  // namespace pallasgen::schedule
