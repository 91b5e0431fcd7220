#pragma once
#include <pallasgen/types.h>

#include <pallasgen/atomic.cuh>
#include <pallasgen/element.cuh>
#include <pallasgen/fragment.cuh>
#include <pallasgen/ptx/debug.cuh>
#include <pallasgen/run.cuh>

// Copies of blocks between row-major arrays in global memory and fragments, through registers. They are masked: no
// memory outside the array is touched. Extents of the array and offsets of the block are in elements, outermost first.
//
// Vector elements are moved at once. A Vector above 1 is a promise: the array is aligned to Vector elements, and its
// last extent and the block's last offset are multiples of Vector.
namespace pallasgen {

// For each axis of an array, the axis of the value that runs along it; -1 for an axis along which the block has one
// element (squeezed or broadcast). Axes<1> is the row vector and Axes<0> the column vector of a matrix, Axes<1, 0> its
// transpose.
template <int... A>
struct Axes {};

// Along one axis of the array, element r of a gathered block lies at index_of(r), which may be outside.
template <int Axis, class IndexOf>
struct Gathered {
  static constexpr int kAxis = Axis;
  int64_t extent;
  IndexOf index_of;
};
// The elements of the block are consecutive along each axis.
struct NotGathered {
  static constexpr int kAxis = -1;
};

// A block's place in its array, ready for addressing: `origin` is the index of its first element, `limit` the number of
// the array's elements from there on, along each axis. Padded: the block may begin before the array, and along each
// axis its first `first` elements are outside. For a gather, `origin` is where element 0 of the array's axis would lie.
template <int R, bool Padded = false, class Gather = NotGathered>
struct BlockPlace {
  int64_t origin = 0;
  int64_t stride[R];
  int limit[R];
  int first[Padded ? R : 1] = {};
  Gather gather = {};

  // A row-major array.
  __device__ __forceinline__ BlockPlace(const int64_t (&extents)[R], const int64_t (&offsets)[R]) {
    int64_t s = 1;
#pragma unroll
    for (int d = R - 1; d >= 0; --d) {
      stride[d] = s;
      s *= extents[d];
    }
    start(extents, offsets);
  }

  // An array with these strides, in elements; 0 repeats.
  __device__ __forceinline__ BlockPlace(const int64_t (&extents)[R], const int64_t (&offsets)[R],
                                        const int64_t (&strides)[R]) {
#pragma unroll
    for (int d = 0; d < R; ++d) stride[d] = strides[d];
    start(extents, offsets);
  }

  // The same with only the first `sizes` elements of the block along each axis: the others count as outside.
  __device__ __forceinline__ BlockPlace part(const int64_t (&sizes)[R]) const {
    BlockPlace part = *this;
#pragma unroll
    for (int d = 0; d < R; ++d) part.limit[d] = reach(sizes[d] < limit[d] ? sizes[d] : limit[d]);
    return part;
  }

  // The same, at offset 0 along `Axis`, where its elements are index_of(0), index_of(1), ... of the array's `extent`.
  template <int Axis, class IndexOf>
  __device__ __forceinline__ BlockPlace<R, Padded, Gathered<Axis, IndexOf>> gathered(int64_t extent,
                                                                                     IndexOf index_of) const {
    return {*this, {extent, index_of}};
  }
  template <class Other>
  __device__ __forceinline__ BlockPlace(const BlockPlace<R, Padded, Other>& of, Gather how)
      : origin(of.origin), gather(how) {
#pragma unroll
    for (int d = 0; d < R; ++d) {
      stride[d] = of.stride[d];
      limit[d] = of.limit[d];
      if constexpr (Padded) first[d] = of.first[d];
    }
  }

  // Checks the promise of moving Vector elements at once: the rest of the last axis is a multiple of them.
  template <int Vector>
  __device__ __forceinline__ void check_vectors() const {
    if constexpr (Vector > 1)
      if (limit[R - 1] != INT32_MAX) ptx::check_vectors(limit[R - 1], Vector);
  }

  // Checks that the array extends to the last element below `limit`, as extents and strides state.
  template <class T>
  __device__ __forceinline__ void check_array(const T* array) const {
    int64_t end = origin + 1;
    bool known = true;
#pragma unroll
    for (int d = 0; d < R; ++d) {
      known = known && limit[d] > 0 && limit[d] != INT32_MAX;
      end += (limit[d] - 1) * stride[d];
    }
    if (known) ptx::check_reach(array, end, 8 * static_cast<int>(sizeof(T)) / Stored<T>::kElements);
  }

