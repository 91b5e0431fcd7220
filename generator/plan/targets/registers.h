#pragma once

#include "plan/targets.h"
#include "tile/program.h"

namespace pallasgen {

// What ptxas wants for an MMA instruction beside its accumulators.
inline constexpr int64_t kWordsOfInstruction = 26;

// Those of a role, if it issues any.
int64_t instruction_words(const tile::Role& role);

// Whether one MMA instruction with so many registers of an accumulator finds those that ptxas wants for it: it compiles
// a kernel for the count at launch, whatever setmaxnreg gives later (message C7602).
bool mma_instruction_fits(const Target& target, int64_t consumers, int64_t accumulator);

// What a consumer may use beside a producer, with so many compute warpgroups.
int64_t registers_available(const Target& target, int64_t consumers);

// Registers of each of `threads` threads at launch, one CTA on an SM.
int64_t registers_at_entry(const Target& target, int64_t threads);

// Threads of a CTA with one producer warpgroup.
inline int64_t threads_with_producer(int consumers) { return 128 * (1 + consumers); }

}  // namespace pallasgen
