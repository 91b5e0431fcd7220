#pragma once
#include <cuda_runtime.h>

#include <cstdint>

namespace pallasgen {

// One thread's position in a ring of slots. The phase flips each time around, as that of the slots' barriers does:
// consumers wait for `phase` on the full barriers, the producer for `phase ^ 1` on the empty ones, so that it passes
// all of them at once the first time.
template <int Slots>
struct Ring {
  static_assert(Slots >= 1);
  int slot = 0;
  uint32_t phase = 0;

  // The slot after so many steps, 0 to Slots.
  __host__ __device__ constexpr int after(int steps) const {
    return slot + steps < Slots ? slot + steps : slot + steps - Slots;
  }

  // Moves to the next slot.
  __host__ __device__ constexpr void advance() {
    if (++slot == Slots) {
      slot = 0;
      phase ^= 1;
    }
  }
};

}  // namespace pallasgen
