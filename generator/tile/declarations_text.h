#pragma once

#include <set>
#include <string>
#include <vector>

#include "tile/program.h"

namespace pallasgen::tile {

// The lines of a program's dims, consts, functions, scalars, axes, refs and settings. `places` are refs that statements
// name: scratch that is none of them has no line. `functions` are those that statements call, in their order.
std::string declarations_text(const Program& program, const std::set<int>& places, const std::vector<int>& functions);

}  // namespace pallasgen::tile
