#pragma once

#include "tile/program.h"

namespace pallasgen::schedule {

// Moves stores that tensor copies take to memory in each step of an axis out of the consumers, the program's last role,
// into a role of one warp in the producer's warpgroup, which the program lists between the two. The consumers put what
// is stored into a channel and go on. Program::decisions list the stores that move, and explain why others stay.
void move_stores(tile::Program& program);

}  // namespace pallasgen::schedule
