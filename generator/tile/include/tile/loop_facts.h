#pragma once

#include "tile/program.h"

namespace pallasgen::tile {

// The facts of the program's kernel (Kernel::facts), and what each variable of its loops is always a multiple of: what
// first values and steps have in common, in all loops of the variable; and which of these, and of the values that are
// indices, are never negative.
SymbolFacts facts_with_loops(const Program& program);

}  // namespace pallasgen::tile
