#pragma once

#include "program/draft.h"

namespace pallasgen {

// Two loops over the steps of an axis, one behind the other, become one loop in two runs (ForSteps::second) where their
// bodies are the same but for statements that one of them lacks, as those of a loop that a guard has cut are, and for a
// wait for instructions that one of them has earlier. What the one lacks stands under If::run.
// Expects a plan that is otherwise finished.
void join_loops(Draft& draft);

}  // namespace pallasgen
