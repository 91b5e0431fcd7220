#pragma once
#include <pallasgen/combine.cuh>
#include <pallasgen/copy_shared.cuh>
#include <pallasgen/fragment.cuh>
#include <pallasgen/layout.cuh>
#include <pallasgen/roles.cuh>
#include <type_traits>

// Reductions along an axis of a block in registers. The layout alone determines which elements are combined in which
// order: for rows, each thread folds its own elements in order, lanes fold in halves, then the warps in order, or in
// halves if they are 32 or more. Columns whose rows are dealt to threads round robin fold in halves throughout, so that
// the order does not depend on the number of threads.
namespace pallasgen {

// The threads that share a tile: all of the CTA, warpgroup `wg` of Groups, or all of these, this one being `wg`.
struct WholeCta {
  static constexpr int wg = 0;
  __device__ __forceinline__ void sync() const { __syncthreads(); }
};
template <int Groups>
struct OneWarpgroup {
  int wg;
  __device__ __forceinline__ void sync() const { warpgroup_sync<Groups>(wg); }
};
template <int Groups>
struct AllWarpgroups {
  int wg;
  __device__ __forceinline__ void sync() const { consumers_sync<128 * Groups>(); }
};

// True if element e of a thread is one of its row. A row that is not contained also gets a result, which is not used.
template <class L>
__device__ __forceinline__ bool is_in_row(int e) {
  if constexpr (requires { L::contains_column(0, 0); })
    return L::contains_column(thread_of<L>(), L::column_slot(e));
  else
    return L::contains(thread_of<L>(), e);
}

// Continues the results of each thread's rows: target[r] = target[r] and then its own elements of row r, in order.
template <class Combine, class T, class S, class L>
__device__ __forceinline__ void fold_onto_rows(Fragment<T, S>& target, const Fragment<T, L>& source) {
  static_assert(S::size == L::kThreadRows && S::kThreads == L::kThreads);
#pragma unroll
  for (int e = 0; e < source.size; ++e) {
    T& total = target[source.row_slot(e)];
    if (is_in_row<L>(e)) total = Combine::combine(total, source[e]);
  }
}

// Folds each thread's part of its rows: target[r] = the combination of its own elements of row r.
template <class Combine, class T, class S, class L>
__device__ __forceinline__ void fold_rows(Fragment<T, S>& target, const Fragment<T, L>& source) {
  fill(target, Combine::template neutral<T>());
  fold_onto_rows<Combine>(target, source);
}

// Folds each thread's columns in one of its parts: target[c] = the combination of its elements of column c.
template <class Combine, class T, class S, class L>
__device__ __forceinline__ void fold_columns(Fragment<T, S>& target, const Fragment<T, L>& source, int part) {
  fill(target, Combine::template neutral<T>());
#pragma unroll
  for (int e = part * L::kPartSize; e < (part + 1) * L::kPartSize; ++e) {
    T& total = target[source.column_slot(e)];
    if (source.contains(e)) total = Combine::combine(total, source[e]);
  }
}

// The lanes of one warp that share a row of a matrix of layout L combine their parts of it.
template <class Combine, class T, class L>
__device__ __forceinline__ void share_rows(Fragment<T, RowSlice<L>>& rows) {
#pragma unroll
  for (int r = 0; r < rows.size; ++r) {
#pragma unroll
    for (int mask = (L::kLanes < 32 ? L::kLanes : 32) / 2; mask > 0; mask /= 2)
      rows[r] = Combine::combine(rows[r], shuffle_xor(rows[r], mask));
  }
}

// Folds each warp's part of its rows, in each of its lanes.
template <class Combine, class T, class S, class L>
__device__ __forceinline__ void reduce_in_warp(Fragment<T, S>& target, const Fragment<T, L>& source) {
  fold_rows<Combine>(target, source);
  share_rows<Combine>(target);
}

// target[r] = the combination of all elements of row r, in every thread that holds a part of the row. All threads of
// the layout take part. For rows within a warp.
template <class Combine, int Axis, class T, class S, class L>
  requires(Axis == L::kRank - 1)
__device__ __forceinline__ void reduce(Fragment<T, S>& target, const Fragment<T, L>& source) {
  static_assert(L::kLanes <= 32);
  reduce_in_warp<Combine>(target, source);
}

// Combines the parts that the warps of a row have: in order, or, for 32 and more, every 32nd one in each lane and then
// the lanes in halves. The parts are stored in words of at least their size.
template <class Combine, int Warps, class T, class Word>
__device__ __forceinline__ T fold_warps(const Word* parts) {
  constexpr bool kByLanes = Warps >= 32;
  constexpr int kStep = kByLanes ? 32 : 1;
  if constexpr (kByLanes) parts += threadIdx.x % 32;
  const auto part = [&](int w) {
    T value;
    memcpy(static_cast<void*>(&value), &parts[w], sizeof value);
    return value;
  };
  T total = part(0);
#pragma unroll
  for (int w = kStep; w < Warps; w += kStep) total = Combine::combine(total, part(w));
  if constexpr (kByLanes) total = reduce_lanes<Combine>(total);
  return total;
}

// The same for rows that several warps of a CTA share, through `tile`, which holds a value of each row from each warp
// of the CTA. When the function returns other threads may still read the tile.
template <class Combine, class T, class L, class Threads = WholeCta>
__device__ __forceinline__ void share_rows(Fragment<T, RowSlice<L>>& rows,
                                           T (&tile)[L::kThreadRows][kThreadsOfCta<L> / 32], Threads threads = {}) {
  static_assert(L::kLanes > 32);
  static_assert(L::kLanes <= kThreadsOfCta<L>, "rows that CTAs of a cluster share take a turn at their exchanges");
  const int t = thread_of_group<kThreadsOfCta<L>>();
  share_rows<Combine>(rows);
#pragma unroll
  for (int r = 0; r < rows.size; ++r) {
    if (t % 32 == 0) tile[r][t / 32] = rows[r];
  }
  threads.sync();  // each warp's part of its rows is in the tile
  const int first = t / L::kLanes * (L::kLanes / 32);
#pragma unroll
  for (int r = 0; r < rows.size; ++r) rows[r] = fold_warps<Combine, L::kLanes / 32, T>(&tile[r][first]);
}

// For rows that several warps share, through `tile` as in share_rows().
template <class Combine, int Axis, class T, class S, class L, class Threads = WholeCta>
  requires(Axis == L::kRank - 1)
__device__ __forceinline__ void reduce(Fragment<T, S>& target, const Fragment<T, L>& source,
                                       T (&tile)[L::kThreadRows][kThreadsOfCta<L> / 32], Threads threads = {}) {
  fold_rows<Combine>(target, source);
  share_rows<Combine>(target, tile, threads);
}

// The same for rows whose columns are divided among Groups warpgroups, in the order of one warpgroup that has all
// columns: each continues from the result of those before it, through `tile`, which holds a value of each row from each
// of its threads. All warpgroups get the last one's result. When a function returns other threads may still read the
// tile.
template <class Combine, class T, class S, class L, int Groups>
__device__ __forceinline__ void fold_rows(Fragment<T, S>& target, const Fragment<T, L>& source,
                                          T (&tile)[S::size][L::kThreads], AllWarpgroups<Groups> groups) {
  const int t = thread_of<L>();
  fill(target, Combine::template neutral<T>());
#pragma unroll
  for (int g = 0; g < Groups; ++g) {
    if (g == groups.wg) {
#pragma unroll
      for (int r = 0; r < target.size && g > 0; ++r) target[r] = tile[r][t];
      fold_onto_rows<Combine>(target, source);
#pragma unroll
      for (int r = 0; r < target.size; ++r) tile[r][t] = target[r];
    }
    groups.sync();  // the rows of the warpgroups so far are in the tile
  }
#pragma unroll
  for (int r = 0; r < target.size; ++r) target[r] = tile[r][t];
}
template <class Combine, int Axis, class T, class S, class L, int Groups>
  requires(Axis == 1 && L::kRank == 2 && !requires { L::kGroups; })
__device__ __forceinline__ void reduce(Fragment<T, S>& target, const Fragment<T, L>& source,
                                       T (&tile)[S::size][L::kThreads], AllWarpgroups<Groups> groups) {
  fold_rows<Combine>(target, source, tile, groups);
  share_rows<Combine>(target);
}

// Combines two elements, rounded: the compiler does not contract it with a product into an fma.
template <class Combine, class T>
__device__ __forceinline__ T combine_rounded(T a, T b) {
  if constexpr (std::is_same_v<Combine, Sum> && std::is_same_v<T, float>)
    return __fadd_rn(a, b);
  else if constexpr (std::is_same_v<Combine, Sum> && std::is_same_v<T, double>)
    return __dadd_rn(a, b);
  else
    return Combine::combine(a, b);
}

// Combines the first Left of some values: folds the upper half onto the lower one, whose size is a power of two, until
// one is left. Otherwise threads that have more of the values would contract more products into fmas.
template <class Combine, int Left, class T, int Count>
__device__ __forceinline__ T fold_halves(T (&values)[Count]) {
  if constexpr (Left > 1) {
    constexpr int kHalf = 1 << (31 - __builtin_clz(Left - 1));
#pragma unroll
    for (int i = kHalf; i < Left; ++i) values[i - kHalf] = combine_rounded<Combine>(values[i - kHalf], values[i]);
    return fold_halves<Combine, kHalf>(values);
  } else {
    return values[0];
  }
}

// target[c] = the combination of the thread's elements of column c, folded in halves.
template <class Combine, class T, class S, int N, int Lanes, int Vector, int Rows, int Cols>
__device__ __forceinline__ void fold_columns_in_halves(
    Fragment<T, S>& target, const Fragment<T, RowsLayout<N, Lanes, Vector, Rows, Cols>>& source) {
  constexpr int kColumns = S::size, kRows = RowsLayout<N, Lanes, Vector, Rows, Cols>::kThreadRows;
#pragma unroll
  for (int c = 0; c < kColumns; ++c) {
    T values[kRows];
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const int e = r * kColumns + c;
      values[r] = source.contains(e) ? source[e] : Combine::template neutral<T>();
    }
    // Rows that the block lacks change nothing; the neutral value gives a sum of zeros a fixed sign.
    target[c] = Combine::combine(Combine::template neutral<T>(), fold_halves<Combine, kRows>(values));
  }
}

