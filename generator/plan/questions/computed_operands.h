#pragma once

#include <set>

#include "tile/program.h"

namespace pallasgen {

// The channels through which a role's threads pass operands that they make to its matrix instructions, which do not
// take these from registers.
std::set<int> computed_operands(const tile::Program& program);

}  // namespace pallasgen
