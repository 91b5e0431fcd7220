#pragma once

#include "tile/program.h"

namespace pallasgen {

// The program with values that are computed again from packed elements behind reductions, where that leaves an SM half
// of its threads, and to hold on to the values would not. Nothing: it stays as it is.
std::optional<tile::Program> with_less_unpacked(const tile::Program& program);

}  // namespace pallasgen
