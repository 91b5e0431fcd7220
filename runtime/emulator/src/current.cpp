#include "current.h"

#include <pthread.h>

#include <atomic>

#include "report.h"

namespace pallasgen::emulator {
namespace {

Execution* running = nullptr;
Thread* thread = nullptr;
// The host thread that runs it; others compare themselves with it before their calls begin. The two are no thread_local
// variables, which are slow in a shared library, or need space that is scarce in a program that loads libraries late.
std::atomic<pthread_t> runner{};

bool runs_here() { return runner.load(std::memory_order_relaxed) == pthread_self(); }

}  // namespace

Execution& execution() {
  if (running == nullptr) rule_broken("device code runs outside a kernel");
  return *running;
}

Execution* execution_or_null() { return runs_here() ? running : nullptr; }
void set_execution(Execution* execution) {
  running = execution;
  runner = execution == nullptr ? pthread_t{} : pthread_self();
}

Thread& current_thread(const char* what, const void* pc) {
  if (thread == nullptr) rule_broken("%s is called outside a kernel", what);
  thread->pc = pc;
  return *thread;
}

Thread* current_thread_or_null() { return runs_here() ? thread : nullptr; }
void set_current_thread(Thread* current) { thread = current; }

std::string describe(const Cta& cta) { return text("CTA (%u,%u,%u)", cta.index.x, cta.index.y, cta.index.z); }

std::string describe(const Thread& thread) {
  return text("thread %d (warpgroup %d, warp %d, lane %d)", thread.index, thread.index / kWarpgroupSize,
              thread.index / kWarpSize, thread.lane);
}

std::string describe_current() {
  if (execution_or_null() == nullptr) return "";
  std::string place = "kernel " + running->kernel();
  if (thread != nullptr) return place + ", " + describe(*thread->cta) + ", " + describe(*thread);
  if (const AsyncOperation* operation = running->async.running()) place += ", " + operation->describe();
  return place;
}

}  // namespace pallasgen::emulator
