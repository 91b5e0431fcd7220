#pragma once

#include "program/draft.h"

namespace pallasgen {

// Joins two successive loops over the steps of an axis to one loop in two runs (ForSteps::second). Their bodies must be
// equal except for statements that only one of them has, as after a split at a guard, and for a wait for instructions
// that comes earlier in one of them. Statements of one run are under If::run. Expects a plan that is otherwise
// finished.
void join_loops(Draft& draft);

}  // namespace pallasgen
