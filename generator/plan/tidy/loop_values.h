#pragma once

#include "program/draft.h"

namespace pallasgen {

// Makes a fragment that only one loop over elements reads a variable of that loop's body (FragmentPlan::in_loop) and
// moves its computation there. Computations placed to overlap with instructions stay: only those of places and scalars
// move past statements other than such loops. Expects a plan that is otherwise finished.
void keep_values_in_loops(Draft& draft);

}  // namespace pallasgen
