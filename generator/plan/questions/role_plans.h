#pragma once

#include <string>
#include <vector>

#include "questions/instructions.h"
#include "tile/program.h"

namespace pallasgen {

// What the file says of a role that multiplies no matrices. `only`: it is the kernel's only one.
const char* purpose_of(const RolePlan& role, bool only);
// Of one that does, `turns` those dots that its warpgroups issue in turns.
std::string purpose_of_dots(const MmaNumbers& dot, const std::vector<std::string>& turns);
// Whether the role takes to memory what another one writes, and what the file says of it then.
bool is_storer(const tile::Program& program, const tile::Role& role);
std::string purpose_of_storer(const tile::Program& program, const tile::Role& role);
// Warpgroups of the role that are told apart, because each has a part of what instructions make or works beside a
// producer; 1: all of its threads do alike.
int64_t groups_apart(const tile::Program& program, const tile::Role& role);
// Whether the role's warpgroup has warps of other roles.
bool shares_group(const tile::Program& program, const tile::Role& role);
// Registers of the role's threads, where they are not those at launch.
void change_registers(const tile::Role& role, const Target& target, int64_t threads, RolePlan& planned);

}  // namespace pallasgen
