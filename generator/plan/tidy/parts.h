#pragma once

#include "program/draft.h"

namespace pallasgen {

// Runs of statements that compute in registers and stand several times in a role, as what was cut out of one loop does,
// become parts (PartPlan) where that saves lines; their layouts get names. Expects a plan that is otherwise finished.
void outline_parts(Draft& draft);

}  // namespace pallasgen
