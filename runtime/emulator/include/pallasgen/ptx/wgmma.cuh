#pragma once
#include <cuda_runtime.h>
#include <pallasgen/emulator/instructions.h>

#include <cstdint>

namespace pallasgen::ptx {

__device__ __forceinline__ void wgmma_fence() { emulator::wgmma_fence(); }

__device__ __forceinline__ void wgmma_commit_group() { emulator::wgmma_commit_group(); }

template <int N>
__device__ __forceinline__ void wgmma_wait_group() {
  static_assert(N >= 0 && N <= 7);
  emulator::wgmma_wait_group(N);
}

// The compiler moves no use of `r` across it. For registers that wgmma writes asynchronously.
__device__ __forceinline__ void register_fence(float& r) { asm volatile("" : "+m"(r)::"memory"); }
__device__ __forceinline__ void register_fence(int32_t& r) { asm volatile("" : "+m"(r)::"memory"); }
__device__ __forceinline__ void register_fence(uint32_t& r) { asm volatile("" : "+m"(r)::"memory"); }

}  // namespace pallasgen::ptx
