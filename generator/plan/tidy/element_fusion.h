#pragma once

#include "program/draft.h"

namespace pallasgen {

// Fuses neighbouring loops over elements of the same shape if no thread needs in them values that another thread
// computes. A value used in only one loop after that becomes a variable of the loop, and its tile is removed. Comes
// before role syncs are placed.
void fuse_element_loops(Draft& draft, program::Statements& statements);

}  // namespace pallasgen
