#pragma once

#include "layout/warps.h"
#include "program/draft.h"

namespace pallasgen {

// Threads of a CTA without an MMA, at most.
inline constexpr int64_t kMostThreads = 256;
// Loads that a thread issues before it waits: device memory wants a few.
inline constexpr int64_t kVectorsInFlight = 4;
// As many threads as `wanted`, in whole warps, one at least and kMostThreads at most.
int64_t whole_warps(int64_t wanted);
// How many threads share so many vectors of a block, in whole warps: kVectorsInFlight for each up to kMostThreads, and
// more threads before more than twice as many.
int64_t threads_of_vectors(int64_t vectors);
// Tells how each array of a role's loads and stores is accessed.
void tell_accesses(Draft& draft, const RolePlan& role);
// The output, or where there is none the input, with the largest block of known size of which each program has its own;
// null: there is none.
const Ref* largest_block(const Kernel& kernel);
// The sizes of its block.
std::vector<Number> tile_of_program(const Kernel& kernel);

}  // namespace pallasgen
