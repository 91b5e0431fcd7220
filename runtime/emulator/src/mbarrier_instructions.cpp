#include <pallasgen/emulator/instructions.h>

#include "current.h"
#include "report.h"

namespace pallasgen::emulator {
namespace {

constexpr size_t kBytes = 8;

/// A thread in an instruction on the barrier at `bar`, of its own CTA unless the instruction is a remote arrival.
class BarrierEntry : public Entry {
 public:
  BarrierEntry(const char* what, uint32_t bar, const void* pc, bool remote = false)
      : Entry(what, pc), pc(pc), place_(shared_place(cta(), bar, kBytes, kBytes, what)) {
    if (!remote && place_.cta != &cta()) rule_broken("%s: the barrier belongs to another CTA of the cluster", what);
  }

  const void* const pc;
  size_t offset() const { return place_.offset; }
  Mbarriers& barriers() const { return place_.cta->mbarriers; }
  /// Accesses the barrier as all instructions but init and inval do.
  void touch() const { barriers().touch(offset(), thread.agent.generic, pc); }

 private:
  const SharedPlace place_;
};

bool try_wait(uint32_t bar, uint32_t parity, MemoryScope scope, const void* pc) {
  const BarrierEntry entry("mbarrier.try_wait", bar, pc);
  if (parity > 1) rule_broken("mbarrier.try_wait: parity %u is not 0 or 1", parity);
  Mbarriers& barriers = entry.barriers();
  entry.touch();
  Execution& run = execution();
  constexpr int kTimeOutOnceIn = 16;
  while (!barriers.complete(entry.offset(), parity)) {
    if (run.options().random_order && run.random.once_in(kTimeOutOnceIn)) {
      run.yield(entry.thread, nullptr);
      return false;
    }
    barriers.at(entry.offset(), "mbarrier.try_wait").waiting.add(entry.thread);
    run.block(entry.thread, {Wait::Kind::kMbarrier, static_cast<uint32_t>(entry.offset()), parity});
  }
  barriers.acquire(entry.offset(), parity, scope, entry.thread);
  return true;
}

}  // namespace

void mbarrier_init(uint32_t bar, uint32_t count) {
  const BarrierEntry entry("mbarrier.init", bar, __builtin_return_address(0));
  entry.barriers().init(entry.offset(), count, entry.thread, entry.pc);
}

void mbarrier_invalidate(uint32_t bar) {
  const BarrierEntry entry("mbarrier.inval", bar, __builtin_return_address(0));
  entry.barriers().invalidate(entry.offset(), entry.thread, entry.pc);
}

void mbarrier_arrive(uint32_t bar) {
  const BarrierEntry entry("mbarrier.arrive", bar, __builtin_return_address(0));
  entry.touch();
  entry.barriers().arrive(entry.offset(), entry.thread);
}

void mbarrier_arrive_expect_tx(uint32_t bar, uint32_t bytes) {
  const BarrierEntry entry("mbarrier.arrive.expect_tx", bar, __builtin_return_address(0));
  entry.touch();
  entry.barriers().expect_bytes(entry.offset(), bytes);
  entry.barriers().arrive(entry.offset(), entry.thread);
}

void mbarrier_expect_tx(uint32_t bar, uint32_t bytes) {
  const BarrierEntry entry("mbarrier.expect_tx", bar, __builtin_return_address(0));
  entry.touch();
  entry.barriers().expect_bytes(entry.offset(), bytes);
}

void mbarrier_arrive_cluster(uint32_t remote_bar) {
  const BarrierEntry entry("mbarrier.arrive.release.cluster", remote_bar, __builtin_return_address(0), true);
  entry.touch();
  entry.barriers().arrive(entry.offset(), entry.thread);
}

bool mbarrier_try_wait_parity(uint32_t bar, uint32_t parity) {
  return try_wait(bar, parity, MemoryScope::kCta, __builtin_return_address(0));
}

bool mbarrier_try_wait_parity_cluster(uint32_t bar, uint32_t parity) {
  return try_wait(bar, parity, MemoryScope::kCluster, __builtin_return_address(0));
}

bool mbarrier_test_wait_parity(uint32_t bar, uint32_t parity) {
  const BarrierEntry entry("mbarrier.test_wait", bar, __builtin_return_address(0));
  if (parity > 1) rule_broken("mbarrier.test_wait: parity %u is not 0 or 1", parity);
  entry.touch();
  Mbarriers& barriers = entry.barriers();
  if (!barriers.complete(entry.offset(), parity)) {
    execution().yield(entry.thread, "mbarrier.test_wait");
    if (!barriers.complete(entry.offset(), parity)) return false;
  }
  barriers.acquire(entry.offset(), parity, MemoryScope::kCta, entry.thread);
  return true;
}

void fence_mbarrier_init() {
  const Entry entry("fence.mbarrier_init");
  entry.cta().mbarriers.fence(entry.thread);
}

void name_barrier(uint32_t bar, const char* name) {
  const BarrierEntry entry("name_barrier", bar, __builtin_return_address(0));
  if (name != nullptr && *name != '\0') entry.barriers().set_name(entry.offset(), name);
}

}  // namespace pallasgen::emulator
