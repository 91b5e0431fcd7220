#pragma once
#include <pallasgen/meaning.h>
#include <pallasgen/barrier.cuh>
#include <pallasgen/copy.cuh>
#include <pallasgen/math.cuh>
#include <pallasgen/ptx/cp_async.cuh>
#include <pallasgen/ptx/memory.cuh>

// Copies of blocks from row-major arrays in global memory to row-major tiles in shared memory that have the block's
// shape (a pointer, or a SwizzledTile). A group of Threads threads, which starts at a multiple of 32, shares a copy;
// the block has `Extents` elements along its axes, outermost first, and Vector of them are moved at once: above 1, the
// promise of copy.cuh. A tile is aligned to 16 bytes. Elements of 4 bits (Stored) are moved in even numbers.
namespace pallasgen {

// The bytes of Elements elements in memory of type T.
template <class T, int Elements>
inline constexpr int kBytesOf = Elements * static_cast<int>(sizeof(T)) / Stored<T>::kElements;

// A run of Vector elements of memory of type T, all of which are `value`.
template <class T, int Vector>
__device__ __forceinline__ auto run_of(typename Stored<T>::Element value) {
  static_assert(Vector % Stored<T>::kElements == 0, "whole bytes");
  Run<T, Vector / Stored<T>::kElements> run;
  T whole;
  if constexpr (Stored<T>::kElements > 1) {
    const uint8_t both = static_cast<uint8_t>(to_nibble(value) * 0x11);
    memcpy(static_cast<void*>(&whole), &both, 1);
  } else {
    whole = value;
  }
#pragma unroll
  for (T& each : run.v) each = whole;
  return run;
}

// Visits each run of this thread with its index in the tile, its index in the array and whether it is inside.
template <class L, class T, int... A, int R, bool Padded, class Gather, class Visit>
__device__ __forceinline__ void for_each_run(const T* array, Axes<A...> axes,
                                             const BlockPlace<R, Padded, Gather>& block, Visit visit) {
  block.template check_vectors<L::kVector>();
  block.check_array(array);
  const int t = thread_of_group<L::kThreads>();
#pragma unroll 8
  for (int e = 0; e < L::size; e += L::kVector) {
    int64_t index;
    const bool inside = block.template find<L>(axes, e, index);
    if (L::contains(t, e)) visit(L::linear(t, e), index, inside);
  }
}

// Copies by cp.async: a run is 4, 8 or 16 bytes. Elements outside the array become 0. The copies join the open group.
template <int Threads, int Vector, int... Extents, class Tile, class T, int... A, int R, bool Padded, class Gather>
PALLASGEN_MEANS("async_copy tile")
__device__ __forceinline__ void copy_async(Tile tile, const T* array, Axes<A...> axes,
                                           const BlockPlace<R, Padded, Gather>& block) {
  constexpr int bytes = kBytesOf<T, Vector>, n = Stored<T>::kElements;
  for_each_run<StridedLayout<Threads, Vector, Extents...>>(array, axes, block, [&](int at, int64_t from, bool inside) {
    ptx::cp_async<bytes>(ptx::shared_address(tile + at / n), array + (inside ? from / n : 0), inside ? bytes : 0);
  });
}

// The same; elements outside the array become `outside`, by stores of the thread.
template <int Threads, int Vector, int... Extents, class Tile, class T, int... A, int R, bool Padded, class Gather>
PALLASGEN_MEANS("async_copy tile")
__device__ __forceinline__ void copy_async(Tile tile, const T* array, Axes<A...> axes,
                                           const BlockPlace<R, Padded, Gather>& block,
                                           typename Stored<T>::Element outside) {
  constexpr int bytes = kBytesOf<T, Vector>, n = Stored<T>::kElements;
  for_each_run<StridedLayout<Threads, Vector, Extents...>>(array, axes, block, [&](int at, int64_t from, bool inside) {
    if (inside) {
      ptx::cp_async<bytes>(ptx::shared_address(tile + at / n), array + from / n, bytes);
    } else {
      store_shared_run(tile + at / n, run_of<T, Vector>(outside));
    }
  });
}

// Copies through registers, for runs of less than the 4 bytes that cp.async moves.
template <int Threads, int Vector, int... Extents, class Tile, class T, int... A, int R, bool Padded, class Gather>
PALLASGEN_MEANS("shared_write tile")
__device__ __forceinline__ void copy_through_registers(Tile tile, const T* array, Axes<A...> axes,
                                                       const BlockPlace<R, Padded, Gather>& block,
                                                       typename Stored<T>::Element outside = {}) {
  constexpr int n = Stored<T>::kElements;
  for_each_run<StridedLayout<Threads, Vector, Extents...>>(array, axes, block, [&](int at, int64_t from, bool inside) {
    auto run = run_of<T, Vector>(outside);
    if (inside) load_run(run, array + from / n);
    store_shared_run(tile + at / n, run);
  });
}

// Rounds to tf32, in place, the elements that this thread has copied by copy_async of the same arguments. The thread
// has waited for its copies.
template <int Threads, int Vector, int... Extents, class Tile>
__device__ __forceinline__ void round_copied_to_tf32(Tile tile) {
  using L = StridedLayout<Threads, Vector, Extents...>;
  const int t = thread_of_group<L::kThreads>();
#pragma unroll
  for (int e = 0; e < L::size; e += Vector) {
    if (!L::contains(t, e)) continue;
    Run<float, Vector> run;
    load_shared_run(run, tile + L::linear(t, e));
#pragma unroll
    for (float& x : run.v) x = round_to_tf32(x);
    store_shared_run(tile + L::linear(t, e), run);
  }
}

// With the block's place given as in load(), and for arrays whose axes are the block's.
template <int Threads, int Vector, int... Extents, class Tile, class T, int R, bool Padded, class Gather,
          class... Outside>
PALLASGEN_MEANS("async_copy tile")
__device__ __forceinline__ void copy_async(Tile tile, const T* array, const BlockPlace<R, Padded, Gather>& block,
                                           Outside... outside) {
  copy_async<Threads, Vector, Extents...>(tile, array, typename AxesUpTo<R>::Type(), block, outside...);
}
template <int Threads, int Vector, int... Extents, class Tile, class T, int... A, int R, class... Outside>
PALLASGEN_MEANS("async_copy tile")
__device__ __forceinline__ void copy_async(Tile tile, const T* array, Axes<A...> axes, const int64_t (&extents)[R],
                                           const int64_t (&offsets)[R], Outside... outside) {
  copy_async<Threads, Vector, Extents...>(tile, array, axes, BlockPlace<R>(extents, offsets), outside...);
}
template <int Threads, int Vector, int... Extents, class Tile, class T, int R, class... Outside>
PALLASGEN_MEANS("async_copy tile")
__device__ __forceinline__ void copy_async(Tile tile, const T* array, const int64_t (&extents)[R],
                                           const int64_t (&offsets)[R], Outside... outside) {
  copy_async<Threads, Vector, Extents...>(tile, array, typename AxesUpTo<R>::Type(), BlockPlace<R>(extents, offsets),
                                          outside...);
}
template <int Threads, int Vector, int... Extents, class Tile, class T, int R, bool Padded, class Gather,
          class... Outside>
PALLASGEN_MEANS("shared_write tile")
__device__ __forceinline__ void copy_through_registers(Tile tile, const T* array,
                                                       const BlockPlace<R, Padded, Gather>& block,
                                                       Outside... outside) {
  copy_through_registers<Threads, Vector, Extents...>(tile, array, typename AxesUpTo<R>::Type(), block, outside...);
}
template <int Threads, int Vector, int... Extents, class Tile, class T, int... A, int R, class... Outside>
PALLASGEN_MEANS("shared_write tile")
__device__ __forceinline__ void copy_through_registers(Tile tile, const T* array, Axes<A...> axes,
                                                       const int64_t (&extents)[R], const int64_t (&offsets)[R],
                                                       Outside... outside) {
  copy_through_registers<Threads, Vector, Extents...>(tile, array, axes, BlockPlace<R>(extents, offsets), outside...);
}
template <int Threads, int Vector, int... Extents, class Tile, class T, int R, class... Outside>
PALLASGEN_MEANS("shared_write tile")
__device__ __forceinline__ void copy_through_registers(Tile tile, const T* array, const int64_t (&extents)[R],
                                                       const int64_t (&offsets)[R], Outside... outside) {
  copy_through_registers<Threads, Vector, Extents...>(tile, array, typename AxesUpTo<R>::Type(),
                                                      BlockPlace<R>(extents, offsets), outside...);
}

// Prefetches to the L2 cache what copy_async() of the same arguments copies: one of the threads that copy a line of 128
// bytes does so. A hint, for which nothing waits.
template <int Threads, int Vector, int... Extents, class T, int... A, int R, bool Padded, class Gather>
__device__ __forceinline__ void prefetch_block(const T* array, Axes<A...> axes,
                                               const BlockPlace<R, Padded, Gather>& block) {
  constexpr int n = Stored<T>::kElements, line = ptx::kCacheLine / kBytesOf<T, Vector> * Vector;
  for_each_run<StridedLayout<Threads, Vector, Extents...>>(array, axes, block, [&](int at, int64_t from, bool inside) {
    if (inside && at % line == 0) ptx::prefetch_l2(array + from / n);
  });
}
template <int Threads, int Vector, int... Extents, class T, int R, bool Padded, class Gather>
__device__ __forceinline__ void prefetch_block(const T* array, const BlockPlace<R, Padded, Gather>& block) {
  prefetch_block<Threads, Vector, Extents...>(array, typename AxesUpTo<R>::Type(), block);
}
template <int Threads, int Vector, int... Extents, class T, int... A, int R>
__device__ __forceinline__ void prefetch_block(const T* array, Axes<A...> axes, const int64_t (&extents)[R],
                                               const int64_t (&offsets)[R]) {
  prefetch_block<Threads, Vector, Extents...>(array, axes, BlockPlace<R>(extents, offsets));
}
template <int Threads, int Vector, int... Extents, class T, int R>
__device__ __forceinline__ void prefetch_block(const T* array, const int64_t (&extents)[R],
                                               const int64_t (&offsets)[R]) {
  prefetch_block<Threads, Vector, Extents...>(array, typename AxesUpTo<R>::Type(), BlockPlace<R>(extents, offsets));
}

// Copies the element of an array without axes, which is inside; one of the threads does so.
template <int Threads, int Vector, class T>
PALLASGEN_MEANS("async_copy tile")
__device__ __forceinline__ void copy_async(T* tile, const T* array, T = {}) {
  ptx::check_reach(array, 1, 8 * static_cast<int>(sizeof(T)));
  if (thread_of_group<Threads>() == 0) ptx::cp_async<sizeof(T)>(ptx::shared_address(tile), array, sizeof(T));
}
template <int Threads, int Vector, class T>
PALLASGEN_MEANS("shared_write tile")
__device__ __forceinline__ void copy_through_registers(T* tile, const T* array, T = {}) {
  ptx::check_reach(array, 1, 8 * static_cast<int>(sizeof(T)));
  if (thread_of_group<Threads>() != 0) return;
  Run<T, 1> run;
  load_run(run, array);
  store_shared_run(tile, run);
}

// Closes this thread's group of copies, which may be empty, so that groups count steps.
__device__ __forceinline__ void copy_async_commit() { ptx::cp_async_commit_group(); }

// Waits until all but the last Pending groups of this thread are complete; the thread then sees the copied elements.
template <int Pending>
__device__ __forceinline__ void copy_async_wait() {
  ptx::cp_async_wait_group<Pending>();
}

// Arrives once, as the barrier counts, when all copies that this thread has started are complete.
__device__ __forceinline__ void copy_async_arrive(Barrier& barrier) {
  ptx::cp_async_mbarrier_arrive_noinc(barrier.address());
}

}  // namespace pallasgen
