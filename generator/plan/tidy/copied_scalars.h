#pragma once

#include "program/draft.h"

namespace pallasgen {

// Merges a variable with the one that it is set to, if that one is defined right before it and read nowhere else.
// Expects a plan that is otherwise finished.
void drop_copied_scalars(Draft& draft);

}  // namespace pallasgen
