#pragma once

#include "tile/program.h"

namespace pallasgen::schedule {

// Computes cheap functions of packed elements (of 16 bits or fewer) again after each reduction, instead of holding the
// wider results over the reduction: the assignment `x = x` of the packed elements makes the compiler unpack them again.
// Nothing if there is no such value.
std::optional<tile::Program> unpacked_again(const tile::Program& program);

}  // namespace pallasgen::schedule
