#pragma once

#include <set>

#include "tile/program.h"

namespace pallasgen::tile {

// The channels of the role's own of whose entries each warpgroup's matrix instructions read just what its own threads
// have put there: all that come from values in registers where the role is one warpgroup, else operands A whose rows
// the warpgroups have as they have those of the sums. Expects a program with layouts.
std::set<int> channels_within_warpgroups(const Program& program, const Role& role);

}  // namespace pallasgen::tile
