#pragma once

#include <algorithm>

#include "draft.h"

namespace pallasgen {

// The model of a consumer's registers, fitted to what ptxas of nvcc 13.0 does with generated kernels: the accumulators,
// and beside them the main loop, or what one chunk of the epilogue holds at a time (its values, a function's
// temporaries on each, pointers and masks of what it loads and stores).
struct ConsumerRegisters {
  int64_t accumulators = 0;
  int64_t main_loop = 0;
  int64_t epilogue = 0;
  int64_t needed() const { return accumulators + std::max(main_loop, epilogue); }
};
// What a chunk of the epilogue reaches by pointer.
struct EpilogueAccesses {
  int64_t vectors = 0, blocks = 0;  // loads of a row or column vector, of a block
  int64_t stores = 0;
};
// `chunk_columns` are done at a time, `chunks` of them are unrolled together.
ConsumerRegisters consumer_registers(int64_t rows, int64_t columns, int64_t chunk_columns, int64_t chunks,
                                     const EpilogueAccesses& accesses);

// Whether one MMA instruction with so many registers of an accumulator finds those that ptxas wants for it: it compiles
// a kernel for the count at launch, whatever setmaxnreg gives later (message C7602).
bool mma_instruction_fits(int64_t consumers, int64_t accumulator);

// What a consumer may use, with so many compute warpgroups; 0 where the pool cannot serve them.
int64_t registers_available(const Target& target, int64_t consumers);

// Registers of each of `threads` threads at launch, one CTA on an SM.
int64_t registers_at_entry(const Target& target, int64_t threads);

// Threads of a CTA with one producer warpgroup.
inline int64_t threads_with_producer(int consumers) { return 128 * (1 + consumers); }

// Writes the setmaxnreg numbers into the roles (producer first) and decides aloud.
void plan_registers(Draft& draft, int consumers);

}  // namespace pallasgen
