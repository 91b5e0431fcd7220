#pragma once

#include <optional>
#include <string>

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

// Whether threads of the role copy several runs each of a block.
bool copies_blocks(const tile::Role& role);

// Warpgroups for a role that issues matrix instructions and copies their operands itself: as many as the spec says,
// else two where the rows of a result divide among them, else one; others where these are beyond the limits of a dot.
// Null: the role has no such dots.
struct GroupsChoice {
  int64_t groups;
  std::string why;
};
std::optional<GroupsChoice> groups_for_instructions(const tile::Program& program, const tile::Role& role,
                                                    const Target& target);

}  // namespace pallasgen
