#pragma once

#include <string>
#include <vector>

#include "questions/instructions.h"
#include "tile/program.h"

namespace pallasgen {

// The file's text about a role that multiplies no matrices. `only`: it is the kernel's only role.
const char* purpose_of(const RolePlan& role, bool only);
// The same for a role that does; `turns`: the dots that its warpgroups issue in turns.
std::string purpose_of_dots(const MmaNumbers& dot, const std::vector<std::string>& turns);
// The same for a role that stores values to memory that another role computes.
std::string purpose_of_storer(const tile::Program& program, const tile::Role& role);
// Warpgroups of the role that differ, because each has a part of the results of instructions or there are other roles;
// 1 if all of the role's threads do the same.
int64_t groups_apart(const tile::Program& program, const tile::Role& role);
// True if the role's warpgroup has warps of other roles.
bool shares_group(const tile::Program& program, const tile::Role& role);
// Sets the registers of the role's threads and how they differ from those at launch.
void change_registers(const tile::Role& role, const Target& target, int64_t threads, RolePlan& planned);

}  // namespace pallasgen
