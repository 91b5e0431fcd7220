#pragma once

#include <cstdint>
#include <vector>

#include "plan/number.h"
#include "plan/program_values.h"

// Statements of a role program (program.h) that only order others: waits, arrivals and turns.
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

// The event that an arrival on the full barrier of a ring signals. Each thread arrives once its cp.async are complete
// (copied) or once it has stored its elements (stored); the leader arrives once all bulk copies are issued and their
// bytes expected (issued), or once its warpgroup has written its part, which another role stores (staged).
enum class Filled : uint8_t { copied, stored, issued, staged };
struct ArriveFilled {
  int ring;
  Filled what;
};

// Closes this thread's group of copies, which may be empty, so that groups count steps.
struct CommitCopies {};
// This thread waits until all but the last `groups` groups of its copies are complete. `rings` then hold the step.
struct WaitCopies {
  Number groups;
  std::vector<int> rings;
};

// wgmma_wait<groups>: waits until at most `groups` groups of this warpgroup still run.
struct MmaWait {
  Number groups;
  std::vector<int> accumulators = {};  // complete after it, with operands read until then: no use moves up before it
};

// The first lane of each warp, or the only thread of its role, arrives on the ring's empty barrier. Every warp does:
// PTX guarantees only to threads that wait for matrix instructions that these have read the slot.
struct Release {
  int ring;
  ReleaseWhen when;
  int axis;
};

// ring.advance(), if no loop does it in its header.
struct AdvanceRing {
  int ring;
  std::vector<int> with = {};  // rings of the same cursor, which advance too
};

// wait_turn, pass_turn: warpgroups of the role take turns, and a turn lasts from the first to the second. `last`:
// warpgroup 0 takes the turn that the last warpgroup has passed; `first`: the last warpgroup passes the first turn.
struct TakeTurn {
  Number groups;
  bool last;
};
struct PassTurn {
  Number groups;
  bool first;
};

}  // namespace pallasgen::program
