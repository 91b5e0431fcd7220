#pragma once

#include "program/draft.h"

namespace pallasgen {

// Statements that stand several times behind one another, the same but for fragments of their own and for places that
// are the same distance apart each time, become one loop that is unrolled. A wait or an arrival that one turn alone has
// stands there under the number of the turn.
// Expects a plan that is otherwise finished.
void roll_repeats(Draft& draft);

}  // namespace pallasgen
