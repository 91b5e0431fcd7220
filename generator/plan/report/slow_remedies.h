#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "plan/plan.h"

namespace pallasgen {

// What a finished plan takes more than twice of, over what the problem needs.
enum class SlowKind : uint8_t {
  sectors,   // of 32 bytes that a warp touches in an access; needed: those that its bytes fill
  accesses,  // of lanes to global memory in a tile; needed: of 16 bytes each
  repeats,   // bytes of a tile that are written to a place that stays; needed: once
  waiting,   // bytes that an SM has under way; needed: what hides the latency of memory
  slots,     // instructions of the ordinary cores in a tile; needed: without accesses to shared memory by elements
  steps,     // instructions in all steps of a tile for what the last one leaves; needed: those of one step
  kept,      // accesses to shared memory of what was to lie in registers; needed: none
};
struct SlowPath {
  SlowKind kind;
  int ref = -1;  // the array; of what is waited for, the largest
  bool reads = false;
  int field = -1;  // slots: of SharedMemory::fields, the one that takes most of them
  double counted = 0, needed = 0;
  double each = 0;   // accesses: bytes of the narrowest
  double share = 0;  // of the kernel's time or bytes
};

// Plans a kernel without words; nothing where it is refused.
using TryPlan = std::function<std::optional<Plan>(const Kernel&)>;

// What a spec could say in place of what it says, and the slow paths of the plan that it then has.
struct TriedChange {
  std::string text;  // "`N: {multiple_of: 8}`"
  bool together;     // several changes
  std::vector<SlowPath> slow;
  double seconds = 0;  // of the model
};

// Plans the kernel with what may mend these paths: with one more fact and with all facts that copies ask for, with
// other stages, with and without a producer, with a statement in the last step alone.
std::vector<TriedChange> tried_changes(const Kernel& kernel, const std::vector<SlowPath>& slow, const TryPlan& plan);

}  // namespace pallasgen
