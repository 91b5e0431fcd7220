#include "registers.h"

#include <fmt/format.h>

#include <algorithm>

#include "diagnostics/assert.h"

namespace pallasgen {

namespace {

// Slot, phase, descriptors, tile walk, sizes: 200 accumulators compile without spills under 232 registers, 208 do not.
constexpr int64_t kMainLoop = 32;
// Of each value of a chunk: itself, and what a function such as erff keeps while neighbours are under way.
constexpr int64_t kPerValue = 3;
// Of each ref that a chunk reaches by pointer: the pointer, extents, offsets, masks.
constexpr int64_t kPerAccess = 8;
// Of each chunk that is unrolled beside its neighbours: addresses; vectors are loaded ahead, up to so many chunks, each
// with an address and a bound of its own.
constexpr int64_t kPerChunk = 2, kPerVector = 4, kChunksAhead = 8;
// Of each value of a block that a chunk loads.
constexpr int64_t kPerBlockValue = 2;
// What ptxas wants for an MMA instruction beside its accumulators.
constexpr int64_t kInstruction = 26;

}  // namespace

ConsumerRegisters consumer_registers(int64_t rows, int64_t columns, int64_t chunk_columns, int64_t chunks,
                                     const EpilogueAccesses& accesses) {
  const int64_t values = rows * chunk_columns / 128;
  const int64_t pointers = accesses.vectors + accesses.blocks + accesses.stores;
  ConsumerRegisters registers;
  registers.accumulators = rows * columns / 128;
  registers.main_loop = kMainLoop;
  registers.epilogue =
      kPerValue * values + kPerAccess * pointers + kPerBlockValue * accesses.blocks * values +
      std::min(chunks, kChunksAhead) * (kPerChunk + accesses.vectors * (kPerVector + chunk_columns / 4));
  return registers;
}

bool mma_instruction_fits(int64_t consumers, int64_t accumulator) {
  const RegisterSplit* split = register_split(consumers);
  return split && accumulator + kInstruction <= split->entry;
}

int64_t registers_available(const Target& target, int64_t consumers) {
  const RegisterSplit* split = register_split(consumers);
  if (!split) return 0;
  return target.setmaxnreg ? split->consumer : split->entry;
}

int64_t registers_at_entry(const Target& target, int64_t threads) {
  return std::min<int64_t>(target.max_registers, target.registers / threads / 8 * 8);
}

void plan_registers(Draft& draft, int consumers) {
  const RegisterSplit* split = register_split(consumers);
  PALLASGEN_ASSERT(split, draft.kernel->span);
  RolePlan& producer = draft.plan.roles.front();
  RolePlan& consumer = draft.plan.roles.back();
  producer.registers = number(split->producer);
  consumer.registers = number(split->consumer);
  const int64_t threads = threads_with_producer(consumers);
  if (split->consumer == split->entry || !draft.target->setmaxnreg) {
    draft.decide(
        "registers", fmt::format("{} for every thread", split->entry),
        fmt::format("{} threads share {} registers; no role needs more", threads, grouped(draft.target->registers)));
    return;
  }
  producer.change = RegisterChange::down;
  consumer.change = RegisterChange::up;
  draft.decide(
      "registers", fmt::format("producer {}, consumers {}", split->producer, split->consumer),
      fmt::format("{} threads start with {} each; the producer gives {} of them back, and {} + {} x {} = {} of "
                  "{} x {} = {} are in use",
                  threads, split->entry, split->entry - split->producer, split->producer, consumers, split->consumer,
                  split->producer + consumers * split->consumer, consumers + 1, split->entry,
                  (consumers + 1) * split->entry));
}

}  // namespace pallasgen
