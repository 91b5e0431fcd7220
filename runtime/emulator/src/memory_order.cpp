#include <pallasgen/emulator/builtins.h>
#include <pallasgen/emulator/instructions.h>

#include <map>

#include "current.h"
#include "report.h"

// Fences, atomics and what else orders memory or ends a thread.
namespace pallasgen::emulator {

void fence_proxy_async(FencedSpace) {
  Entry entry("fence.proxy.async");
  race::join_async_after_generic(entry.thread.agent);
}

void atomic_begin(const void*, unsigned) { race::enter_runtime(); }

void atomic_end(const void*, unsigned) { const Entry entry("atomic"); }

// Grids run one after the other, so what a grid depends on is always complete.
void griddepcontrol_wait() {}
void griddepcontrol_launch_dependents() {}

}  // namespace pallasgen::emulator

using namespace pallasgen::emulator;

void __threadfence_block() {}
void __threadfence() {}
void __threadfence_system() {}

void __trap() { rule_broken("the kernel executed a trap"); }

void __nanosleep(unsigned) {
  Entry entry("nanosleep");
  execution().yield(entry.thread, "nanosleep");
}
