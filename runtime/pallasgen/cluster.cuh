#pragma once
#include <cuda_runtime.h>
#include <pallasgen/meaning.h>

#include <cstdint>
#include <cstring>
#include <pallasgen/barrier.cuh>
#include <pallasgen/copy_async.cuh>
#include <pallasgen/copy_shared.cuh>
#include <pallasgen/fragment.cuh>
#include <pallasgen/ptx/cluster.cuh>
#include <pallasgen/ptx/smem.cuh>
#include <pallasgen/reduce.cuh>

// CTAs of a cluster that work on one tile together.
namespace pallasgen {

// All threads of a cluster of Ctas CTAs, each of which has its own tile in shared memory, at the same address.
template <int Ctas>
struct WholeCluster {
  // Waits for all threads and makes their writes visible. The first sync of a kernel also proves that every CTA runs:
  // no thread may write to another CTA before it.
  __device__ __forceinline__ void sync() const {
    ptx::cluster_arrive_release();
    ptx::cluster_wait_acquire();
  }
};

// One exchange of a cluster: a warp of each CTA puts values into the shared memory of every CTA, and each CTA waits for
// what it gets on a barrier of its own.
template <int Ctas>
struct ClusterTurn {
  Barrier& arrived;
  int copy;  // number of the buffer that the exchange uses; two alternate
  uint32_t phase;

  // Announces the bytes that this CTA gets in this exchange.
  PALLASGEN_MEANS("cluster")
  __device__ __forceinline__ void expect(uint32_t bytes) const {
    if (threadIdx.x == 0) arrived.arrive_expect_tx(bytes);
  }
  // Writes the value, the same in all lanes of the warp, to `place` of each CTA.
  template <class Word>
  PALLASGEN_MEANS("cluster")
  __device__ __forceinline__ void put(Word& place, Word value) const {
    static_assert(Ctas <= 32 && (sizeof(Word) == 4 || sizeof(Word) == 8));
    const uint32_t cta = threadIdx.x % 32;
    if (cta >= Ctas) return;
    const uint32_t address = ptx::mapa(ptx::shared_address(&place), cta), bar = ptx::mapa(arrived.address(), cta);
    if constexpr (sizeof(Word) == 8) {
      uint64_t bits;
      memcpy(&bits, &value, sizeof bits);
      ptx::store_async_b64(address, bits, bar);
    } else {
      uint32_t bits;
      memcpy(&bits, &value, sizeof bits);
      ptx::store_async_b32(address, bits, bar);
    }
  }
  // Waits until the values of every CTA of the cluster are here.
  PALLASGEN_MEANS("cluster")
  __device__ __forceinline__ void wait() const { arrived.wait_cluster(phase); }
};

// The consecutive exchanges of a cluster. A CTA is at most one exchange ahead of another, since each waits for all of
// an exchange: with two barriers and two buffers, no CTA overwrites values that others still read.
template <int Ctas>
class ClusterExchange {
 public:
  // Opens the barriers and returns when every CTA of the cluster has done so. All threads do so together.
  __device__ __forceinline__ explicit ClusterExchange(Barrier (&arrived)[2]) : arrived_(arrived) { open(); }

  __device__ __forceinline__ ClusterTurn<Ctas> next() {
    const uint32_t turn = turn_++;
    return {arrived_[turn % 2], static_cast<int>(turn % 2), turn / 2 % 2};
  }

 private:
  PALLASGEN_MEANS("cluster")
  __device__ __forceinline__ void open() {
    if (threadIdx.x == 0) {
      for (Barrier& each : arrived_) each.init(1, "arrived");
      fence_barrier_init();
    }
    WholeCluster<Ctas>{}.sync();
  }

