#pragma once

#include "body.h"
#include "draft.h"

namespace pallasgen {

// Threads of a CTA without an MMA, at most.
inline constexpr int64_t kMostThreads = 256, kWarp = 32;
// Loads that a thread issues before it waits: device memory wants a few.
inline constexpr int64_t kVectorsInFlight = 4;
// As many threads as `wanted`, in whole warps, one at least and kMostThreads at most.
int64_t whole_warps(int64_t wanted);
// Tells how each array of a role's loads and stores is accessed, and warns where it could go by vectors.
void tell_accesses(Draft& draft, const RolePlan& role);
// Where values of a body that goes element by element are, and what computes them; `warps` of its largest reduction.
void decide_values(Draft& draft, int64_t warps, const std::string& why);

// Plans a kernel without MMA: blocks go through registers, straight from global memory, or, warp-specialised, through a
// ring of tensor copies; bodies that registers do not hold go element by element. False after a refusal.
bool plan_blocks(Draft& draft);

// Why registers do not hold a body, whatever its blocks are; empty: they may.
std::string beyond_fragments(const Kernel& kernel);
// Why a trial of registers was refused, with the statement that the refusal is about.
std::string reason_of(const Kernel& kernel, const Diagnostic& refusal);
// Whether registers hold the body of a kernel without a producer: elementwise over blocks, reduced along their rows,
// few enough at a time. If not, `why` says what does not fit. Sets the frame's vector and rows.
bool suits_fragments(const Draft& draft, BlockFrame& frame, std::string& why);

// The part for bodies of any form: values in tiles of shared memory, one element of a result per thread and turn.
// `why`: what registers do not hold, for explain.
bool plan_element_blocks(Draft& draft, const std::string& why);

// The part for `warp_specialized: true`.
bool plan_pipelined_blocks(Draft& draft);
// The first error of a trial that has failed.
const Diagnostic& first_error(const Diagnostics& said);

}  // namespace pallasgen
