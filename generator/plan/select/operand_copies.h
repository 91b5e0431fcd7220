#pragma once

#include <set>

#include "tile/program.h"

namespace pallasgen {

// Gives matrix instructions what threads make, of `made` by value, by way of shared memory where they do not take it
// from registers: as B, as A transposed, as A of other than 16 bits, or as A that registers have no room for.
void copy_made_operands(tile::Program& program, const std::set<int>& made);
// Whether instructions take A of the product from registers that threads make it in.
bool takes_a_from_registers(const tile::Program& program, const tile::Dot& dot);

}  // namespace pallasgen
