#pragma once
#include <cuda_runtime.h>
#include <pallasgen/meaning.h>

#include <cstdint>

namespace pallasgen::ptx {

// This thread's accesses to the CTA's shared memory before it and those of the async proxy (TMA, wgmma) after it.
PALLASGEN_MEANS("proxy_fence")
__device__ __forceinline__ void fence_proxy_async_shared() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// The same for global memory.
__device__ __forceinline__ void fence_proxy_async_global() { asm volatile("fence.proxy.async.global;" ::: "memory"); }

// The same for every state space.
PALLASGEN_MEANS("proxy_fence")
__device__ __forceinline__ void fence_proxy_async() { asm volatile("fence.proxy.async;" ::: "memory"); }

// Barriers that this thread initialised before it are seen initialised by the cluster and by the async proxy.
PALLASGEN_MEANS("barrier_init_fence")
__device__ __forceinline__ void fence_mbarrier_init() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

}  // namespace pallasgen::ptx
