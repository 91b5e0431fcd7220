#pragma once

#include "program/draft.h"

namespace pallasgen {

// Makes the plan's decisions name what its statements do: how, and how many elements at once, an array is read and
// written, and which values have a place in shared memory. Earlier passes took these decisions before there were
// statements.
void correct_decisions(Draft& draft);

}  // namespace pallasgen