// Combines, in each lane, the parts of each column that its warp's groups of Lanes threads have.
template <class Combine, int Lanes, class T, class S>
__device__ __forceinline__ void share_columns_in_warp(Fragment<T, S>& target) {
#pragma unroll
  for (int c = 0; c < target.size; ++c) {
#pragma unroll
    for (int mask = 16; mask >= Lanes; mask /= 2) target[c] = Combine::combine(target[c], shuffle_xor(target[c], mask));
  }
}

// target[c] = the combination of all elements of column c, whose rows are dealt to threads round robin, in every thread
// that holds a part of the column. Rows are folded in halves, the upper onto the lower: those of each thread, then the
// warps' by some of the threads, then those of a warp's groups. The order is the same for all powers of two of groups.
// For columns within a warp: no thread waits for another warp.
template <class Combine, int Axis, class T, class S, int N, int Lanes, int Vector, int Rows, int Cols>
  requires(Axis == 0)
__device__ __forceinline__ void reduce(Fragment<T, S>& target,
                                       const Fragment<T, RowsLayout<N, Lanes, Vector, Rows, Cols>>& source) {
  static_assert(N <= (Lanes < 32 ? 32 : Lanes));
  fold_columns_in_halves<Combine>(target, source);
  share_columns_in_warp<Combine, Lanes>(target);
}

