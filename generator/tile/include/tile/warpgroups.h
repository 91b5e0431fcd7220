#pragma once

#include <set>

#include "tile/program.h"

namespace pallasgen::tile {

// The role's own channels from whose entries each warp's part of a matrix instruction reads only what its own threads
// have put there: operands A whose rows are divided among the warps as the rows of the sums are. The program must have
// layouts.
std::set<int> channels_within_warpgroups(const Program& program, const Role& role);

}  // namespace pallasgen::tile