  // Finds the index of this thread's element e; returns whether it is inside the array and the block.
  template <class L, int... A>
  __device__ __forceinline__ bool find(Axes<A...>, int e, int64_t& index) const {
    static_assert(sizeof...(A) == R);
    // This repeats thread_of(): with a call of it, compilers use more registers in kernels without clusters.
    int t;
    if constexpr (requires { L::kCtas; })
      t = thread_of<L>();
    else
      t = thread_of_group<L::kThreads>();
    const auto place = L::place(t, e);
    bool inside = L::contains(t, e);
    index = origin;
    int d = 0;
    const auto along = [&](int axis) {
      const int at = axis < 0 ? 0 : place.at[axis];
      if constexpr (Gather::kAxis >= 0) {
        if (d == Gather::kAxis) {
          const int64_t from = inside ? static_cast<int64_t>(gather.index_of(at)) : -1;
          inside = from >= 0 && from < gather.extent;
          index += from * stride[d++];
          return;
        }
      }
      inside = inside && at < limit[d];
      if constexpr (Padded) inside = inside && at >= first[d];
      index += at * stride[d++];
    };
    (along(A), ...);
    return inside;
  }

 private:
  __device__ __forceinline__ static int reach(int64_t left) {
    return left > INT32_MAX ? INT32_MAX : left < 0 ? 0 : static_cast<int>(left);
  }

