#pragma once

#include "draft.h"

namespace pallasgen {

// What the launcher does for the operands: arrays that are filled first, the parts of the workspace, strides that must
// not overlap.
void plan_operands(Draft& draft);

}  // namespace pallasgen
