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

void no_such_element(int index, int size) {
  current_thread("fragment");
  rule_broken("element %d of a fragment whose threads hold %d", index, size);
}

void no_such_index(int64_t index, int64_t extent, int axis) {
  rule_broken("index %lld along axis %d of an array that has %lld elements there", static_cast<long long>(index), axis,
              static_cast<long long>(extent));
}

void vectors_do_not_fit(int64_t length, int vector) {
  rule_broken("%d elements at once along %lld that are left of an axis", vector, static_cast<long long>(length));
}

// Grids run one after the other, so what a grid depends on is always complete; only the race clocks know whether the
// thread has waited for it.
void griddepcontrol_wait() {
  Entry entry("griddepcontrol.wait");
  if (execution().dependent()) race::acquire(entry.thread.agent, race::launches());
}
// Dependent launches count as begun from their call, whether or not the launches before them have said this.
void griddepcontrol_launch_dependents() { const Entry entry("griddepcontrol.launch_dependents"); }

}  // namespace pallasgen::emulator

using namespace pallasgen::emulator;

void __trap() {
  current_thread("trap");
  rule_broken("the kernel executed a trap");
}

void __nanosleep(unsigned) {
  Entry entry("nanosleep");
  execution().yield(entry.thread, "nanosleep");
}
