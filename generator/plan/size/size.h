#pragma once

#include <optional>
#include <string>

#include "plan/targets.h"
#include "tile/program.h"

namespace pallasgen {

class PlacedProgram;

// Chooses sizes that the spec leaves open in a program with channels: the warps of each role, the slots of each
// channel, and the columns of staged stores that are in flight at once. Takes the first choice that fits the target's
// shared memory; if none does, Program::shortage lists what was counted. `placed` becomes the result with its homes and
// layouts where the choice needed them.
tile::Program choose_sizes(const tile::Program& program, const Target& target, std::optional<PlacedProgram>& placed);

// Threads for a role without matrix instructions: each has a few accesses in flight, and there are enough lanes for the
// rows that the role reduces.
int64_t threads_for_blocks(const tile::Program& program, const tile::Role& role);

// True if each thread of the role copies several runs of a block.
bool copies_blocks(const tile::Role& role);

// Warps of a role that issues instructions of warpgroups: as many warpgroups as the spec says, else two if they can
// divide the rows of a result, else one; or other numbers, if these exceed the limits of a dot. Null if the role has no
// such dots.
struct WarpsChoice {
  int64_t warps;
  std::string why;
};
std::optional<WarpsChoice> warps_for_instructions(const tile::Program& program, const tile::Role& role,
                                                  const Target& target);

// What a program lacks after sizes are chosen: warps of roles. Empty if it lacks nothing, or ends with a shortage.
std::vector<std::string> verify_sizes(const tile::Program& program);

}  // namespace pallasgen
