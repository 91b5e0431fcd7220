#pragma once

#include "plan/plan.h"

namespace pallasgen {

// Layout of an entry's member in its slot, as matrix instructions read it.
struct SlotLayout {
  Swizzle swizzle = Swizzle::none;
  Major major = Major::none;
  bool tf32 = false;  // the copies or threads that fill the slot round its elements to tf32
};

}  // namespace pallasgen
