#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "plan/plan.h"

namespace pallasgen {

// The resource of which a finished plan uses more than twice as much as the problem needs.
enum class SlowKind : uint8_t {
  sectors,   // of 32 bytes that a warp touches in an access; needed: those that its bytes fill
  accesses,  // of lanes to global memory in a tile; needed: of 16 bytes each
  repeats,   // bytes of a tile that are written to the same place repeatedly; needed: once
  waiting,   // bytes that an SM has in flight; needed: enough to hide the latency of memory
  slots,     // instructions of the SIMT cores in a tile; needed: without elementwise accesses to shared memory
  steps,     // instructions in all steps of a tile for a value of the last one; needed: those of one step
  kept,      // accesses to shared memory for scratch of space `reg`; needed: none
};
struct SlowPath {
  SlowKind kind;
  int ref = -1;  // the array; for `waiting`, the largest
  bool reads = false;
  int field = -1;  // slots: index in SharedMemory::fields of the field with the most of them
  double counted = 0, needed = 0;
  double each = 0;   // accesses: bytes of the narrowest one
  double share = 0;  // of the kernel's time or bytes
};

// Plans a kernel without diagnostics; nothing if it is refused.
using TryPlan = std::function<std::optional<Plan>(const Kernel&)>;

// A change of the spec, and the slow paths of the changed kernel's plan.
struct TriedChange {
  std::string text;  // "`N: {multiple_of: 8}`"
  bool together;     // several changes at once
  std::vector<SlowPath> slow;
  double seconds = 0;  // by the cost model
};

// Plans the kernel with each change that may fix these paths: one more fact, all facts that copies need, other stages,
// with or without a producer, or a statement in the last step only.
std::vector<TriedChange> tried_changes(const Kernel& kernel, const std::vector<SlowPath>& slow, const TryPlan& plan);

}  // namespace pallasgen
