#pragma once
#include <pallasgen/atomic.cuh>

// Operations of all threads of a launch. Its CTAs must all run at the same time, as those of a cooperative launch do.
namespace pallasgen {

// Waits for all threads of the grid and orders their memory accesses. `word` lies in global memory and is 0 before its
// first use; it then serves any number of calls, also by later launches of the same number of CTAs.
__device__ __forceinline__ void grid_sync(uint32_t* word) {
  __syncthreads();
  if (threadIdx.x == 0) {
    // CTA 0 adds what completes the count to 2^31, so that the highest bit flips when the last CTA has come.
    constexpr uint32_t kFlipped = 0x80000000u;
    const uint32_t ctas = gridDim.x * gridDim.y * gridDim.z;
    const uint32_t mine = blockIdx.x + blockIdx.y + blockIdx.z == 0 ? kFlipped - (ctas - 1) : 1;
    const uint32_t before = ptx::atom_add_global_u32<MemoryOrder::kAcqRel, MemoryScope::kDevice>(word, mine);
    while (((before ^ ptx::load_ordered_global_b32<MemoryOrder::kAcquire, MemoryScope::kDevice>(word)) & kFlipped) ==
           0) {
    }
  }
  __syncthreads();
}

// Returns the place of this CTA in the order in which CTAs start, the same for all its threads: CTAs with lower tickets
// run or have ended, so that this one may wait for them. `counter` is 0 before the launch; `slot` is a word of shared
// memory.
__device__ __forceinline__ uint32_t take_ticket(uint32_t* counter, uint32_t& slot) {
  if (threadIdx.x == 0) slot = ptx::atom_add_global_u32<MemoryOrder::kRelaxed, MemoryScope::kDevice>(counter, 1);
  __syncthreads();
  const uint32_t ticket = slot;
  __syncthreads();  // all have read it: the word is free
  return ticket;
}

}  // namespace pallasgen
