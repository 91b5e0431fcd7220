#pragma once

#include <set>

#include "tile/program.h"

namespace pallasgen {

// The channels through which the threads of a role give its matrix instructions operands that these do not take from
// registers.
std::set<int> made_operands(const tile::Program& program);

}  // namespace pallasgen
