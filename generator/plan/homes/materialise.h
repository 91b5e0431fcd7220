#pragma once

#include "tile/program.h"

namespace pallasgen {

// Decides, for the statements of each role that go by elements, what is computed once and kept, and what is computed
// where it is used. Expects values with homes.
//   - A value that is used once, or costs no more than a read of its tile, is `inlined` if nothing that it reads
//   changes
//     before its last use, and if it is not evaluated more often there than it has elements.
//   - A part of an expression that several elements of the result need becomes a value of its own before the statement,
//     as do scans, reductions by warps and loads with an order, which are never a part of an expression.
//   - What a statement reads of the values or of the buffer that it writes, at other places than it writes, is computed
//     before it.
tile::Program materialise(tile::Program program);

}  // namespace pallasgen
