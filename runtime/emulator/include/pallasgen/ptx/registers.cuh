#pragma once
#include <cuda_runtime.h>
#include <pallasgen/emulator/instructions.h>

#include <cstdint>

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

}  // namespace pallasgen::ptx
