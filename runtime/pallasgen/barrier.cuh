#pragma once
#include <pallasgen/ptx/cluster.cuh>
#include <pallasgen/ptx/debug.cuh>
#include <pallasgen/ptx/fence.cuh>
#include <pallasgen/ptx/mbarrier.cuh>
#include <pallasgen/ptx/smem.cuh>
#include <pallasgen/ring.cuh>

namespace pallasgen {

// An mbarrier in shared memory. A phase is complete when all its arrivals came and all bytes it expects were copied;
// then the next one opens and wants the same count. Phases alternate between parity 0 and 1 (PTX ISA, "mbarrier").
struct Barrier {
  uint64_t word;

  // Opens phase 0 for `count` arrivals. One thread does so, then fence_barrier_init() and a CTA or cluster sync before
  // anybody uses the barrier. The name is for the emulator's reports.
  __device__ __forceinline__ void init(uint32_t count, const char* name = "") {
    ptx::mbarrier_init(address(), count);
    ptx::name_barrier(address(), name);
  }

  // Returns when the phase of this parity is complete. Parity 1 of a fresh barrier counts as complete.
  __device__ __forceinline__ void wait(uint32_t phase) {
    while (!ptx::mbarrier_try_wait_parity(address(), phase)) {
    }
  }

  // The wait for a barrier that other CTAs of the cluster arrive on.
  __device__ __forceinline__ void wait_cluster(uint32_t phase) {
    while (!ptx::mbarrier_try_wait_parity_cluster(address(), phase)) {
    }
  }

  // One arrival. Releases what this thread did before to those that wait.
  __device__ __forceinline__ void arrive() { ptx::mbarrier_arrive(address()); }

  // One arrival, and the phase waits for `bytes` of TMA copies too (below 2^20 a phase).
  __device__ __forceinline__ void arrive_expect_tx(uint32_t bytes) { ptx::mbarrier_arrive_expect_tx(address(), bytes); }

  // The phase waits for `bytes` of TMA copies too; no arrival.
  __device__ __forceinline__ void expect_tx(uint32_t bytes) { ptx::mbarrier_expect_tx(address(), bytes); }

  // One arrival on the same barrier of CTA `rank` of the cluster.
  __device__ __forceinline__ void arrive_at(uint32_t rank) { ptx::mbarrier_arrive_cluster(ptx::mapa(address(), rank)); }

  __device__ __forceinline__ uint32_t address() const { return ptx::shared_address(&word); }
};

// What one thread of a producer does before its copies into the ring's current stage: it waits until the stage is free,
// as it is on the first lap, and has its full barrier expect their bytes.
template <int Stages>
__device__ __forceinline__ void producer_acquire(Barrier (&empty)[Stages], Barrier (&full)[Stages],
                                                 const Ring<Stages>& ring, uint32_t bytes) {
  empty[ring.slot].wait(ring.phase ^ 1);
  full[ring.slot].arrive_expect_tx(bytes);
}

// Makes the barriers that this thread initialised known to TMA and to the cluster.
__device__ __forceinline__ void fence_barrier_init() { ptx::fence_mbarrier_init(); }

// Lets TMA and wgmma see what this thread wrote to shared memory; every writing thread does so, then a sync.
__device__ __forceinline__ void fence_async_shared() { ptx::fence_proxy_async_shared(); }
// The same of shared and global memory.
__device__ __forceinline__ void fence_async() { ptx::fence_proxy_async(); }

}  // namespace pallasgen
