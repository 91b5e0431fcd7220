#pragma once

#include "plan/targets.h"
#include "tile/program.h"

namespace pallasgen {

// Chooses what the spec leaves open of a program with channels: the warps of each role, the slots of each channel, and
// the columns of staged stores that are under way at once. The first choice that fits the target's shared memory is
// taken; where none does, Program::shortage says what was counted.
tile::Program choose_sizes(const tile::Program& program, const Target& target);

// Threads for a role that uses no matrix instructions: enough for each to have a few accesses under way, and lanes for
// the rows that it reduces.
int64_t threads_for_blocks(const tile::Program& program, const tile::Role& role);

}  // namespace pallasgen
