#pragma once

#include "tile/program.h"

namespace pallasgen::tile {

// Returns the facts of the program's kernel (Kernel::facts) and of its loops: of each loop variable a number that all
// its values are multiples of, over all loops of that variable; and which loop variables and index values are never
// negative.
SymbolFacts facts_with_loops(const Program& program);

}  // namespace pallasgen::tile
