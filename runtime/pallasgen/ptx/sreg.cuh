#pragma once
#include <cuda_runtime.h>

#include <cstdint>

namespace pallasgen::ptx {

// The thread's place in its warp, 0 to 31.
__device__ __forceinline__ uint32_t lane_id() {
  uint32_t r;
  asm("mov.u32 %0, %%laneid;" : "=r"(r));
  return r;
}

// The CTA's place in its cluster, 0 when the launch has no clusters.
__device__ __forceinline__ uint32_t cluster_ctarank() {
  uint32_t r;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
  return r;
}

// The number of CTAs in the cluster, 1 when the launch has no clusters.
__device__ __forceinline__ uint32_t cluster_nctarank() {
  uint32_t r;
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(r));
  return r;
}

}  // namespace pallasgen::ptx
