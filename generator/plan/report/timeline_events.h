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

// One event of a role; `use` counts the uses of the ring's slots from 0.
struct RoleEvent {
  EventKind kind;
  int ring = -1;
  int64_t use = 0;
  double share = 0;  // copy: of the bytes that all rings take in one step; mma, compute: of the operations of one step;
                     // store: of one step's stores
  int64_t groups = 0;  // mma_wait: how many may still run
  int64_t step = 0;    // of the role, counted from 0 over all tiles
};

// The bytes that copies or threads bring to a slot; 0 for a ring of entries staged for a store.
double copied_bytes(const RingPlan& ring);

// A role's program as the sequence of its events for the example sizes of the cost model.
struct RoleEvents {
  std::vector<RoleEvent> events;
  int64_t tiles = 0, steps = 0;  // tiles in `events`, and steps per tile
};
// The events of `tiles` tiles, or of fewer if the uses of a ring's slots would exceed 4,096.
RoleEvents role_events(const Plan& plan, const RolePlan& role, int64_t tiles);

}  // namespace pallasgen
