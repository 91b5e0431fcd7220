#pragma once
#include <pallasgen/meaning.h>
#include <pallasgen/barrier.cuh>
#include <pallasgen/copy.cuh>
#include <pallasgen/ptx/bulk.cuh>
#include <pallasgen/ptx/sync.cuh>
#include <pallasgen/roles.cuh>

// Copies of blocks that are one run of memory, from arrays in global memory to row-major tiles in shared memory that
// have the block's shape: one instruction of one thread, in units of 16 bytes (PTX ISA, "cp.async.bulk").
//
// `Sizes` are the block's along the axes of the array, outermost first; 1 where it has one index. The caller promises
// that it is a run (after the first size above 1 the block has all of the array, without gaps, and only along that one
// axis may it reach past the end) and that runs and tiles start at a multiple of 16 bytes.
namespace pallasgen {

// Returns how many elements of the block lie inside the array; they come first.
template <int... Sizes, int R>
__device__ __forceinline__ int elements_inside(const BlockPlace<R>& block) {
  static_assert(sizeof...(Sizes) == R);
  constexpr int sizes[] = {Sizes...};
  int inside = 1;
#pragma unroll
  for (int d = 0; d < R; ++d) inside *= block.limit[d] < sizes[d] ? block.limit[d] : sizes[d];
  return inside;
}

// One thread copies a block that lies inside the array. Its bytes complete on `full`, which has to expect them.
template <int... Sizes, class T, int R>
__device__ __forceinline__ void copy_bulk(T* tile, const T* array, const BlockPlace<R>& block, Barrier& full) {
  constexpr uint32_t bytes = static_cast<uint32_t>((Sizes * ... * sizeof(T)));
  static_assert(sizeof...(Sizes) == R && bytes % 16 == 0);
  block.check_array(array);
  ptx::bulk_load(ptx::shared_address(tile), array + block.origin, bytes, full.address());
}
template <int... Sizes, class T, int R>
__device__ __forceinline__ void copy_bulk(T* tile, const T* array, const int64_t (&extents)[R],
                                          const int64_t (&offsets)[R], Barrier& full) {
  copy_bulk<Sizes...>(tile, array, BlockPlace<R>(extents, offsets), full);
}

// The first warp of a warpgroup copies a block that may lie partly outside the array. Its first thread copies the whole
// units inside and makes `full` expect their bytes; the lanes store the rest: elements of the last, broken unit, and
// `outside` past the end. A later arrival of the first thread counts for all lanes.
template <int... Sizes, class T, int R>
PALLASGEN_MEANS("bulk_copy tile full")
__device__ __forceinline__ void copy_bulk_inside(T* tile, const T* array, const BlockPlace<R>& block, Barrier& full,
                                                 T outside) {
  constexpr int elements = (Sizes * ...), unit = 16 / static_cast<int>(sizeof(T));
  static_assert(elements % unit == 0);
  block.check_array(array);
  const T* run = array + block.origin;
  const int inside = elements_inside<Sizes...>(block);
  const int copied = inside / unit * unit;
  if (copied < elements) {
    for (int i = copied + static_cast<int>(threadIdx.x % 32); i < elements; i += 32)
      tile[i] = i < inside ? run[i] : outside;
    fence_async_shared();  // a copy of a later step may overwrite this
  }
  // All lanes have done their stores, and none still waits for the stage to be free when it is filled: a waiting lane
  // would miss that phase once the stage is emptied again.
  ptx::syncwarp();
  if (copied > 0 && is_first_thread_of_warpgroup()) {
    const uint32_t bytes = static_cast<uint32_t>(copied) * static_cast<uint32_t>(sizeof(T));
    full.expect_tx(bytes);
    ptx::bulk_load(ptx::shared_address(tile), run, bytes, full.address());
  }
}
template <int... Sizes, class T, int R>
PALLASGEN_MEANS("bulk_copy tile full")
__device__ __forceinline__ void copy_bulk_inside(T* tile, const T* array, const int64_t (&extents)[R],
                                                 const int64_t (&offsets)[R], Barrier& full, T outside) {
  copy_bulk_inside<Sizes...>(tile, array, BlockPlace<R>(extents, offsets), full, outside);
}

}  // namespace pallasgen
