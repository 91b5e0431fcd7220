#pragma once

#include <set>

#include "tile/program.h"

namespace pallasgen::tile {

// The channels of the role's own of whose entries each warp's part of a matrix instruction reads just what its own
// threads have put there: operands A whose rows the warps have as they have those of the sums. Expects a program with
// layouts.
std::set<int> channels_within_warpgroups(const Program& program, const Role& role);

}  // namespace pallasgen::tile
