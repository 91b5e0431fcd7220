#include "named_barrier.h"

#include <pallasgen/emulator/instructions.h>

#include <algorithm>

#include "current.h"
#include "report.h"

// PTX ISA, "barrier.cta"; bar.sync and bar.arrive are its `.aligned` forms, and so is __syncthreads.
namespace pallasgen::emulator {

NamedBarriers::Arrival NamedBarriers::enter(Thread& thread, int id, int threads, int value) {
  if (id < 0 || id >= kCount) rule_broken("named barrier %d: ids are 0 to %d", id, kCount - 1);
  if (threads % kWarpSize != 0) rule_broken("named barrier %d: %d threads are no whole warps", id, threads);
  const int size = static_cast<int>(cta_.warps.size()) * kWarpSize;
  if (threads > size) rule_broken("named barrier %d: waits for %d threads, the CTA has %d", id, threads, size);
  Barrier& barrier = barriers_[id];
  barrier.warps.resize(cta_.warps.size());
  WarpArrival& warp = barrier.warps[static_cast<size_t>(thread.warp->index)];
  if (warp.lanes == 0) {
    warp.threads = threads;
    warp.value = 0;
  } else if (warp.threads != threads) {
    rule_broken("named barrier %d: threads disagree on its count, %d and %d", id, warp.threads, threads);
  }
  warp.lanes |= 1u << thread.lane;
  warp.value += value;
  const uint64_t number = warp.arrivals;
  arrive_if_complete(id, *thread.warp);
  return {warp, number};
}

void NamedBarriers::arrive_if_complete(int id, const Warp& lanes) {
  Barrier& barrier = barriers_[id];
  if (barrier.warps.empty()) return;
  WarpArrival& warp = barrier.warps[static_cast<size_t>(lanes.index)];
  if (warp.lanes == 0 || (lanes.live & ~warp.lanes) != 0) return;
  const bool all = warp.threads == 0;
  const int expected = all ? live_threads() : warp.threads;
  if (barrier.arrived == 0) {
    barrier.expected = expected;
    barrier.all = all;
    barrier.sum = 0;
  } else if (barrier.all != all || (!all && barrier.expected != expected)) {
    rule_broken("named barrier %d: threads disagree on its count, %d and %d", id, barrier.expected, expected);
  }
  race::Sync& sync = barrier.syncs[barrier.generation & 1];
  if (execution().options().per_thread) {
    const size_t first = static_cast<size_t>(lanes.index) * kWarpSize;
    for (size_t lane = 0; lane < kWarpSize; ++lane)
      if (warp.lanes >> lane & 1) race::release(cta_.threads[first + lane].agent, sync);
  } else {
    race::release(lanes.agent, sync);
  }
  barrier.arrived += kWarpSize;
  barrier.sum += warp.value;
  warp.lanes = 0;
  warp.generation = barrier.generation;
  ++warp.arrivals;
  warp.waiting.wake_all();
  finish_if_complete(barrier);
}

void NamedBarriers::finish_if_complete(Barrier& barrier) {
  if (barrier.arrived == 0) return;
  if (barrier.all) barrier.expected = live_threads();
  if (barrier.arrived < barrier.expected) return;
  barrier.arrived = 0;
  barrier.total = barrier.sum;
  ++barrier.generation;
  barrier.waiting.wake_all();
}

int NamedBarriers::live_threads() const {
  return kWarpSize * static_cast<int>(std::count_if(cta_.warps.begin(), cta_.warps.end(),
                                                    [](const Warp& warp) { return warp.live != 0; }));
}

void NamedBarriers::arrive(Thread& thread, int id, int threads) {
  const auto [warp, number] = enter(thread, id, threads, 0);
  while (warp.arrivals == number) {
    warp.waiting.add(thread);
    execution().block(thread, {.kind = Wait::Kind::kNamedBarrier, .number = id});
  }
}

int NamedBarriers::sync(Thread& thread, int id, int threads, int value) {
  const auto [warp, number] = enter(thread, id, threads, value);
  Barrier& barrier = barriers_[id];
  // The warp does not arrive again before this lane has continued.
  while (warp.arrivals == number || barrier.generation == warp.generation) {
    barrier.waiting.add(thread);
    execution().block(thread, {.kind = Wait::Kind::kNamedBarrier, .number = id});
  }
  race::acquire(thread.agent, barrier.syncs[warp.generation & 1]);
  return barrier.total;
}

void NamedBarriers::thread_exited(const Thread& thread) {
  for (int id = 0; id < kCount; ++id) {
    arrive_if_complete(id, *thread.warp);
    if (barriers_[id].all) finish_if_complete(barriers_[id]);
  }
}

std::string NamedBarriers::describe(int id) const {
  const Barrier& barrier = barriers_[id];
  std::string waiting;
  int expected = barrier.arrived != 0 ? barrier.expected : 0;
  bool all = barrier.all;
  for (size_t i = 0; i < barrier.warps.size(); ++i) {
    const WarpArrival& warp = barrier.warps[i];
    if (warp.lanes == 0) continue;
    waiting += text(", lanes 0x%08x of warp %zu wait for its others", warp.lanes, i);
    if (expected == 0) all = warp.threads == 0;
    if (expected == 0) expected = all ? live_threads() : warp.threads;
  }
  const std::string name = id == 0 && all ? "__syncthreads" : text("named barrier %d", id);
  return name + text(": %d of %d threads have arrived", barrier.arrived, expected) + waiting;
}

void barrier_sync(int id, int threads) {
  Entry entry("bar.sync");
  entry.thread.warp->convergence.pass(entry.thread, "bar.sync", entry.thread.pc);
  entry.cta().named_barriers.sync(entry.thread, id, threads, 0);
}

void barrier_arrive(int id, int threads) {
  Entry entry("bar.arrive");
  entry.thread.warp->convergence.pass(entry.thread, "bar.arrive", entry.thread.pc);
  entry.cta().named_barriers.arrive(entry.thread, id, threads);
}

}  // namespace pallasgen::emulator

// Declared for device code in <pallasgen/emulator/builtins.h>.
namespace {

int sync_all(int value, const void* pc) {
  using namespace pallasgen::emulator;
  Entry entry("__syncthreads", pc);
  entry.thread.warp->convergence.pass(entry.thread, "__syncthreads", pc);
  return entry.cta().named_barriers.sync(entry.thread, 0, 0, value);
}

}  // namespace

void __syncthreads() { sync_all(0, __builtin_return_address(0)); }
int __syncthreads_count(int predicate) { return sync_all(predicate != 0, __builtin_return_address(0)); }
int __syncthreads_or(int predicate) { return sync_all(predicate != 0, __builtin_return_address(0)) != 0; }
int __syncthreads_and(int predicate) { return sync_all(predicate == 0, __builtin_return_address(0)) == 0; }
