#include <pallasgen/emulator/builtins.h>
#include <pallasgen/emulator/instructions.h>

#include "current.h"
#include "report.h"

// Fences between proxies, and instructions that end or delay a thread.
namespace pallasgen::emulator {

void fence_proxy_async(FencedSpace space) {
  Entry entry("fence.proxy.async");
  if (space != FencedSpace::kGlobal) {
    race::join_async_after_generic(entry.thread.agent, race::Space::kShared);
    entry.cta().mbarriers.fence_proxy(entry.thread);
  }
  if (space != FencedSpace::kShared) race::join_async_after_generic(entry.thread.agent, race::Space::kGlobal);
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

// Grids run one after another, so the grids that one depends on are always complete; only the race clocks record
// whether the thread has waited for them.
void griddepcontrol_wait() {
  Entry entry("griddepcontrol.wait");
  if (!execution().dependent()) return;
  race::acquire(entry.thread.agent, execution().stream().finished());
  race::acquire(execution().read_only(), execution().stream().finished().generic);
}
const void* read_only(const void* p, size_t bytes) {
  Entry entry("ld.global.nc");
  if (entry.cta().shared.contains(p)) rule_broken("ld.global.nc: %p lies in shared memory", p);
  race::Accesses(execution().read_only(), entry.thread.pc).read_unwritten(p, bytes);
  return p;
}

// Dependent launches count as begun from their call, whether or not earlier launches have executed this.
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
