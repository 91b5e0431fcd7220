#pragma once
#include <pallasgen/atomic.cuh>

// Run-time checks in a kernel (`checks` of a spec). A status holds, all 0 before the launch, the number of the first
// fault, then the grid point where it was found, one word for each axis.
namespace pallasgen {

// Records the fault unless another one came first.
template <int R>
__device__ __forceinline__ void report_fault(uint32_t* status, uint32_t fault, const int64_t (&point)[R]) {
  if (ptx::atom_cas_global_b32<MemoryOrder::kRelaxed, MemoryScope::kDevice>(status, 0, fault) != 0) return;
#pragma unroll
  for (int axis = 0; axis < R; ++axis) status[1 + axis] = static_cast<uint32_t>(point[axis]);
}
// The same for a grid without axes.
__device__ __forceinline__ void report_fault(uint32_t* status, uint32_t fault) {
  ptx::atom_cas_global_b32<MemoryOrder::kRelaxed, MemoryScope::kDevice>(status, 0, fault);
}

// True if some thread of the launch has found a fault, so that the others need not go on.
__device__ __forceinline__ bool has_fault(const uint32_t* status) {
  return load_ordered<MemoryOrder::kRelaxed>(status) != 0;
}

}  // namespace pallasgen
