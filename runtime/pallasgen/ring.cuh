#pragma once
#include <cuda_runtime.h>

#include <cstdint>

namespace pallasgen {

// One thread's way round the slots of a ring. The phase flips with each lap, as that of the slots' barriers does:
// consumers wait for `phase` on the full barriers, the producer for `phase ^ 1` on the empty ones, so that its first
// lap passes at once.
template <int Slots>
struct Ring {
  static_assert(Slots >= 1);
  int slot = 0;
  uint32_t phase = 0;

  // The slot that the ring comes to after so many steps, 0 to Slots.
  __host__ __device__ constexpr int after(int steps) const {
    return slot + steps < Slots ? slot + steps : slot + steps - Slots;
  }

  // On to the next slot.
  __host__ __device__ constexpr void advance() {
    if (++slot == Slots) {
      slot = 0;
      phase ^= 1;
    }
  }
};

}  // namespace pallasgen
