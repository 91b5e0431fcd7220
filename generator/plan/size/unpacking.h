#pragma once

#include <cstdint>
#include <optional>

#include "homes/homes.h"

namespace pallasgen {

// The program with reads behind stores of what does not need them, where an SM has fewer than half of its threads for
// the registers that they take in front, and that leaves it half of them, or a quarter fewer registers. Nothing: it
// stays as it is.
std::optional<PlacedProgram> with_later_reads(const PlacedProgram& placed);

// The program with values that are computed again from packed elements behind reductions, where that leaves an SM half
// of its threads, and to hold on to the values would not. Nothing: it stays as it is. `limit`: the registers that a
// thread may have, where the values do not fit into them; half of an SM's threads are then not asked for.
std::optional<PlacedProgram> with_less_unpacked(const PlacedProgram& placed, std::optional<int64_t> limit);

}  // namespace pallasgen