// The same if several warps have parts of a column: `tile` holds a value of each column from each group of Lanes
// threads, or, if the groups are no power of two, from each row, which keeps the order independent of their number. It
// starts at a multiple of the bytes of Vector elements, or of 16. When the function returns other threads may still
// read the tile.
template <class Combine, int Axis, class T, class S, int N, int Lanes, int Vector, int Rows, int Cols, int Lines,
          class Threads = WholeCta>
  requires(Axis == 0)
__device__ __forceinline__ void reduce(Fragment<T, S>& target,
                                       const Fragment<T, RowsLayout<N, Lanes, Vector, Rows, Cols>>& source,
                                       T (&tile)[Lines][Cols], Threads threads = {}) {
  constexpr int kOfWarp = Lanes < 32 ? 32 / Lanes : 1;     // groups of a warp
  constexpr int kParts = (Lines + kOfWarp - 1) / kOfWarp;  // parts of a column: warps, or groups of several
  constexpr bool kByRows = Lines != N / Lanes;
  static_assert(N / Lanes > kOfWarp && (!kByRows || (Lines == Rows && Rows > kOfWarp)));
  const int t = thread_of_group<N>(), group = t / Lanes;
  if constexpr (kByRows) {
#pragma unroll
    for (int e = 0; e < source.size; e += Vector) {
      if (source.contains(e)) store_shared_run(&tile[source.row(e)][source.column(e)], run_of<Vector>(source, e));
    }
  } else {
    fold_columns_in_halves<Combine>(target, source);
#pragma unroll
    for (int c = 0; c < target.size; c += Vector) {
      if (target.contains(c))
        store_shared_run(&tile[group][target.coordinate(c, S::kRank - 1)], run_of<Vector>(target, c));
    }
  }
  threads.sync();  // each thread's part of the columns is in the tile
#pragma unroll
  for (int i = 0; i < kOfWarp * Cols; i += N) {
    const int line = (i + t) / Cols, column = (i + t) % Cols;
    if (i + t >= kOfWarp * Cols) continue;
    T values[kParts];
#pragma unroll
    for (int w = 0; w < kParts; ++w) {
      const int from = w * kOfWarp + line;
      values[w] = Lines % kOfWarp == 0 || from < Lines ? tile[from][column] : Combine::template neutral<T>();
    }
    const T folded = fold_halves<Combine, kParts>(values);
    tile[line][column] = kByRows ? Combine::combine(Combine::template neutral<T>(), folded) : folded;
  }
  threads.sync();  // the parts are folded into the first lines
  load_shared(target, tile[group % kOfWarp]);
  share_columns_in_warp<Combine, Lanes>(target);
}

