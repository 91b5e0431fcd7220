#pragma once

#include <vector>

#include "plan/plan.h"

namespace pallasgen {

enum class EventKind : uint8_t {
  wait_full,
  wait_empty,
  copy,
  fill,
  mma,
  mma_wait,
  compute,
  store,
  release,
  outside_steps
};

// One event of a role, of the use `use` of a ring's slots, counted from 0.
struct RoleEvent {
  EventKind kind;
  int ring = -1;
  int64_t use = 0;
  double share = 0;  // copy: of the bytes that all rings take in one step; mma, compute: of the operations of one step;
                     // store: of what one step stores
  int64_t groups = 0;  // mma_wait: how many may still run
  int64_t step = 0;    // of the role, counted from 0 over all tiles
};

// The bytes that copies bring to a slot, or threads make; what waits in a slot to be stored moves none to it.
double copied_bytes(const RingPlan& ring);

// A role's program as the sequence of its events for the example sizes of the cost model.
struct RoleEvents {
  std::vector<RoleEvent> events;
  int64_t tiles = 0, steps = 0;  // how many tiles they are, and steps of a tile
};
// `tiles` tiles, or fewer where the uses of a ring's slots would pass 4,096.
RoleEvents role_events(const Plan& plan, const RolePlan& role, int64_t tiles);

}  // namespace pallasgen
