#pragma once

#include "draft.h"

namespace pallasgen {

// The ring of `operands`, all moved by one axis, with one full and one empty barrier per slot: fields, tensor maps,
// bytes, barriers. `consumers` warpgroups release a slot. Returns its index, -1 after a refusal.
struct RingRequest {
  struct Operand {
    int ref;
    Swizzle swizzle;
    Major major;
  };
  std::vector<Operand> operands;
  int axis = -1;  // -1: moves with the tile
  Number slots;
  Number consumers;
  int delay = 0;
};
int plan_ring(Draft& draft, const RingRequest& request);

// The producer of one ring: waits for a free slot, expects its bytes, issues the copies; a step of `axis`, or -1: a
// tile, at a time.
RolePlan producer_role(const Draft& draft, int ring, int axis);

}  // namespace pallasgen
