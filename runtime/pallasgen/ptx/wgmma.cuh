#pragma once
#include <cuda_runtime.h>
#include <pallasgen/meaning.h>

#include <cstdint>

// All four warps of a warpgroup execute each of these, converged.
namespace pallasgen::ptx {

// Orders this warpgroup's register accesses before it with the wgmma instructions after it.
PALLASGEN_MEANS("wgmma_fence")
__device__ __forceinline__ void wgmma_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }

// Closes the open group of wgmma instructions.
PALLASGEN_MEANS("wgmma_commit")
__device__ __forceinline__ void wgmma_commit_group() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }

// Waits until at most the last N groups are unfinished, N from 0 to 7.
template <int N>
PALLASGEN_MEANS("wgmma_wait N")
__device__ __forceinline__ void wgmma_wait_group() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
}

// Emits no instruction: the compiler moves no use of `r` across it. For registers that wgmma writes asynchronously.
__device__ __forceinline__ void register_fence(float& r) { asm volatile("" : "+f"(r)::"memory"); }
__device__ __forceinline__ void register_fence(int32_t& r) { asm volatile("" : "+r"(r)::"memory"); }
__device__ __forceinline__ void register_fence(uint32_t& r) { asm volatile("" : "+r"(r)::"memory"); }

}  // namespace pallasgen::ptx
