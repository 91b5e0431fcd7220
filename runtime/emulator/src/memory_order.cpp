#include <pallasgen/emulator/builtins.h>
#include <pallasgen/emulator/instructions.h>

#include "current.h"
#include "report.h"

// Fences between proxies, and what ends or delays a thread.
namespace pallasgen::emulator {

void fence_proxy_async(FencedSpace) {
  Entry entry("fence.proxy.async");
  race::join_async_after_generic(entry.thread.agent);
}

// Grids run one after the other, so what a grid depends on is always complete.
void griddepcontrol_wait() {}
void griddepcontrol_launch_dependents() {}

}  // namespace pallasgen::emulator

using namespace pallasgen::emulator;

void __trap() { rule_broken("the kernel executed a trap"); }

void __nanosleep(unsigned) {
  Entry entry("nanosleep");
  execution().yield(entry.thread, "nanosleep");
}
