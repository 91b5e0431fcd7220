#pragma once

#include "plan/targets.h"
#include "tile/program.h"

namespace pallasgen {

// Registers of a thread that ptxas needs for an MMA instruction in addition to its accumulators.
inline constexpr int64_t kWordsOfInstruction = 26;

// Returns kWordsOfInstruction if the role issues MMA instructions, else 0.
int64_t instruction_words(const tile::Role& role);

// True if ptxas has enough registers for an MMA instruction with `accumulator` registers of an accumulator: it compiles
// a kernel for the count at launch, whatever setmaxnreg gives later (message C7602).
bool mma_instruction_fits(const Target& target, int64_t consumers, int64_t accumulator);

// Returns the registers of a consumer's thread if the CTA has a producer and this many compute warpgroups.
int64_t registers_available(const Target& target, int64_t consumers);

// Returns the registers of each of `threads` threads at launch, with one CTA on an SM.
int64_t registers_at_entry(const Target& target, int64_t threads);

// Returns the threads of a CTA with one producer warpgroup.
inline int64_t threads_with_producer(int consumers) { return 128 * (1 + consumers); }

}  // namespace pallasgen
