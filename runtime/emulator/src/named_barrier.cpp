#include "named_barrier.h"

#include <pallasgen/emulator/instructions.h>

#include "current.h"
#include "report.h"

namespace pallasgen::emulator {

uint64_t NamedBarriers::enter(Thread& thread, int id, int threads, int value) {
  if (id < 0 || id >= kCount) rule_broken("named barrier %d: ids are 0 to %d", id, kCount - 1);
  if (threads % kWarpSize != 0) rule_broken("named barrier %d: %d threads are no whole warps", id, threads);
  const int size = static_cast<int>(cta_.threads.size());
  if (threads > size) rule_broken("named barrier %d: waits for %d threads, the CTA has %d", id, threads, size);
  Barrier& barrier = barriers_[id];
  const bool all = threads == 0;
  if (barrier.arrived == 0) {
    barrier.expected = all ? cta_.live : threads;
    barrier.all = all;
    barrier.sum = 0;
  } else if (barrier.all != all || (!all && barrier.expected != threads)) {
    rule_broken("named barrier %d: threads disagree on its count, %d and %d", id, barrier.expected,
                all ? cta_.live : threads);
  }
  ++barrier.arrived;
  barrier.sum += value;
  const uint64_t generation = barrier.generation;
  race::release(thread.agent, barrier.syncs[generation & 1]);
  finish_if_complete(barrier);
  return generation;
}

void NamedBarriers::finish_if_complete(Barrier& barrier) {
  if (barrier.arrived == 0) return;
  if (barrier.all) barrier.expected = cta_.live;
  if (barrier.arrived < barrier.expected) return;
  barrier.arrived = 0;
  barrier.total = barrier.sum;
  ++barrier.generation;
  barrier.waiting.wake_all();
}

void NamedBarriers::arrive(Thread& thread, int id, int threads) { enter(thread, id, threads, 0); }

int NamedBarriers::sync(Thread& thread, int id, int threads, int value) {
  const uint64_t generation = enter(thread, id, threads, value);
  Barrier& barrier = barriers_[id];
  while (barrier.generation == generation) {
    barrier.waiting.add(thread);
    execution().block(thread, {.kind = Wait::Kind::kNamedBarrier, .number = id});
  }
  race::acquire(thread.agent, barrier.syncs[generation & 1]);
  return barrier.total;
}

void NamedBarriers::thread_exited() {
  for (Barrier& barrier : barriers_)
    if (barrier.all) finish_if_complete(barrier);
}

std::string NamedBarriers::describe(int id) const {
  const Barrier& barrier = barriers_[id];
  const std::string name = id == 0 && barrier.all ? "__syncthreads" : text("named barrier %d", id);
  return name + text(": %d of %d threads have arrived", barrier.arrived, barrier.expected);
}

void NamedBarriers::check_at_exit() const {
  for (int id = 0; id < kCount; ++id)
    if (barriers_[id].arrived != 0) rule_broken("the CTA ends in the middle of a phase: %s", describe(id).c_str());
}

void barrier_sync(int id, int threads) {
  Entry entry("bar.sync");
  entry.cta().named_barriers.sync(entry.thread, id, threads, 0);
}

void barrier_arrive(int id, int threads) {
  Entry entry("bar.arrive");
  entry.cta().named_barriers.arrive(entry.thread, id, threads);
}

}  // namespace pallasgen::emulator

// Declared for device code in <pallasgen/emulator/builtins.h>.
namespace {

int sync_all(int value, const void* pc) {
  using namespace pallasgen::emulator;
  Entry entry("__syncthreads", pc);
  return entry.cta().named_barriers.sync(entry.thread, 0, 0, value);
}

}  // namespace

void __syncthreads() { sync_all(0, __builtin_return_address(0)); }
int __syncthreads_count(int predicate) { return sync_all(predicate != 0, __builtin_return_address(0)); }
int __syncthreads_or(int predicate) { return sync_all(predicate != 0, __builtin_return_address(0)) != 0; }
int __syncthreads_and(int predicate) { return sync_all(predicate == 0, __builtin_return_address(0)) == 0; }
