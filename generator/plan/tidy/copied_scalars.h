#pragma once

#include "program/draft.h"

namespace pallasgen {

// A variable that is set to another one, which is made right before it and which nothing else reads, is set to what
// that one is, and the other one goes. Expects a plan that is otherwise finished.
void drop_copied_scalars(Draft& draft);

}  // namespace pallasgen
