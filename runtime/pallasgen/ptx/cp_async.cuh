#pragma once
#include <cuda_runtime.h>
#include <pallasgen/meaning.h>

#include <cstdint>

namespace pallasgen::ptx {

// Copies `source_bytes` (0 to Bytes) from global to shared memory and fills up with zeros; Bytes is 4, 8 or 16.
template <int Bytes>
PALLASGEN_MEANS("async_copy dst")
__device__ __forceinline__ void cp_async(uint32_t dst, const void* src, uint32_t source_bytes) {
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16);
  if constexpr (Bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(dst), "l"(src), "r"(source_bytes) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(dst), "l"(src), "n"(Bytes), "r"(source_bytes)
                 : "memory");
}

// Closes the thread's open group of cp_async.
PALLASGEN_MEANS("async_commit")
__device__ __forceinline__ void cp_async_commit_group() { asm volatile("cp.async.commit_group;" ::: "memory"); }

// Arrives once on the barrier, which counts it, when all cp_async that this thread has started are complete.
PALLASGEN_MEANS("copies_arrive bar")
__device__ __forceinline__ void cp_async_mbarrier_arrive_noinc(uint32_t bar) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(bar) : "memory");
}

// Waits until at most the last N groups of this thread are unfinished.
template <int N>
PALLASGEN_MEANS("async_wait N")
__device__ __forceinline__ void cp_async_wait_group() {
  asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}

}  // namespace pallasgen::ptx
