#include "warp_exchange.h"

#include <cstring>

#include "current.h"
#include "report.h"
#include "source_place.h"

namespace pallasgen::emulator {

WarpExchanges::Exchange& WarpExchanges::with_mask(uint32_t mask) {
  for (Exchange& exchange : exchanges_)
    if (exchange.mask == mask) return exchange;
  exchanges_.emplace_back().mask = mask;
  return exchanges_.back();
}

Met WarpExchanges::meet(Thread& thread, uint32_t mask, const char* operation, const LaneValue& value, Execute execute) {
  if ((mask >> thread.lane & 1) == 0)
    rule_broken("%s: lane %d is not in the mask 0x%08x", operation, thread.lane, mask);
  // A bar.warp.sync waits for lanes at any place; an exchange of values is between lanes that are active at one
  // instruction.
  const bool is_sync = std::strcmp(operation, kWarpSync) == 0;
  const void* pc = is_sync ? nullptr : thread.pc;
  // If lanes compute something together, each contributes a part (PTX ISA, "ldmatrix", "stmatrix", "mma": undefined if
  // a thread of the warp has exited).
  const auto exited = execute == nullptr ? Convergence::Exited::kCountNoMore : Convergence::Exited::kAreMissing;
  if (mask == 0xffffffffu) thread.warp->convergence.pass(thread, operation, pc, exited);
  Exchange& exchange = with_mask(mask);
  if (exchange.arrived == 0) {
    exchange.operation = operation;
    exchange.pc = pc;
    exchange.execute = execute;
  } else if (std::strcmp(exchange.operation, operation) != 0 || !may_be_same_place(exchange.pc, pc)) {
    rule_broken("lanes of a warp disagree: %s here, %s%s in lanes 0x%08x", operation, exchange.operation,
                at_source_place(exchange.pc).c_str(), exchange.arrived);
  }
  const uint64_t generation = exchange.generation;
  LaneValue(&values)[32] = exchange.values[generation & 1];
  values[thread.lane] = value;
  exchange.arrived |= 1u << thread.lane;
  // Shuffles, votes and matrix instructions synchronise lanes and order no memory (CUDA C++ Programming Guide).
  const bool orders = execution().options().per_thread && is_sync;
  if (orders) race::release(thread.agent, exchange.syncs[generation & 1]);
  finish_if_complete(exchange, *thread.warp, &thread);
  while (exchange.generation == generation) {
    exchange.waiting.add(thread);
    execution().block(thread, {.kind = Wait::Kind::kWarp, .text = operation});
  }
  if (orders) race::acquire(thread.agent, exchange.syncs[generation & 1]);
  return {values, exchange.lanes[generation & 1]};
}

void WarpExchanges::finish_if_complete(Exchange& exchange, Warp& warp, Thread* last) {
  if (exchange.arrived == 0 || (exchange.mask & warp.live & ~exchange.arrived) != 0) return;
  if (exchange.execute != nullptr) exchange.execute(*last, exchange.values[exchange.generation & 1]);
  exchange.lanes[exchange.generation & 1] = exchange.arrived;
  exchange.arrived = 0;
  ++exchange.generation;
  exchange.waiting.wake_all();
}

void WarpExchanges::lane_exited(Warp& warp) {
  for (Exchange& exchange : exchanges_) finish_if_complete(exchange, warp, nullptr);
}

uint32_t WarpExchanges::arrived(const char* operation) const {
  for (const Exchange& exchange : exchanges_)
    if (exchange.arrived != 0 && std::strcmp(exchange.operation, operation) == 0) return exchange.arrived;
  return 0;
}

}  // namespace pallasgen::emulator
