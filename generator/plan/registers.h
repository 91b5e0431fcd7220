#pragma once

#include "draft.h"

namespace pallasgen {

// The model of a consumer's registers, fitted to what nvcc 13.0 gives (tests/plan/registers_test.cpp and bench hold it
// against the compiler): accumulators, what the main loop and the tile walk keep, and what one chunk of the epilogue
// holds at a time.
struct ConsumerRegisters {
  int64_t accumulators = 0;
  int64_t main_loop = 0;
  int64_t epilogue = 0;
  int64_t needed() const { return accumulators + std::max(main_loop, epilogue); }
};
ConsumerRegisters consumer_registers(int64_t rows, int64_t columns, int64_t epilogue_vectors);

// What a consumer may use, with so many compute warpgroups; 0 where the pool cannot serve them.
int64_t registers_available(const Target& target, int consumers);

// Threads of a CTA with one producer warpgroup.
inline int64_t threads_with_producer(int consumers) { return 128 * (1 + consumers); }

// Writes the setmaxnreg numbers into the roles (producer first) and decides aloud.
void plan_registers(Draft& draft, int consumers);

}  // namespace pallasgen
