#pragma once

#include <string>
#include <vector>

#include "tile/program.h"

namespace pallasgen::tile {

// The lines of a program's dims, consts, functions, scalars, axes, refs and settings. `functions`: those that
// statements call, in the order of their lines.
std::string declarations_text(const Program& program, const std::vector<int>& functions);

}  // namespace pallasgen::tile
