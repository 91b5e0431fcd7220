#pragma once

#include "tile/program.h"

namespace pallasgen {

// The program with values that are computed again from packed elements behind reductions, where that leaves an SM half
// of its threads, and to hold on to the values would not. Nothing: it stays as it is. `needs_less`: a thread cannot
// hold on to them.
std::optional<tile::Program> with_less_unpacked(const tile::Program& program, bool needs_less);

}  // namespace pallasgen
