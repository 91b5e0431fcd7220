#pragma once

#include "draft.h"

namespace pallasgen {

// Plans a kernel that multiplies, beside a producer, and whose tile program no plan is made of yet: by the tensor cores
// where they take it, else element by element with a warning that names what they would take. False after a refusal: of
// a setting, of a missing fact, or of what neither way plans.
bool plan_dots(Draft& draft, const tile::Program& program);

}  // namespace pallasgen