// target[c] = the combination of all elements of column c of an accumulator, in every thread that holds a part of the
// column: `tile` holds a value of each column from each band, the rows of a warp in 64 rows. Each 64 rows of a thread
// have bands of their own: the order is that of the rows, however many warpgroups share them. When the function returns
// other threads may still read the tile.
template <class Combine, int Axis, class T, class S, class L, int Bands, class Threads = WholeCta>
  requires(Axis == 0 && L::kRank == 2 && !requires { L::kGroups; })
__device__ __forceinline__ void reduce(Fragment<T, S>& target, const Fragment<T, L>& source,
                                       T (&tile)[Bands][L::kColumns], Threads threads = {}) {
  constexpr int kWarps = L::kThreads / 32;
  static_assert(L::kLanes <= 32 && Bands % (kWarps * L::kParts) == 0);
  const int t = thread_of<L>();
#pragma unroll
  for (int part = 0; part < L::kParts; ++part) {
    fold_columns<Combine>(target, source, part);
#pragma unroll
    for (int c = 0; c < target.size; ++c) {
#pragma unroll
      for (int mask = L::kLanes; mask < 32; mask *= 2)
        target[c] = Combine::combine(target[c], shuffle_xor(target[c], mask));
    }
    const int band = (threads.wg * L::kParts + part) * kWarps + t / 32;
#pragma unroll
    for (int c = 0; c < target.size; ++c) {
      if (t % 32 < L::kLanes && target.contains(c)) tile[band][target.coordinate(c, S::kRank - 1)] = target[c];
    }
  }
  threads.sync();  // each band's part of the columns is in the tile
#pragma unroll
  for (int c = 0; c < target.size; ++c) {
    if (!target.contains(c)) continue;
    T total = tile[0][target.coordinate(c, S::kRank - 1)];
#pragma unroll
    for (int b = 1; b < Bands; ++b) total = Combine::combine(total, tile[b][target.coordinate(c, S::kRank - 1)]);
    // Otherwise ptxas loads the bands of all columns ahead of branches in their uses, such as those of exact roots.
    target[c] = ptx::settled(total);
  }
}

// The same, returned: results of rows in RowSlice, of columns in ColumnSlice.
template <bool OfColumns, class L>
struct Reduced {
  using Layout = RowSlice<L>;
};
template <class L>
struct Reduced<true, L> {
  using Layout = ColumnSlice<L>;
};

template <class Combine, int Axis, class T, class L>
__device__ __forceinline__ auto reduce(const Fragment<T, L>& source) {
  Fragment<T, typename Reduced<Axis == 0, L>::Layout> target;
  reduce<Combine, Axis>(target, source);
  return target;
}
template <class Combine, int Axis, class T, class L, int A, int B, class... Threads>
__device__ __forceinline__ auto reduce(const Fragment<T, L>& source, T (&tile)[A][B], Threads... threads) {
  Fragment<T, typename Reduced<Axis == 0, L>::Layout> target;
  reduce<Combine, Axis>(target, source, tile, threads...);
  return target;
}

template <class Combine, class T, class L>
__device__ __forceinline__ Fragment<T, RowSlice<L>> fold_rows(const Fragment<T, L>& source) {
  Fragment<T, RowSlice<L>> target;
  fold_rows<Combine>(target, source);
  return target;
}
template <class Combine, class T, class L, int A, int B, int Groups>
__device__ __forceinline__ Fragment<T, RowSlice<L>> fold_rows(const Fragment<T, L>& source, T (&tile)[A][B],
                                                              AllWarpgroups<Groups> groups) {
  Fragment<T, RowSlice<L>> target;
  fold_rows<Combine>(target, source, tile, groups);
  return target;
}

}  // namespace pallasgen
