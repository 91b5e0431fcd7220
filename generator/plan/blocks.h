#pragma once

#include "draft.h"

namespace pallasgen {

// Threads of a CTA without an MMA, at most.
inline constexpr int64_t kMostThreads = 256, kWarp = 32;
// Loads that a thread issues before it waits: device memory wants a few.
inline constexpr int64_t kVectorsInFlight = 4;
// As many threads as `wanted`, in whole warps, one at least and kMostThreads at most.
int64_t whole_warps(int64_t wanted);

// Plans a kernel without MMA: blocks go through registers, straight from global memory, or, warp-specialised, through a
// ring of tensor copies; bodies that registers do not hold go element by element. False after a refusal.
bool plan_blocks(Draft& draft);

// The part for bodies of any form: values in tiles of shared memory, one element of a result per thread and turn.
// `why`: what registers do not hold, for explain.
bool plan_element_blocks(Draft& draft, const std::string& why);

// The part for `warp_specialized: true`.
bool plan_pipelined_blocks(Draft& draft);

}  // namespace pallasgen
