#pragma once
#include <pallasgen/meaning.h>
#include <pallasgen/types.h>

#include <pallasgen/fragment.cuh>
#include <pallasgen/math.cuh>
#include <pallasgen/run.cuh>
#include <pallasgen/swizzle.cuh>
#include <pallasgen/widen.cuh>

// Copies of blocks between tiles in shared memory and fragments. Vector elements are moved at once.
namespace pallasgen {

// The row-major index of element e in a tile that has the block's shape, or rows of Pitch elements; if Elements share a
// byte, the index of that byte.
template <class L, int Pitch = 0, int Elements = 1>
__device__ __forceinline__ int tile_index(int e) {
  const auto place = L::place(thread_of_group<L::kThreads>(), e);
  int index = 0;
#pragma unroll
  for (int d = 0; d < L::kRank; ++d) {
    constexpr int last = L::kRank - 1;
    const int size = (Pitch > 0 && d == last ? Pitch : L::dim(d)) / (d == last ? Elements : 1);
    // Dividing each coordinate by itself keeps the index a sum of a thread's part and an element's part.
    index = index * size + static_cast<int>(static_cast<unsigned>(place.at[d]) / (d == last ? Elements : 1));
  }
  return index;
}

// Clears the N elements from number `e` on of the fragment.
template <int N, class T, class L>
__device__ __forceinline__ void clear_elements(Fragment<T, L>& x, int e) {
  Run<T, N> none{};
#pragma unroll
  for (int i = 0; i < N; ++i) x[e + i] = none.v[i];
}

// Loads a block from a row-major tile in shared memory, not swizzled, that has the block's shape, or rows of Pitch. The
// tile's elements may be narrower than the fragment's and are widened (widen.cuh).
template <int Vector = 0, int Pitch = 0, class T, class L, class M>
PALLASGEN_MEANS("shared_read tile")
__device__ __forceinline__ void load_shared(Fragment<T, L>& x, const M* tile) {
  constexpr int n = Vector > 0 ? Vector : L::kVector, own = Stored<M>::kElements;
  const int t = thread_of_group<L::kThreads>();
#pragma unroll
  for (int e = 0; e < x.size; e += n) {
    if (!L::contains(t, e))
      clear_elements<n>(x, e);
    else if constexpr (n % own == 0)
      load_elements<n>(x, e, tile + tile_index<L, Pitch, own>(e));
    else
      x[e] = cast<T>(tile_at(tile, tile_index<L, Pitch>(e)));
  }
}

// Loads a block from an operand tile of Rows x Columns elements (see descriptor.cuh), starting at element `first` in
// row-major order. The tile's elements may be narrower than the fragment's.
template <Swizzle S, int Rows, int Columns, int Vector = 0, class T, class L, class M>
PALLASGEN_MEANS("shared_read tile")
__device__ __forceinline__ void load_swizzled(Fragment<T, L>& x, const M* tile, int first = 0) {
  constexpr int own = Stored<M>::kElements, chunk = 16 * own / static_cast<int>(sizeof(M));
  constexpr int wanted = Vector > 0 ? Vector : L::kVector;
  constexpr int n = wanted < chunk ? wanted : chunk;  // swizzles move 16 bytes at a time
  const int t = thread_of_group<L::kThreads>();
#pragma unroll
  for (int e = 0; e < x.size; e += n) {
    if (!L::contains(t, e))
      clear_elements<n>(x, e);
    else if constexpr (own == 1)
      load_elements<n>(x, e, tile + swizzled_index<S, M, Rows, Columns>(first + tile_index<L, Columns>(e)));
    else if constexpr (n % own == 0)
      load_elements<n>(
          x, e, tile + swizzled_index<S, uint8_t, Rows, Columns / own>(first / own + tile_index<L, Columns, own>(e)));
    else
      x[e] = cast<T>(tile_at(tile, swizzled_index<S, M, Rows, Columns>(first + tile_index<L, Columns>(e))));
  }
}

// Returns the elements rounded to tf32, as tensor cores take operands of f32.
template <class L>
__device__ __forceinline__ Fragment<float, L> round_to_tf32(const Fragment<float, L>& x) {
  Fragment<float, L> rounded;
#pragma unroll
  for (int e = 0; e < x.size; ++e) rounded[e] = round_to_tf32(x[e]);
  return rounded;
}

// Clears the rows of a tile that a tensor copy has filled from `first` on, from 0 if it is negative. The tile is
// `Boxes` boxes, each of Rows rows and Elements elements. A row is whole units of 16 bytes; a swizzle permutes only
// units of a row.
template <int Threads, int Boxes, int Rows, int Elements, class T>
PALLASGEN_MEANS("shared_write tile")
__device__ __forceinline__ void clear_rows(T* tile, int64_t first) {
  constexpr int unit = 16 / static_cast<int>(sizeof(T)), units = Elements / Rows / unit;
  static_assert(units * unit * Rows == Elements, "rows are whole units of 16 bytes");
  Run<T, unit> zeros;
#pragma unroll
  for (T& each : zeros.v) each = T{};
  const int from = first > 0 ? static_cast<int>(first) * units : 0;
#pragma unroll 1
  for (int i = 0; i < Boxes; ++i) {
#pragma unroll 1
    for (int at = from + thread_of_group<Threads>(); at < Rows * units; at += Threads)
      store_shared_run(tile + (i * Rows * units + at) * unit, zeros);
  }
}

// Stores a block to an operand tile of Rows x Columns elements, starting at element `first` in row-major order.
template <Swizzle S, int Rows, int Columns, class T, class L>
PALLASGEN_MEANS("shared_write tile")
__device__ __forceinline__ void store_swizzled(const Fragment<T, L>& x, T* tile, int first = 0) {
  constexpr int chunk = 16 / static_cast<int>(sizeof(T)), n = L::kVector < chunk ? L::kVector : chunk;
  const int t = thread_of_group<L::kThreads>();
#pragma unroll
  for (int e = 0; e < x.size; e += n) {
    const Run<T, n> run = run_of<n>(x, e);
    if (L::contains(t, e) && is_owner<L>(t))
      store_shared_run(tile + swizzled_index<S, T, Rows, Columns>(first + tile_index<L, Columns>(e)), run);
  }
}

// The same for the layout of wgmma's accumulators: by stmatrix, or two neighbours at a time.
template <Swizzle S, int Rows, int Columns, class T, int M, int N>
PALLASGEN_MEANS("shared_write tile")
__device__ __forceinline__ void store_swizzled(const Fragment<T, WgmmaLayout<M, N>>& x, T* tile, int first = 0) {
  constexpr int width = swizzle_span(S) / static_cast<int>(sizeof(T));  // columns of a box
  constexpr int n = width % 16 == 0 && N % 16 == 0 ? 16 : 8;
  T* const rows = tile + first / Columns * width;
#pragma unroll
  for (int c = 0; c < N; c += n) {
    const int column = first % Columns + c;
    store_fragment<S>(rows + column / width * (Rows * width), column % width / n, x.template columns<n>(c));
  }
}

// Stores a block to a row-major tile in shared memory, not swizzled, that has the block's shape, or rows of Pitch.
template <int Vector = 0, int Pitch = 0, class T, class L>
PALLASGEN_MEANS("shared_write tile")
__device__ __forceinline__ void store_shared(const Fragment<T, L>& x, T* tile) {
  constexpr int n = Vector > 0 ? Vector : L::kVector;
  const int t = thread_of_group<L::kThreads>();
#pragma unroll
  for (int e = 0; e < x.size; e += n) {
    const Run<T, n> run = run_of<n>(x, e);
    if (L::contains(t, e) && is_owner<L>(t)) store_shared_run(tile + tile_index<L, Pitch>(e), run);
  }
}

// The index of an element in a row-major tile with rows of Columns elements whose columns are loaded as rows: bits 4 to
// 6 of its byte address are xored with row / Together % 8, so that the rows that a warp loads at once lie in different
// banks. The tile starts at a multiple of 128 bytes. Together = 0 permutes nothing.
template <int Together, class T, int Columns>
__host__ __device__ constexpr int transposed_index(int row, int column) {
  const int index = row * Columns + column;
  if constexpr (Together == 0)
    return index;
  else
    return index ^ (static_cast<int>(static_cast<unsigned>(row) / Together % 8) * (16 / static_cast<int>(sizeof(T))));
}

// Stores a matrix to such a tile.
template <int Together, class T, class L>
PALLASGEN_MEANS("shared_write tile")
__device__ __forceinline__ void store_for_transpose(const Fragment<T, L>& x, T* tile) {
  constexpr int chunk = 16 / static_cast<int>(sizeof(T)), n = L::kVector < chunk ? L::kVector : chunk;
  const int t = thread_of_group<L::kThreads>();
#pragma unroll
  for (int e = 0; e < x.size; e += n) {
    const Run<T, n> run = run_of<n>(x, e);
    const Place<2> place = L::place(t, e);
    if (L::contains(t, e) && is_owner<L>(t))
      store_shared_run(tile + transposed_index<Together, T, L::dim(1)>(place.at[0], place.at[1]), run);
  }
}

// Loads the transpose of the matrix in such a tile: rows of x are columns of the tile.
template <int Together, class T, class L>
PALLASGEN_MEANS("shared_read tile")
__device__ __forceinline__ void load_transposed(Fragment<T, L>& x, const T* tile) {
  constexpr int columns = L::dim(0);
  // The rows of a run have the same permutation and are whole lines of 128 bytes apart.
  constexpr bool in_order = Together % L::kVector == 0 && columns * static_cast<int>(sizeof(T)) % 128 == 0;
  constexpr int n = in_order || Together == 0 ? L::kVector : 1;
  const int t = thread_of_group<L::kThreads>();
#pragma unroll
  for (int e = 0; e < x.size; e += n) {
    const Place<2> place = L::place(t, e);
    const T* const from = tile + transposed_index<Together, T, columns>(place.at[1], place.at[0]);
    if (!L::contains(t, e)) {
      clear_elements<n>(x, e);
      continue;
    }
#pragma unroll
    for (int i = 0; i < n; ++i) load_elements<1>(x, e + i, from + i * columns);
  }
}

}  // namespace pallasgen
