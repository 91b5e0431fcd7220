#pragma once

#include <cstdint>
#include <vector>

#include "plan/number.h"
#include "plan/program_values.h"

// The statements of a role program (program.h) that only order what others do: waits, arrivals and turns.
namespace pallasgen::program {

// Waits on the slot of the ring's current step: consumers for the phase (full), the producer for phase ^ 1 (empty).
struct BarrierWait {
  int barrier;
  int ring;
  bool producer_side;
};

// full[s].arrive_expect_tx(bytes of the ring's slot).
struct ExpectBytes {
  int barrier;
  int ring;
};

// An arrival on the full barrier of a ring that AsyncCopy fill: each thread's once its cp.async are complete, each
// thread's for what it stored to the slot itself, or the leader's when all bulk copies are issued and their bytes
// expected, or all threads of its warpgroup have written their parts, which another role stores.
enum class Filled : uint8_t { copied, stored, issued, staged };
struct ArriveFilled {
  int ring;
  Filled what;
};

// Closes this thread's group of copies, which may be empty, so that groups count steps.
struct CommitCopies {};
// This thread waits until all but the last `groups` groups of its copies are complete: `rings` hold the step.
struct WaitCopies {
  Number groups;
  std::vector<int> rings;
};

// wgmma_wait<groups>: at most `groups` groups of this warpgroup still run.
struct MmaWait {
  Number groups;
  std::vector<int> accumulators = {};  // final now, and operands that are read, so that no use moves up before
};

// The first lane of each warp, or the only thread of its role, arrives on the ring's empty barrier: PTX promises to the
// threads that wait for matrix instructions, and to no others, that these have read the slot.
struct Release {
  int ring;
  ReleaseWhen when;
  int axis;
};

// ring.advance(), where no loop does it in its header.
struct AdvanceRing {
  int ring;
  std::vector<int> with = {};  // rings of the same cursor, which move on too
};

// wait_turn, pass_turn: warpgroups of the role take turns, of which each is between the two. `last`: warpgroup 0 takes
// what the last one has passed; `first`: the last warpgroup passes the first turn.
struct TakeTurn {
  Number groups;
  bool last;
};
struct PassTurn {
  Number groups;
  bool first;
};

}  // namespace pallasgen::program
