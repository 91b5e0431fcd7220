#pragma once
#include <cuda_runtime.h>
#include <pallasgen/meaning.h>

#include <cstdint>

namespace pallasgen::ptx {

// Waits at named barrier Id for Threads threads (whole warps). A template argument, because a runtime id makes ptxas
// reserve all 16.
template <int Id, int Threads>
PALLASGEN_MEANS("named_sync Id Threads")
__device__ __forceinline__ void barrier_sync() {
  static_assert(Id >= 0 && Id < 16 && Threads > 0 && Threads % 32 == 0);
  asm volatile("bar.sync %0, %1;" ::"n"(Id), "n"(Threads) : "memory");
}

// Arrives at named barrier Id without waiting.
template <int Id, int Threads>
PALLASGEN_MEANS("named_arrive Id Threads")
__device__ __forceinline__ void barrier_arrive() {
  static_assert(Id >= 0 && Id < 16 && Threads > 0 && Threads % 32 == 0);
  asm volatile("bar.arrive %0, %1;" ::"n"(Id), "n"(Threads) : "memory");
}

// True for one thread of the warp; all 32 take part.
PALLASGEN_MEANS("elect")
__device__ __forceinline__ bool elect_one() {
  uint32_t elected;
  asm volatile("{\n .reg .pred p;\n elect.sync _|p, 0xffffffff;\n selp.b32 %0, 1, 0, p;\n}" : "=r"(elected));
  return elected != 0;
}

// Waits for all 32 threads of the warp and orders their memory accesses.
PALLASGEN_MEANS("warp_sync")
__device__ __forceinline__ void syncwarp() { asm volatile("bar.warp.sync 0xffffffff;" ::: "memory"); }

}  // namespace pallasgen::ptx
