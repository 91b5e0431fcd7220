#pragma once
#include <cuda_runtime.h>
#include <pallasgen/meaning.h>

#include <cstdint>

namespace pallasgen::ptx {

// Orders this thread's earlier accesses to the CTA's shared memory with later ones of the async proxy (TMA, wgmma).
PALLASGEN_MEANS("proxy_fence")
__device__ __forceinline__ void fence_proxy_async_shared() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// The same for global memory.
__device__ __forceinline__ void fence_proxy_async_global() { asm volatile("fence.proxy.async.global;" ::: "memory"); }

// The same for every state space.
PALLASGEN_MEANS("proxy_fence")
__device__ __forceinline__ void fence_proxy_async() { asm volatile("fence.proxy.async;" ::: "memory"); }

// Makes the barriers that this thread initialised visible to the cluster and to the async proxy.
PALLASGEN_MEANS("barrier_init_fence")
__device__ __forceinline__ void fence_mbarrier_init() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

}  // namespace pallasgen::ptx
