#pragma once

#include <cstdint>
#include <optional>

#include "homes/homes.h"

namespace pallasgen {

// The program with reads moved after stores that do not need them, if the registers that they take before them leave an
// SM fewer than half of its threads, and the move gives it half of them or saves a quarter of the registers; else null.
std::optional<PlacedProgram> with_later_reads(const PlacedProgram& placed);

// The program with values that are computed again from packed elements after reductions. Null unless that, and not
// keeping the values, leaves an SM half of its threads. `limit`: the registers that a thread may have, if the values do
// not fit into them; the program then only has to fit.
std::optional<PlacedProgram> with_less_unpacked(const PlacedProgram& placed, std::optional<int64_t> limit);

}  // namespace pallasgen
