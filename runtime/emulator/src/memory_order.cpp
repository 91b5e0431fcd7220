#include <pallasgen/emulator/builtins.h>
#include <pallasgen/emulator/instructions.h>

#include "current.h"
#include "report.h"

// Fences, atomics and what else orders memory or ends a thread.
namespace pallasgen::emulator {

void fence_proxy_async(FencedSpace) {
  Entry entry("fence.proxy.async");
  race::join_async_after_generic(entry.thread.agent);
}

void atomic_without_effect() {
  Entry entry("atomic");
  execution().yield(entry.thread, "an atomic operation");
}

namespace {

/// Fences of different threads order what stands before the one with what stands after the other, in the order in which
/// they happen to run; the value that told the second thread to go on must have come through an atomic or volatile
/// access.
void fence_memory() {
  Entry entry("__threadfence");
  race::release(entry.thread.agent, execution().fences);
  race::acquire(entry.thread.agent, execution().fences);
}

}  // namespace

// Grids run one after the other, so what a grid depends on is always complete.
void griddepcontrol_wait() {}
void griddepcontrol_launch_dependents() {}

}  // namespace pallasgen::emulator

using namespace pallasgen::emulator;

void __threadfence_block() { fence_memory(); }
void __threadfence() { fence_memory(); }
void __threadfence_system() { fence_memory(); }

void __trap() { rule_broken("the kernel executed a trap"); }

void __nanosleep(unsigned) {
  Entry entry("nanosleep");
  execution().yield(entry.thread, "nanosleep");
}
