#pragma once

#include "tile/program.h"

namespace pallasgen::schedule {

// Gives each value in shared memory that does not come out of a channel one of its own, from the role to itself, and
// lets tensor and bulk copies take what they write to global memory out of one.
void make_crossings(tile::Program& program);

// A name for a channel, which none has yet.
std::string channel_name(const tile::Program& program, std::string name);

}  // namespace pallasgen::schedule