  __device__ __forceinline__ void start(const int64_t (&extents)[R], const int64_t (&offsets)[R]) {
#pragma unroll
    for (int d = 0; d < R; ++d) {
      limit[d] = reach(extents[d] - offsets[d]);
      if constexpr (Padded) first[d] = reach(-offsets[d]);
      origin += offsets[d] * stride[d];
    }
  }
};

// The place of a block, for load and store, in an array with strides, or padded.
template <int R>
__device__ __forceinline__ BlockPlace<R> block_at(const int64_t (&extents)[R], const int64_t (&offsets)[R]) {
  return {extents, offsets};
}
template <int R>
__device__ __forceinline__ BlockPlace<R> block_at(const int64_t (&extents)[R], const int64_t (&offsets)[R],
                                                  const int64_t (&strides)[R]) {
  return {extents, offsets, strides};
}
template <int R>
__device__ __forceinline__ BlockPlace<R, true> padded_block_at(const int64_t (&extents)[R],
                                                               const int64_t (&offsets)[R]) {
  return {extents, offsets};
}
template <int R>
__device__ __forceinline__ BlockPlace<R, true> padded_block_at(const int64_t (&extents)[R], const int64_t (&offsets)[R],
                                                               const int64_t (&strides)[R]) {
  return {extents, offsets, strides};
}

// The axes 0, 1, ... of a value, for arrays whose axes are the value's.
template <int R, int... A>
struct AxesUpTo : AxesUpTo<R - 1, R - 1, A...> {};
template <int... A>
struct AxesUpTo<0, A...> {
  using Type = Axes<A...>;
};

template <int... A>
__host__ __device__ constexpr int last_axis(Axes<A...>) {
  int last = -1;
  ((last = A), ...);
  return last;
}

// The number of elements moved at once: that of the call, else the layout's own if its runs lie along memory.
template <int Asked, class L, class A>
inline constexpr int kVectorOf = Asked > 0                        ? Asked
                                 : last_axis(A()) == L::kRank - 1 ? L::kVector
                                                                  : 1;

// Loads a run of elements at an index of an array, or leaves it. A run of more than one 4-bit element is whole bytes.
template <class T, int N, class M>
__device__ __forceinline__ void load_at(Run<T, N>& run, M* array, int64_t index, bool loads = true) {
  if constexpr (Stored<M>::kElements == 1) {
    load_run_if(loads, run, array + index);
  } else if (!loads) {
    return;
  } else if constexpr (N == 1) {
    run.v[0] = from_nibble<T>(load_nibble(array, index));
  } else {
    Run<uint8_t, N / 2> bytes;
    load_run(bytes, reinterpret_cast<const uint8_t*>(array + index / 2));
#pragma unroll
    for (int i = 0; i < N; ++i) run.v[i] = from_nibble<T>(bytes.v[i / 2] >> (i % 2 * 4) & 15);
  }
}
template <class T, int N, class M>
__device__ __forceinline__ void store_at(M* array, int64_t index, const Run<T, N>& run) {
  if constexpr (Stored<M>::kElements == 1) {
    store_run(array + index, run);
  } else if constexpr (N == 1) {
    store_nibble(array, index, to_nibble(run.v[0]));
  } else {
    Run<uint8_t, N / 2> bytes;
#pragma unroll
    for (int i = 0; i < N; i += 2)
      bytes.v[i / 2] = static_cast<uint8_t>(to_nibble(run.v[i]) | to_nibble(run.v[i + 1]) << 4);
    store_run(reinterpret_cast<uint8_t*>(array + index / 2), bytes);
  }
}

// Loads a block; elements outside the array become `outside`. `axes` maps the array's axes to the value's.
template <int Vector = 0, class T, class L, class M, int R, bool Padded, class Gather, int... A>
__device__ __forceinline__ void load(Fragment<T, L>& x, M* array, Axes<A...> axes,
                                     const BlockPlace<R, Padded, Gather>& block,
                                     typename Fragment<T, L>::Element outside = {}) {
  constexpr int n = kVectorOf<Vector, L, Axes<A...>>;
  static_assert(L::kPartSize % n == 0 && kIsSame<T, typename Stored<M>::Element>);
  block.template check_vectors<n>();
  block.check_array(array);
#pragma unroll
  for (int e = 0; e < x.size; e += n) {
    Run<T, n> run;
#pragma unroll
    for (int i = 0; i < n; ++i) run.v[i] = outside;
    int64_t index;
    const bool inside = block.template find<L>(axes, e, index);
    load_at(run, array, index, inside);
#pragma unroll
    for (int i = 0; i < n; ++i) x[e + i] = run.v[i];
  }
}
template <int Vector = 0, class T, class L, class M, int R, int... A>
__device__ __forceinline__ void load(Fragment<T, L>& x, M* array, Axes<A...> axes, const int64_t (&extents)[R],
                                     const int64_t (&offsets)[R], typename Fragment<T, L>::Element outside = {}) {
  load<Vector>(x, array, axes, BlockPlace<R>(extents, offsets), outside);
}

// The same for an array whose axes are the value's.
template <int Vector = 0, class T, class L, class M, int R, bool Padded, class Gather>
__device__ __forceinline__ void load(Fragment<T, L>& x, M* array, const BlockPlace<R, Padded, Gather>& block,
                                     typename Fragment<T, L>::Element outside = {}) {
  static_assert(R == L::kRank);
  load<Vector>(x, array, typename AxesUpTo<R>::Type(), block, outside);
}
template <int Vector = 0, class T, class L, class M, int R>
__device__ __forceinline__ void load(Fragment<T, L>& x, M* array, const int64_t (&extents)[R],
                                     const int64_t (&offsets)[R], typename Fragment<T, L>::Element outside = {}) {
  static_assert(R == L::kRank);
  load<Vector>(x, array, typename AxesUpTo<R>::Type(), BlockPlace<R>(extents, offsets), outside);
}

// Stores a block; elements outside the array are dropped.
template <int Vector = 0, class T, class L, class M, int R, bool Padded, int... A>
__device__ __forceinline__ void store(const Fragment<T, L>& x, M* array, Axes<A...> axes,
                                      const BlockPlace<R, Padded>& block) {
  constexpr int n = kVectorOf<Vector, L, Axes<A...>>;
  static_assert(L::kPartSize % n == 0 && kIsSame<T, typename Stored<M>::Element>);
  block.template check_vectors<n>();
  block.check_array(array);
#pragma unroll
  for (int e = 0; e < x.size; e += n) {
    const Run<T, n> run = run_of<n>(x, e);
    int64_t index;
    if (block.template find<L>(axes, e, index) && x.is_owner()) store_at(array, index, run);
  }
}
template <int Vector = 0, class T, class L, class M, int R, int... A>
__device__ __forceinline__ void store(const Fragment<T, L>& x, M* array, Axes<A...> axes, const int64_t (&extents)[R],
                                      const int64_t (&offsets)[R]) {
  store<Vector>(x, array, axes, BlockPlace<R>(extents, offsets));
}

// The same for an array whose axes are the value's.
template <int Vector = 0, class T, class L, class M, int R, bool Padded>
__device__ __forceinline__ void store(const Fragment<T, L>& x, M* array, const BlockPlace<R, Padded>& block) {
  static_assert(R == L::kRank);
  store<Vector>(x, array, typename AxesUpTo<R>::Type(), block);
}
template <int Vector = 0, class T, class L, class M, int R>
__device__ __forceinline__ void store(const Fragment<T, L>& x, M* array, const int64_t (&extents)[R],
                                      const int64_t (&offsets)[R]) {
  static_assert(R == L::kRank);
  store<Vector>(x, array, typename AxesUpTo<R>::Type(), BlockPlace<R>(extents, offsets));
}

// Combines each element of a block with memory, by an atomic operation; elements outside the array are dropped.
// `combine` takes the place in memory and the element.
template <class T, class L, int R, bool Padded, int... A, class F>
__device__ __forceinline__ void combine_with(const Fragment<T, L>& x, T* array, Axes<A...> axes,
                                             const BlockPlace<R, Padded>& block, F combine) {
  block.check_array(array);
#pragma unroll
  for (int e = 0; e < x.size; ++e) {
    int64_t index;
    if (block.template find<L>(axes, e, index) && x.is_owner()) combine(in_global(array + index), x[e]);
  }
}

#define PALLASGEN_STORE_COMBINED(name, atomic)                                                                         \
  template <int Vector = 1, class T, class L, int R, bool Padded, int... A>                                            \
  __device__ __forceinline__ void name(const Fragment<T, L>& x, T* array, Axes<A...> axes,                             \
                                       const BlockPlace<R, Padded>& block) {                                           \
    static_assert(Vector == 1);                                                                                        \
    combine_with(x, array, axes, block, [](GlobalElement<T> at, T v) { atomic(at, v); });                              \
  }                                                                                                                    \
  template <int Vector = 1, class T, class L, int R, int... A>                                                         \
  __device__ __forceinline__ void name(const Fragment<T, L>& x, T* array, Axes<A...> axes, const int64_t(&extents)[R], \
                                       const int64_t(&offsets)[R]) {                                                   \
    name<Vector>(x, array, axes, BlockPlace<R>(extents, offsets));                                                     \
  }                                                                                                                    \
  template <int Vector = 1, class T, class L, int R, bool Padded>                                                      \
  __device__ __forceinline__ void name(const Fragment<T, L>& x, T* array, const BlockPlace<R, Padded>& block) {        \
    static_assert(R == L::kRank);                                                                                      \
    name<Vector>(x, array, typename AxesUpTo<R>::Type(), block);                                                       \
  }                                                                                                                    \
  template <int Vector = 1, class T, class L, int R>                                                                   \
  __device__ __forceinline__ void name(const Fragment<T, L>& x, T* array, const int64_t(&extents)[R],                  \
                                       const int64_t(&offsets)[R]) {                                                   \
    static_assert(R == L::kRank);                                                                                      \
    name<Vector>(x, array, typename AxesUpTo<R>::Type(), BlockPlace<R>(extents, offsets));                             \
  }                                                                                                                    \
  template <class T, class L>                                                                                          \
  __device__ __forceinline__ void name(const Fragment<T, L>& x, T* array) {                                            \
    static_assert(L::size == 1);                                                                                       \
    if (x.contains(0) && x.is_owner()) atomic(in_global(array), x[0]);                                                 \
  }
// Stores the sum, the minimum or the maximum of memory and the block.
PALLASGEN_STORE_COMBINED(store_add, atomic_add)
PALLASGEN_STORE_COMBINED(store_min, atomic_min)
PALLASGEN_STORE_COMBINED(store_max, atomic_max)
#undef PALLASGEN_STORE_COMBINED

// For an array of rank 0: every element becomes its one element; thread 0 of the group stores it.
template <class T, class L, class M>
__device__ __forceinline__ void load(Fragment<T, L>& x, M* array) {
  Run<T, 1> one;
  load_at(one, array, 0);
  fill(x, one.v[0]);
}
template <class T, class L, class M>
__device__ __forceinline__ void store(const Fragment<T, L>& x, M* array) {
  static_assert(L::size == 1);
  Run<T, 1> one;
  one.v[0] = x[0];
  if (x.contains(0) && x.is_owner()) store_at(array, 0, one);
}

// True if element e of x, a block at `offsets`, is inside an array of these extents.
template <class T, class L, int R>
__device__ __forceinline__ bool is_inside(const Fragment<T, L>&, int e, const int64_t (&extents)[R],
                                          const int64_t (&offsets)[R]) {
  static_assert(R == L::kRank);
  int64_t index;
  return BlockPlace<R>(extents, offsets).template find<L>(typename AxesUpTo<R>::Type(), e, index);
}

}  // namespace pallasgen
