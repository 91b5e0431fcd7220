#pragma once
#include <cuda_runtime.h>
#include <pallasgen/meaning.h>

#include <cstdint>

// Barriers are 8 bytes of shared memory, named by their address in the shared window (PTX ISA, "mbarrier").
namespace pallasgen::ptx {

// Opens phase 0 for `count` arrivals, 1 to 2^20 - 1.
PALLASGEN_MEANS("barrier_init bar count")
__device__ __forceinline__ void mbarrier_init(uint32_t bar, uint32_t count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(count) : "memory");
}

// Frees the 8 bytes for other use.
__device__ __forceinline__ void mbarrier_invalidate(uint32_t bar) {
  asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(bar) : "memory");
}

// Arrives once; this thread's earlier writes are visible to threads that see the phase complete (release, CTA).
PALLASGEN_MEANS("barrier_arrive bar")
__device__ __forceinline__ void mbarrier_arrive(uint32_t bar) {
  asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];" ::"r"(bar) : "memory");
}

// Makes the phase also wait for `bytes` of asynchronous copies, then arrives once.
PALLASGEN_MEANS("barrier_arrive_expect bar bytes")
__device__ __forceinline__ void mbarrier_arrive_expect_tx(uint32_t bar, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"(bytes) : "memory");
}

// Makes the phase also wait for `bytes` of asynchronous copies, without an arrival.
PALLASGEN_MEANS("barrier_expect bar bytes")
__device__ __forceinline__ void mbarrier_expect_tx(uint32_t bar, uint32_t bytes) {
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(bytes) : "memory");
}

// True once the phase of this parity is complete (acquire, CTA); may sleep for a while first.
PALLASGEN_MEANS("barrier_wait bar parity")
__device__ __forceinline__ bool mbarrier_try_wait_parity(uint32_t bar, uint32_t parity) {
  uint32_t done;
  asm volatile(
      "{\n .reg .pred p;\n mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 p, [%1], %2;\n selp.b32 %0, 1, 0, p;\n}"
      : "=r"(done)
      : "r"(bar), "r"(parity)
      : "memory");
  return done != 0;
}

// The same without sleeping.
__device__ __forceinline__ bool mbarrier_test_wait_parity(uint32_t bar, uint32_t parity) {
  uint32_t done;
  asm volatile(
      "{\n .reg .pred p;\n mbarrier.test_wait.parity.acquire.cta.shared::cta.b64 p, [%1], %2;\n selp.b32 %0, 1, 0, "
      "p;\n}"
      : "=r"(done)
      : "r"(bar), "r"(parity)
      : "memory");
  return done != 0;
}

// The same, with sleep, for barriers that other CTAs of the cluster arrive on (acquire, cluster).
PALLASGEN_MEANS("barrier_wait bar parity")
__device__ __forceinline__ bool mbarrier_try_wait_parity_cluster(uint32_t bar, uint32_t parity) {
  uint32_t done;
  asm volatile(
      "{\n .reg .pred p;\n mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;\n"
      " selp.b32 %0, 1, 0, p;\n}"
      : "=r"(done)
      : "r"(bar), "r"(parity)
      : "memory");
  return done != 0;
}

// Arrives once on a barrier of any CTA of the cluster, by its address from mapa (release, cluster).
__device__ __forceinline__ void mbarrier_arrive_cluster(uint32_t remote_bar) {
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(remote_bar) : "memory");
}

}  // namespace pallasgen::ptx
