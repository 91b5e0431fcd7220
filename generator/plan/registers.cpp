#include "registers.h"

#include <algorithm>

namespace pallasgen {

namespace {

// What ptxas wants for an MMA instruction beside its accumulators.
constexpr int64_t kInstruction = 26;

}  // namespace

bool mma_instruction_fits(const Target& target, int64_t consumers, int64_t accumulator) {
  return accumulator + kInstruction <= registers_at_entry(target, threads_with_producer(static_cast<int>(consumers)));
}

int64_t registers_available(const Target& target, int64_t consumers) {
  const RegisterSplit* split = register_split(consumers);
  if (!split) return registers_at_entry(target, threads_with_producer(static_cast<int>(consumers)));
  return target.setmaxnreg ? split->consumer : split->entry;
}

int64_t registers_at_entry(const Target& target, int64_t threads) {
  return std::min<int64_t>(target.max_registers, target.registers / threads / 8 * 8);
}

}  // namespace pallasgen
