#pragma once

#include "layout/warps.h"
#include "program/draft.h"

namespace pallasgen {

// The most threads of a CTA without an MMA.
inline constexpr int64_t kMostThreads = 256;
// Loads that a thread issues before it waits: device memory wants a few.
inline constexpr int64_t kVectorsInFlight = 4;
// Rounds `wanted` up to whole warps, at least one and at most kMostThreads.
int64_t whole_warps(int64_t wanted);
// Returns how many threads, in whole warps, share the vectors of a block: up to kMostThreads each thread has
// kVectorsInFlight; beyond that, a thread gets up to twice as many before threads are added.
int64_t threads_of_vectors(int64_t vectors);
// Explains how each array of a role's loads and stores is accessed.
void explain_accesses(Draft& draft, const RolePlan& role);
// Returns the output, or without outputs the input, whose block is the largest of known size that each program has of
// its own; null if there is none.
const Ref* largest_block(const Kernel& kernel);
// The sizes of the block of largest_block(); empty if there is none.
std::vector<Number> tile_of_program(const Kernel& kernel);

}  // namespace pallasgen
