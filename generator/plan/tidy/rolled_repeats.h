#pragma once

#include "program/draft.h"

namespace pallasgen {

// Rolls repeated statements into one unrolled loop if they differ only in fragments of their own and in places that
// move by a constant distance. A wait or an arrival that only the first or the last repetition has is under a condition
// on the loop variable. Expects a plan that is otherwise finished.
void roll_repeats(Draft& draft);

}  // namespace pallasgen
