#pragma once
#include <cuda_runtime.h>
#include <pallasgen/meaning.h>

#include <cstdint>

// Asynchronous copies of contiguous bytes; addresses and byte counts are multiples of 16.
namespace pallasgen::ptx {

// Global to shared memory; completes `bytes` on `bar`.
PALLASGEN_MEANS("bulk_load dst bytes bar")
__device__ __forceinline__ void bulk_load(uint32_t dst, const void* src, uint32_t bytes, uint32_t bar) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(dst),
               "l"(src), "r"(bytes), "r"(bar)
               : "memory");
}

// Shared to global memory; belongs to the thread's open bulk group.
PALLASGEN_MEANS("tensor_store src")
__device__ __forceinline__ void bulk_store(void* dst, uint32_t src, uint32_t bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(dst), "r"(src), "r"(bytes)
               : "memory");
}

// Closes the thread's open bulk group.
PALLASGEN_MEANS("bulk_commit")
__device__ __forceinline__ void bulk_commit_group() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }

// Waits until at most the last N groups of this thread are unfinished.
template <int N>
PALLASGEN_MEANS("bulk_wait N")
__device__ __forceinline__ void bulk_wait_group() {
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(N) : "memory");
}

// Waits until at most the last N groups of this thread have not yet read their sources.
template <int N>
PALLASGEN_MEANS("bulk_wait_read N")
__device__ __forceinline__ void bulk_wait_group_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(N) : "memory");
}

}  // namespace pallasgen::ptx
