#pragma once

#include "draft.h"

namespace pallasgen {

// Plans a kernel that multiplies, beside a producer: by the tensor cores where they take it, else element by element
// with a warning that names what they would take. False after a refusal: of a setting, of a missing fact, or of what
// neither way plans.
bool plan_dots(Draft& draft);

}  // namespace pallasgen
