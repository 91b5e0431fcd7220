#pragma once
#include <pallasgen/ptx/griddep.cuh>
#include <pallasgen/ptx/registers.cuh>
#include <pallasgen/ptx/shuffle.cuh>
#include <pallasgen/ptx/sync.cuh>

// Positions and roles of threads. The shuffles show the compiler that a whole warp has the same value.
namespace pallasgen {

// The warpgroup (128 threads) of this thread in the CTA.
__device__ __forceinline__ int warpgroup_index() { return static_cast<int>(ptx::shfl_idx(threadIdx.x / 128, 0)); }

// The warp of this thread in the CTA.
__device__ __forceinline__ int warp_index() { return static_cast<int>(ptx::shfl_idx(threadIdx.x / 32, 0)); }

// The warp of this thread in its warpgroup, 0 to 3.
__device__ __forceinline__ int warp_of_warpgroup() {
  return static_cast<int>(ptx::shfl_idx(threadIdx.x % 128 / 32, 0));
}

// True for one thread of the warp; all 32 threads call it.
__device__ __forceinline__ bool elect_one() { return ptx::elect_one(); }

// True for thread 0 of each warpgroup. Always the same thread, so that it can wait for the bulk copies it issued.
__device__ __forceinline__ bool is_first_thread_of_warpgroup() { return threadIdx.x % 128 == 0; }

// True for thread 0 of each warp.
__device__ __forceinline__ bool is_first_thread_of_warp() { return threadIdx.x % 32 == 0; }

// Raises this warpgroup's registers to N a thread, waiting until others have freed theirs. All its warps call it.
// Ignored unless the kernel has __launch_bounds__(threads, 1).
template <int N>
__device__ __forceinline__ void set_max_registers_up() {
  ptx::setmaxnreg_inc<N>();
}

// Frees all registers of this warpgroup but N a thread for the CTA's pool. All its warps call it.
template <int N>
__device__ __forceinline__ void set_max_registers_down() {
  ptx::setmaxnreg_dec<N>();
}

// Waits until the earlier kernels of the stream have ended and their memory is visible (Grid::dependent_launch).
__device__ __forceinline__ void griddep_wait() { ptx::griddepcontrol_wait(); }

// Lets the next kernel of the stream start its launch while this one runs.
__device__ __forceinline__ void griddep_launch_dependents() { ptx::griddepcontrol_launch_dependents(); }

// The named barriers: 0 is __syncthreads, 1 to 7 are warpgroup_sync's, 8 is consumers_sync's, 9 to 15 are the turns'.
inline constexpr int kFirstWarpgroupBarrier = 1;
inline constexpr int kConsumersBarrier = 8;
inline constexpr int kFirstTurnBarrier = 9;

// Waits for the 128 threads of warpgroup `wg`, 0 <= wg < Groups, in the caller's numbering. A branch chooses its
// barrier, because a runtime barrier id makes ptxas reserve all 16.
template <int Groups>
__device__ __forceinline__ void warpgroup_sync(int wg) {
  static_assert(Groups >= 1 && Groups <= 7);
  if constexpr (Groups == 1) {
    ptx::barrier_sync<kFirstWarpgroupBarrier, 128>();
  } else {
    if (wg == Groups - 1)
      ptx::barrier_sync<kFirstWarpgroupBarrier + Groups - 1, 128>();
    else
      warpgroup_sync<Groups - 1>(wg);
  }
}

// Warpgroups 0 to Groups - 1 take turns in a circle, each with all its threads: `wg` waits until it has the turn, ...
// The last warpgroup passes one before the first turn, and the first waits for one after the last turn, so that every
// barrier ends as it began. `Wg` counts down to `wg`: a branch chooses the barrier.
template <int Groups, int Wg = Groups - 1>
__device__ __forceinline__ void wait_turn(int wg) {
  static_assert(Groups >= 2 && Groups <= 7);
  if constexpr (Wg == 0) {
    ptx::barrier_sync<kFirstTurnBarrier, 256>();
  } else {
    if (wg == Wg)
      ptx::barrier_sync<kFirstTurnBarrier + Wg, 256>();
    else
      wait_turn<Groups, Wg - 1>(wg);
  }
}

// ... and passes it on to the next one.
template <int Groups, int Wg = Groups - 1>
__device__ __forceinline__ void pass_turn(int wg) {
  static_assert(Groups >= 2 && Groups <= 7);
  constexpr int kNext = kFirstTurnBarrier + (Wg + 1) % Groups;
  if constexpr (Wg == 0) {
    ptx::barrier_arrive<kNext, 256>();
  } else {
    if (wg == Wg)
      ptx::barrier_arrive<kNext, 256>();
    else
      pass_turn<Groups, Wg - 1>(wg);
  }
}

// Waits for the Threads threads of all consumer warpgroups.
template <int Threads>
__device__ __forceinline__ void consumers_sync() {
  ptx::barrier_sync<kConsumersBarrier, Threads>();
}

}  // namespace pallasgen
