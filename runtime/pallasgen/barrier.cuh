#pragma once
#include <pallasgen/ptx/cluster.cuh>
#include <pallasgen/ptx/debug.cuh>
#include <pallasgen/ptx/fence.cuh>
#include <pallasgen/ptx/mbarrier.cuh>
#include <pallasgen/ptx/smem.cuh>
#include <pallasgen/ring.cuh>

namespace pallasgen {

// An mbarrier in shared memory. A phase completes once all its arrivals came and all bytes it expects were copied; then
// the next one opens, with the same count. Phases alternate between parity 0 and 1 (PTX ISA, "mbarrier").
struct Barrier {
  uint64_t word;

  // Opens phase 0 for `count` arrivals. One thread does so; fence_barrier_init() and a CTA or cluster sync follow
  // before any thread uses the barrier. The emulator's reports use the name.
  __device__ __forceinline__ void init(uint32_t count, const char* name = "") {
    ptx::mbarrier_init(address(), count);
    ptx::name_barrier(address(), name);
  }

  // Returns when the phase of this parity is complete. Parity 1 of a fresh barrier counts as complete.
  __device__ __forceinline__ void wait(uint32_t phase) {
    while (!ptx::mbarrier_try_wait_parity(address(), phase)) {
    }
  }

  // Waits for a barrier that other CTAs of the cluster arrive on.
  __device__ __forceinline__ void wait_cluster(uint32_t phase) {
    while (!ptx::mbarrier_try_wait_parity_cluster(address(), phase)) {
    }
  }

  // Arrives once. Releases this thread's earlier writes to the threads that wait.
  __device__ __forceinline__ void arrive() { ptx::mbarrier_arrive(address()); }

  // Arrives once, and the phase also waits for `bytes` of TMA copies (below 2^20 a phase).
  __device__ __forceinline__ void arrive_expect_tx(uint32_t bytes) { ptx::mbarrier_arrive_expect_tx(address(), bytes); }

  // Makes the phase also wait for `bytes` of TMA copies, without an arrival.
  __device__ __forceinline__ void expect_tx(uint32_t bytes) { ptx::mbarrier_expect_tx(address(), bytes); }

  // Arrives once on the same barrier of CTA `rank` of the cluster.
  __device__ __forceinline__ void arrive_at(uint32_t rank) { ptx::mbarrier_arrive_cluster(ptx::mapa(address(), rank)); }

  __device__ __forceinline__ uint32_t address() const { return ptx::shared_address(&word); }
};

// Called by one thread of a producer before its copies into the ring's current stage: waits until the stage is free, as
// each is the first time, and makes its full barrier expect `bytes`.
template <int Stages>
__device__ __forceinline__ void producer_acquire(Barrier (&empty)[Stages], Barrier (&full)[Stages],
                                                 const Ring<Stages>& ring, uint32_t bytes) {
  empty[ring.slot].wait(ring.phase ^ 1);
  full[ring.slot].arrive_expect_tx(bytes);
}

// Makes the barriers that this thread initialised visible to TMA and to the cluster.
__device__ __forceinline__ void fence_barrier_init() { ptx::fence_mbarrier_init(); }

// Makes this thread's writes to shared memory visible to TMA and wgmma; every writing thread calls it, then a sync.
__device__ __forceinline__ void fence_async_shared() { ptx::fence_proxy_async_shared(); }
// The same for shared and global memory.
__device__ __forceinline__ void fence_async() { ptx::fence_proxy_async(); }

}  // namespace pallasgen
