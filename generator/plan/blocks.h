#pragma once

#include "draft.h"

namespace pallasgen {

// Plans a kernel without MMA: blocks go through registers, straight from global memory, or, warp-specialised, through a
// ring of tensor copies. False after a refusal.
bool plan_blocks(Draft& draft);

// The part for `warp_specialized: true`.
bool plan_pipelined_blocks(Draft& draft);

}  // namespace pallasgen
