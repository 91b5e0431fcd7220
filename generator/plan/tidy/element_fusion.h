#pragma once

#include "program/draft.h"

namespace pallasgen {

// Makes one loop of neighbouring loops over the elements of one shape where no thread needs what another computes in
// them. A value that then lives in one loop alone becomes a variable of it, and its tile goes. Before role syncs are
// placed.
void fuse_element_loops(Draft& draft, program::Statements& statements);

}  // namespace pallasgen
