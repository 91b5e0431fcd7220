#pragma once

#include "plan/plan.h"

namespace pallasgen {

// How an entry's member lies in its slot, as instructions read it.
struct SlotLayout {
  Swizzle swizzle = Swizzle::none;
  Major major = Major::none;
  bool tf32 = false;  // rounded to it by whoever fills the slot
};

}  // namespace pallasgen