  Barrier (&arrived_)[2];
  uint32_t turn_ = 0;
};

// Returns the place of the thread's element e in its CTA's part of a block: the runs of Vector elements of its threads
// are consecutive, in the order of the threads' own runs.
template <class L, int Vector>
__device__ __forceinline__ int place_in_part(int e) {
  constexpr int kOfCta = L::kThreads / L::kCtas;
  return e / Vector * (kOfCta * Vector) + thread_of_group<kOfCta>() * Vector + e % Vector;
}

// copy_async() by Ctas CTAs of Threads threads: each CTA's tile gets the part that its threads copy, and each thread
// reads only what it copied.
template <int Ctas, int Threads, int Vector, int... Extents, class T, int... A, int R, bool Padded, class Gather,
          class... Outside>
PALLASGEN_MEANS("async_copy tile")
__device__ __forceinline__ void copy_async_part(T* tile, const T* array, Axes<A...> axes,
                                                const BlockPlace<R, Padded, Gather>& block, Outside... outside) {
  using L = OfCluster<Ctas, StridedLayout<Threads * Ctas, Vector, Extents...>>;
  constexpr int bytes = Vector * static_cast<int>(sizeof(T));
  static_assert((Extents * ...) % (Threads * Ctas * Vector) == 0, "the CTAs' parts are of one size");
  block.template check_vectors<Vector>();
  block.check_array(array);
#pragma unroll 8
  for (int e = 0; e < L::size; e += Vector) {
    int64_t from;
    T* const to = tile + place_in_part<L, Vector>(e);
    const bool inside = block.template find<L>(axes, e, from);
    if constexpr (sizeof...(Outside) == 0) {
      ptx::cp_async<bytes>(ptx::shared_address(to), array + (inside ? from : 0), inside ? bytes : 0);
    } else if (inside) {
      ptx::cp_async<bytes>(ptx::shared_address(to), array + from, bytes);
    } else {
      store_shared_run(to, run_of<T, Vector>(outside...));
    }
  }
}
template <int Ctas, int Threads, int Vector, int... Extents, class T, int R, bool Padded, class Gather,
          class... Outside>
PALLASGEN_MEANS("async_copy tile")
__device__ __forceinline__
    void copy_async_part(T* tile, const T* array, const BlockPlace<R, Padded, Gather>& block, Outside... outside) {
  copy_async_part<Ctas, Threads, Vector, Extents...>(tile, array, typename AxesUpTo<R>::Type(), block, outside...);
}
template <int Ctas, int Threads, int Vector, int... Extents, class T, int... A, int R, class... Outside>
PALLASGEN_MEANS("async_copy tile")
__device__ __forceinline__ void copy_async_part(T* tile, const T* array, Axes<A...> axes, const int64_t (&extents)[R],
                                                const int64_t (&offsets)[R], Outside... outside) {
  copy_async_part<Ctas, Threads, Vector, Extents...>(tile, array, axes, BlockPlace<R>(extents, offsets), outside...);
}
template <int Ctas, int Threads, int Vector, int... Extents, class T, int R, class... Outside>
PALLASGEN_MEANS("async_copy tile")
__device__ __forceinline__ void copy_async_part(T* tile, const T* array, const int64_t (&extents)[R],
                                                const int64_t (&offsets)[R], Outside... outside) {
  copy_async_part<Ctas, Threads, Vector, Extents...>(tile, array, typename AxesUpTo<R>::Type(),
                                                     BlockPlace<R>(extents, offsets), outside...);
}

// Prefetches to the L2 cache what copy_async_part() of the same arguments copies; as prefetch_block().
template <int Ctas, int Threads, int Vector, int... Extents, class T, int... A, int R, bool Padded, class Gather>
__device__ __forceinline__ void prefetch_part(const T* array, Axes<A...> axes,
                                              const BlockPlace<R, Padded, Gather>& block) {
  using L = OfCluster<Ctas, StridedLayout<Threads * Ctas, Vector, Extents...>>;
  constexpr int sharing = ptx::kCacheLine / (Vector * static_cast<int>(sizeof(T)));  // threads that copy a line
  block.template check_vectors<Vector>();
  block.check_array(array);
#pragma unroll 8
  for (int e = 0; e < L::size; e += Vector) {
    int64_t from;
    if (block.template find<L>(axes, e, from) && threadIdx.x % sharing == 0) ptx::prefetch_l2(array + from);
  }
}
template <int Ctas, int Threads, int Vector, int... Extents, class T, int R, bool Padded, class Gather>
__device__ __forceinline__ void prefetch_part(const T* array, const BlockPlace<R, Padded, Gather>& block) {
  prefetch_part<Ctas, Threads, Vector, Extents...>(array, typename AxesUpTo<R>::Type(), block);
}
template <int Ctas, int Threads, int Vector, int... Extents, class T, int... A, int R>
__device__ __forceinline__ void prefetch_part(const T* array, Axes<A...> axes, const int64_t (&extents)[R],
                                              const int64_t (&offsets)[R]) {
  prefetch_part<Ctas, Threads, Vector, Extents...>(array, axes, BlockPlace<R>(extents, offsets));
}
template <int Ctas, int Threads, int Vector, int... Extents, class T, int R>
__device__ __forceinline__ void prefetch_part(const T* array, const int64_t (&extents)[R],
                                              const int64_t (&offsets)[R]) {
  prefetch_part<Ctas, Threads, Vector, Extents...>(array, typename AxesUpTo<R>::Type(),
                                                   BlockPlace<R>(extents, offsets));
}

// Loads the elements that the thread has copied by copy_async_part() to its CTA's part of a block.
template <int Vector = 0, int Pitch = 0, class T, class L, class M>
  requires(L::kCtas > 0)
PALLASGEN_MEANS("shared_read tile")
__device__ __forceinline__ void load_shared(Fragment<T, L>& x, const M* tile) {
  constexpr int n = Vector > 0 ? Vector : L::kVector;
  static_assert(Pitch == 0 && Stored<M>::kElements == 1);
#pragma unroll
  for (int e = 0; e < x.size; e += n) load_elements<n>(x, e, tile + place_in_part<L, n>(e));
}

// Combines rows that CTAs of a cluster share, each of which has some of each row: every thread gets the combination of
// all. Each CTA combines the parts of its warps and puts the result into the tiles of all. `tile` has two buffers that
// alternate; a row of one has a word of each warp of the CTA and one of each CTA; words are no shorter than T. All
// threads of the cluster take part. Rows that one CTA holds whole take no exchange, since it would not wait for others:
// it could be two exchanges ahead of a CTA and overwrite what that one still reads.
template <class Combine, class T, class L, class Word, int Rows, int Words, int Ctas>
__device__ __forceinline__ void share_rows(Fragment<T, RowSlice<L>>& rows, Word (&tile)[2][Rows][Words],
                                           ClusterTurn<Ctas> turn) {
  constexpr int kThreads = kThreadsOfCta<L>, kWarps = kThreads / 32;
  constexpr int kSharing = L::kLanes / kThreads;  // CTAs that share a row
  static_assert(L::kCtas == Ctas && kSharing > 1, "a reduction inside a CTA takes no turn");
  static_assert(L::kThreadRows == Rows && Words == kWarps + Ctas && sizeof(Word) >= sizeof(T));
  const int rank = thread_of<L>() / kThreads, warp = thread_of_group<kThreads>() / 32;
  Word(&parts)[Rows][Words] = tile[turn.copy];
  turn.expect(Rows * Ctas * sizeof(Word));
  share_rows<Combine>(rows);
#pragma unroll
  for (int r = 0; r < Rows; ++r) {
    if (threadIdx.x % 32 == 0) memcpy(static_cast<void*>(&parts[r][warp]), &rows[r], sizeof rows[r]);
  }
  WholeCta{}.sync();  // each warp's part of the rows is in the tile
#pragma unroll
  for (int r = 0; r < Rows; ++r) {
    if (warp != r % kWarps) continue;
    const T total = fold_warps<Combine, kWarps, T>(&parts[r][0]);
    Word word = {};
    memcpy(static_cast<void*>(&word), &total, sizeof total);
    turn.put(parts[r][kWarps + rank], word);
  }
  turn.wait();
  const int first = kWarps + rank / kSharing * kSharing;
#pragma unroll
  for (int r = 0; r < Rows; ++r) rows[r] = fold_warps<Combine, kSharing, T>(&parts[r][first]);
}

// target[r] = the combination of all elements of row r, in every thread that holds a part of the row; as share_rows().
template <class Combine, int Axis, class T, class S, class L, class Word, int Rows, int Words, int Ctas>
  requires(Axis == L::kRank - 1)
__device__ __forceinline__ void reduce(Fragment<T, S>& target, const Fragment<T, L>& source,
                                       Word (&tile)[2][Rows][Words], ClusterTurn<Ctas> turn) {
  fold_rows<Combine>(target, source);
  share_rows<Combine>(target, tile, turn);
}
template <class Combine, int Axis, class T, class L, class Word, int Rows, int Words, int Ctas>
__device__ __forceinline__ auto reduce(const Fragment<T, L>& source, Word (&tile)[2][Rows][Words],
                                       ClusterTurn<Ctas> turn) {
  Fragment<T, RowSlice<L>> target;
  reduce<Combine, Axis>(target, source, tile, turn);
  return target;
}

}  // namespace pallasgen
