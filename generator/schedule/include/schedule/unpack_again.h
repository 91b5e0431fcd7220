#pragma once

#include "tile/program.h"

namespace pallasgen::schedule {

// Computes what few operations make of packed elements (of 16 bits or fewer) again behind each reduction, in place of
// holding it over the reduction in more registers: the packed elements `x = x` are unpacked anew from there on.
// Nothing: there is no such value.
std::optional<tile::Program> unpacked_again(const tile::Program& program);

}  // namespace pallasgen::schedule
