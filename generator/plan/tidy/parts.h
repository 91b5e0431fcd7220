#pragma once

#include "program/draft.h"

namespace pallasgen {

// Turns repeated runs of statements that compute in registers, such as those of a split loop, into parts (PartPlan) if
// that saves lines, and names their layouts. Expects a plan that is otherwise finished.
void outline_parts(Draft& draft);

}  // namespace pallasgen
