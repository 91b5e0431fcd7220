#pragma once
#include <pallasgen/tensor_map.h>
#include <pallasgen/types.h>

#include <pallasgen/barrier.cuh>
#include <pallasgen/ptx/bulk.cuh>
#include <pallasgen/ptx/tensor.cuh>

// Copies of boxes between arrays and shared memory, by one thread. The map defines the box's shape; `at` is the
// coordinates of its first element, outermost first, in elements. A box may extend past any edge of the array.
namespace pallasgen {

// Fetches maps that are not empty, so that the first copies do not wait for them.
template <class... Maps>
__device__ __forceinline__ void prefetch(const Maps&... maps) {
  (ptx::prefetch_tensormap(&maps.map), ...);
}

// Returns a place along an axis as a coordinate, which is an int; a place outside the array stays outside, as extents
// of maps are ints. Boxes begin at whole 16 bytes of a row, so the largest is a multiple of 16.
__device__ __forceinline__ int tma_coordinate(int64_t at) {
  constexpr int kLast = INT32_MAX - 15;
  return at > kLast ? kLast : at < INT32_MIN ? INT32_MIN : static_cast<int>(at);
}

// Copies from array to shared memory. Elements outside become 0. The bytes of the whole box complete on `barrier`.
template <class T, int R>
__device__ __forceinline__ void tma_load(T* dst, const TensorMap& map, const int (&at)[R], Barrier& barrier) {
  static_assert(R >= 1 && R <= 5);
  const uint32_t d = ptx::shared_address(dst), b = barrier.address();
  const int x = at[R - 1] / Stored<T>::kElements;  // in the map, which is of bytes if they hold two elements
  if constexpr (R == 1) ptx::tensor_load_1d(d, &map.map, x, b);
  if constexpr (R == 2) ptx::tensor_load_2d(d, &map.map, x, at[0], b);
  if constexpr (R == 3) ptx::tensor_load_3d(d, &map.map, x, at[1], at[0], b);
  if constexpr (R == 4) ptx::tensor_load_4d(d, &map.map, x, at[2], at[1], at[0], b);
  if constexpr (R == 5) ptx::tensor_load_5d(d, &map.map, x, at[3], at[2], at[1], at[0], b);
}

// Copies a block of Columns columns as boxes of BoxColumns, one copy each; they are consecutive in shared memory. `at`
// is where the first box begins.
template <int Columns, int BoxColumns, class T, int N, int R>
__device__ __forceinline__ void tma_load(T (&dst)[N], const TensorMap& map, const int (&at)[R], Barrier& barrier) {
  constexpr int kBoxes = Columns / BoxColumns;
  static_assert(Columns % BoxColumns == 0 && N % kBoxes == 0, "whole column boxes");
#pragma unroll
  for (int i = 0; i < kBoxes; ++i) {
    int corner[R];
#pragma unroll
    for (int d = 0; d < R; ++d) corner[d] = at[d];
    // A box past the last int is past the end, as one below 0 is.
    corner[R - 1] = static_cast<int>(static_cast<uint32_t>(at[R - 1]) + static_cast<uint32_t>(i * BoxColumns));
    tma_load(&dst[i * (N / kBoxes)], map, corner, barrier);
  }
}

// Copies a box into every CTA of the cluster whose bit is set in `mask`, at the same offset of its shared memory; it
// completes on the same barrier of each.
template <int R>
__device__ __forceinline__ void tma_load_multicast(void* dst, const TensorMap& map, const int (&at)[R],
                                                   Barrier& barrier, uint16_t mask) {
  static_assert(R >= 1 && R <= 5);
  const uint32_t d = ptx::shared_address(dst), b = barrier.address();
  if constexpr (R == 1) ptx::tensor_load_1d_multicast(d, &map.map, at[0], b, mask);
  if constexpr (R == 2) ptx::tensor_load_2d_multicast(d, &map.map, at[1], at[0], b, mask);
  if constexpr (R == 3) ptx::tensor_load_3d_multicast(d, &map.map, at[2], at[1], at[0], b, mask);
  if constexpr (R == 4) ptx::tensor_load_4d_multicast(d, &map.map, at[3], at[2], at[1], at[0], b, mask);
  if constexpr (R == 5) ptx::tensor_load_5d_multicast(d, &map.map, at[4], at[3], at[2], at[1], at[0], b, mask);
}

// Copies from shared memory to an array, whose map is not empty; elements outside are dropped. Writes to `src` need
// fence_async_shared and a sync before.
template <int R>
__device__ __forceinline__ void tma_store(const TensorMap& map, const int (&at)[R], const void* src) {
  static_assert(R >= 1 && R <= 5);
  const uint32_t s = ptx::shared_address(src);
  if constexpr (R == 1) ptx::tensor_store_1d(&map.map, at[0], s);
  if constexpr (R == 2) ptx::tensor_store_2d(&map.map, at[1], at[0], s);
  if constexpr (R == 3) ptx::tensor_store_3d(&map.map, at[2], at[1], at[0], s);
  if constexpr (R == 4) ptx::tensor_store_4d(&map.map, at[3], at[2], at[1], at[0], s);
  if constexpr (R == 5) ptx::tensor_store_5d(&map.map, at[4], at[3], at[2], at[1], at[0], s);
}

// The same, but adds each element to the array's; each addition is atomic.
template <int R>
__device__ __forceinline__ void tma_reduce_add(const TensorMap& map, const int (&at)[R], const void* src) {
  static_assert(R >= 1 && R <= 5);
  const uint32_t s = ptx::shared_address(src);
  if constexpr (R == 1) ptx::tensor_reduce_add_1d(&map.map, at[0], s);
  if constexpr (R == 2) ptx::tensor_reduce_add_2d(&map.map, at[1], at[0], s);
  if constexpr (R == 3) ptx::tensor_reduce_add_3d(&map.map, at[2], at[1], at[0], s);
  if constexpr (R == 4) ptx::tensor_reduce_add_4d(&map.map, at[3], at[2], at[1], at[0], s);
  if constexpr (R == 5) ptx::tensor_reduce_add_5d(&map.map, at[4], at[3], at[2], at[1], at[0], s);
}

// Closes the group of the stores of this thread since its last commit.
__device__ __forceinline__ void tma_store_commit() { ptx::bulk_commit_group(); }

// Waits until at most the last N groups of this thread have not read their shared memory yet.
template <int N>
__device__ __forceinline__ void tma_store_wait_read() {
  ptx::bulk_wait_group_read<N>();
}

// Waits until at most the last N groups of this thread are unfinished: earlier ones are written.
template <int N>
__device__ __forceinline__ void tma_store_wait() {
  ptx::bulk_wait_group<N>();
}

}  // namespace pallasgen
