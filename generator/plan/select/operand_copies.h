#pragma once

#include <set>

#include "tile/program.h"

namespace pallasgen {

// Passes operands that threads make (`made`, by value) to matrix instructions through shared memory if these cannot
// take them from registers: B, a transposed A, an A of other than 16 bits, or an A that registers have no space for.
void copy_computed_operands(tile::Program& program, const std::set<int>& made);
// True if instructions take A of the product from the registers of the threads that make it.
bool takes_a_from_registers(const tile::Program& program, const tile::Dot& dot);

}  // namespace pallasgen
