#include "deadlock.h"

#include "current.h"
#include "report.h"
#include "source_place.h"

namespace pallasgen::emulator {
namespace {

std::string waits_for(const Thread& thread) {
  const Wait& wait = thread.wait;
  const Cta& cta = *thread.cta;
  if (thread.state == Thread::State::kExited) return "exited";
  switch (wait.kind) {
    case Wait::Kind::kNothing:
      return "can run";
    case Wait::Kind::kMbarrier:
      return text("wait for parity %u of the ", wait.parity) + cta.mbarriers.describe(wait.address);
    case Wait::Kind::kNamedBarrier:
      return "wait at " + cta.named_barriers.describe(wait.number);
    case Wait::Kind::kWarp:
      return text("wait for their warp in %s: lanes 0x%08x of 0x%08x have come", wait.text,
                  thread.warp->exchanges.arrived(wait.text), thread.warp->live);
    case Wait::Kind::kBulkGroups:
      return text("wait until all but %d of their bulk groups are complete", wait.number);
    case Wait::Kind::kBulkReads:
      return text("wait until all but %d of their bulk groups have read", wait.number);
    case Wait::Kind::kCopyGroups:
      return text("wait until all but %d of their cp.async groups are complete", wait.number);
    case Wait::Kind::kMma:
      return "wait for wgmma: " +
             cta.wgmma_units[static_cast<size_t>(thread.index / kWarpgroupSize)]->describe(wait.number);
    case Wait::Kind::kRegisters:
      return text("wait in setmaxnreg.inc for %d registers: the pool has %d left per thread of one warp", wait.number,
                  cta.registers.free());
    case Wait::Kind::kCluster:
      return text("wait at the barrier of the cluster: %d of %d threads have arrived", cta.cluster.barrier.arrived,
                  live_threads(cta.cluster));
    case Wait::Kind::kPoll:
      return text("poll in %s", wait.text);
  }
  return "";
}

std::string waits_for_and_where(const Thread& thread) {
  const bool waits = thread.state != Thread::State::kExited && thread.wait.kind != Wait::Kind::kNothing;
  const std::string place = waits ? source_place(thread.pc) : "";
  return waits_for(thread) + (place.empty() ? "" : ", at " + place);
}

std::string list_threads(const Execution& execution) {
  std::string list;
  for (const Cta* cta : execution.ctas()) {
    list += "\n  " + describe(*cta);
    const std::vector<Thread>& threads = cta->threads;
    for (size_t first = 0; first < threads.size();) {
      const std::string what = waits_for_and_where(threads[first]);
      size_t end = first + 1;
      while (end < threads.size() && waits_for_and_where(threads[end]) == what) ++end;
      list += end - first == 1 ? text("\n    thread %zu", first) : text("\n    threads %zu-%zu", first, end - 1);
      list += text(" (warp%s %zu", first / kWarpSize == (end - 1) / kWarpSize ? "" : "s", first / kWarpSize);
      if (first / kWarpSize != (end - 1) / kWarpSize) list += text("-%zu", (end - 1) / kWarpSize);
      list += "): " + what;
      first = end;
    }
  }
  return list;
}

}  // namespace

void report_deadlock(const Execution& execution) {
  fail(kExitDeadlock, "no thread can go on and no asynchronous work is left" + list_threads(execution));
}

void report_polling(const Execution& execution, const Thread& thread) {
  fail(kExitNoProgress, text("threads have polled %llu times in a row without effect, thread %d among them",
                             static_cast<unsigned long long>(execution.options().poll_limit), thread.index) +
                            list_threads(execution));
}

void report_idling(const Execution& execution, const Thread& thread) {
  fail(kExitNoProgress,
       text("threads go round and meet, and nothing else happens, thread %d among them", thread.index) +
           list_threads(execution));
}

}  // namespace pallasgen::emulator
