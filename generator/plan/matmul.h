#pragma once

#include "draft.h"

namespace pallasgen {

// Plans a warp-specialised matmul: one producer warpgroup, 1 to 3 consumers that share a tile by rows. False after a
// refusal.
bool plan_matmul(Draft& draft);

}  // namespace pallasgen
