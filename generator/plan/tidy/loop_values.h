#pragma once

#include "program/draft.h"

namespace pallasgen {

// A fragment whose elements one loop over elements reads, and no other statement, becomes a variable of that loop's
// body (FragmentPlan::in_loop), and what computes it moves there. What has been placed beside instructions that run on
// stays there: only what is computed of places and scalars passes other statements than such loops. Expects a plan
// that is otherwise finished.
void keep_values_in_loops(Draft& draft);

}  // namespace pallasgen
