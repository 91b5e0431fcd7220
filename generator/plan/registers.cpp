#include "registers.h"

#include <fmt/format.h>

#include "diagnostics/assert.h"

namespace pallasgen {

namespace {

constexpr int64_t kMainLoop = 24;  // slot, phase, descriptors, tile walk
constexpr int64_t kEpilogue = 28;  // one chunk of 16 columns, addresses, a function's temporaries

}  // namespace

ConsumerRegisters consumer_registers(int64_t rows, int64_t columns, int64_t epilogue_vectors) {
  ConsumerRegisters registers;
  registers.accumulators = rows * columns / 128;
  registers.main_loop = kMainLoop;
  registers.epilogue = kEpilogue + 4 * epilogue_vectors;
  return registers;
}

int64_t registers_available(const Target& target, int consumers) {
  const RegisterSplit* split = register_split(consumers);
  if (!split) return 0;
  return target.setmaxnreg ? split->consumer : split->entry;
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
    draft.decide("registers", fmt::format("{} for every thread", split->entry),
                 fmt::format("{} threads share {} registers; no role needs more", threads,
                             grouped(draft.target->registers)));
    return;
  }
  producer.change = RegisterChange::down;
  consumer.change = RegisterChange::up;
  draft.decide("registers", fmt::format("producer {}, consumers {}", split->producer, split->consumer),
               fmt::format("{} threads start with {} each; the producer gives {} of them back, and {} + {} x {} = {} of "
                           "{} x {} = {} are in use",
                           threads, split->entry, split->entry - split->producer, split->producer, consumers,
                           split->consumer, split->producer + consumers * split->consumer, consumers + 1, split->entry,
                           (consumers + 1) * split->entry));
}

}  // namespace pallasgen
