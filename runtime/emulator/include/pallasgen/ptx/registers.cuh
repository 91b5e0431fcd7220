#pragma once
#include <cuda_runtime.h>
#include <pallasgen/emulator/instructions.h>

#include <cstdint>
#include <cstring>

namespace pallasgen::ptx {

template <int N>
__device__ __forceinline__ void setmaxnreg_inc() {
  static_assert(N >= 24 && N <= 256 && N % 8 == 0);
  emulator::setmaxnreg(N, /*increase=*/true);
}

template <int N>
__device__ __forceinline__ void setmaxnreg_dec() {
  static_assert(N >= 24 && N <= 256 && N % 8 == 0);
  emulator::setmaxnreg(N, /*increase=*/false);
}

__device__ __forceinline__ uint32_t forgotten(uint32_t v) { return v; }

template <class T>
__device__ __forceinline__ T settled(T v) {
  return v;
}

// A value that no kernel makes by itself: a NaN as a float, or as two of 16 bits.
inline constexpr uint32_t kDiscarded = 0x7fff7fff;
__device__ __forceinline__ void discard(float& r) { memcpy(&r, &kDiscarded, sizeof r); }
__device__ __forceinline__ void discard(int32_t& r) { r = kDiscarded; }
__device__ __forceinline__ void discard(uint32_t& r) { r = kDiscarded; }

}  // namespace pallasgen::ptx
