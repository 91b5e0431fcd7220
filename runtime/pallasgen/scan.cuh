#pragma once
#include <pallasgen/reduce.cuh>

// Running combinations along the rows of a block in registers, and one column of it: target[e] = the combination of the
// elements of e's row up to e's column. A row consists of runs of neighbours, dealt round robin to the threads that
// share it: a thread scans its runs, lanes scan the results of their runs (shuffles), then the warps do (a tile). The
// layout alone determines the order in which elements are combined.
namespace pallasgen {

// The `x` of the lane `delta` below; the own one where there is none.
template <class T>
__device__ __forceinline__ T shuffle_up(T x, uint32_t delta) {
  return shuffle_words(x, [delta](uint32_t word) { return ptx::shfl_up(word, delta); });
}

// The `x` of lane `lane`.
template <class T>
__device__ __forceinline__ T shuffle_from(T x, uint32_t lane) {
  return shuffle_words(x, [lane](uint32_t word) { return ptx::shfl_idx(word, lane); });
}

// Combines the values of the lanes up to this one, among each Lanes neighbours, a power of two. All lanes of the warp
// take part.
template <class Combine, int Lanes, class T>
__device__ __forceinline__ T scan_neighbours(T x) {
  const int lane = static_cast<int>(threadIdx.x) % Lanes;
#pragma unroll
  for (int below = 1; below < Lanes; below *= 2) {
    const T other = shuffle_up(x, below);
    if (lane >= below) x = Combine::combine(other, x);
  }
  return x;
}

// Combines `before` and the values of the lanes up to this one; `before` becomes the combination with all lanes. All
// lanes of the warp take part.
template <class Combine, class T>
__device__ __forceinline__ T scan_lanes(T x, T& before) {
  x = Combine::combine(before, scan_neighbours<Combine, 32>(x));
  before = shuffle_from(x, 31);
  return x;
}

// The number of runs that a thread has of a block of layout L, and of lanes of a warp that share a row.
template <class L>
inline constexpr int kRuns = L::size / L::kRun;
template <class L>
inline constexpr int kLanesOfRow = L::kLanes < 32 ? L::kLanes : 32;

// Scans each run by itself. upto[r] = the combination of the runs r of the lanes of the warp up to this one.
template <class Combine, class T, class L>
__device__ __forceinline__ void scan_runs(Fragment<T, L>& target, const Fragment<T, L>& source, T (&upto)[kRuns<L>]) {
#pragma unroll
  for (int r = 0; r < kRuns<L>; ++r) {
    const int first = r * L::kRun;
    const bool inside = source.contains(first);  // the same for all elements of a run
    target[first] = inside ? source[first] : Combine::template neutral<T>();
#pragma unroll
    for (int e = first + 1; e < first + L::kRun; ++e)
      target[e] = inside ? Combine::combine(target[e - 1], source[e]) : target[first];
    upto[r] = scan_neighbours<Combine, kLanesOfRow<L>>(target[first + L::kRun - 1]);
  }
}

// Combines run r with all before it: `before`, then the earlier lanes of the warp.
template <class Combine, class T, class L>
__device__ __forceinline__ void add_before(Fragment<T, L>& target, int r, T before, T upto) {
  if constexpr (kLanesOfRow<L> > 1) {
    const T below = shuffle_up(upto, 1);
    if (static_cast<int>(threadIdx.x) % kLanesOfRow<L> > 0) before = Combine::combine(before, below);
  }
#pragma unroll
  for (int e = r * L::kRun; e < (r + 1) * L::kRun; ++e) target[e] = Combine::combine(before, target[e]);
}

// Combines the runs with those before them in their rows, and with `before`, which becomes the combinations of the
// whole rows.
template <class Combine, class T, class L>
__device__ __forceinline__ void add_rows_before(Fragment<T, L>& target, const T (&upto)[kRuns<L>],
                                                T (&before)[L::kThreadRows]) {
  const uint32_t last = threadIdx.x % 32 | (kLanesOfRow<L> - 1);
#pragma unroll
  for (int r = 0; r < kRuns<L>; ++r) {
    T& of_row = before[target.row_slot(r * L::kRun)];
    add_before<Combine>(target, r, of_row, upto[r]);
    of_row = Combine::combine(of_row, shuffle_from(upto[r], last));
  }
}

// For rows within a warp. All threads of the layout take part; target and source may be the same.
template <class Combine, int Axis, class T, class L>
  requires(Axis == L::kRank - 1)
__device__ __forceinline__ void scan(Fragment<T, L>& target, const Fragment<T, L>& source) {
  static_assert(L::kLanes <= 32);
  T upto[kRuns<L>], before[L::kThreadRows];
  scan_runs<Combine>(target, source, upto);
#pragma unroll
  for (int r = 0; r < L::kThreadRows; ++r) before[r] = Combine::template neutral<T>();
  add_rows_before<Combine>(target, upto, before);
}

// For rows whose columns are divided among Groups warpgroups, in the order of one warpgroup that has all columns: each
// continues from the rows' results in those before it, through `tile`, which holds a value of each row from each of its
// threads. When the function returns other threads may still read the tile.
template <class Combine, int Axis, class T, class L, int Groups>
  requires(Axis == L::kRank - 1)
__device__ __forceinline__ void scan(Fragment<T, L>& target, const Fragment<T, L>& source,
                                     T (&tile)[L::kThreadRows][L::kThreads], AllWarpgroups<Groups> groups) {
  static_assert(L::kLanes <= 32);
  const int t = thread_of<L>();
  T upto[kRuns<L>], before[L::kThreadRows];
  scan_runs<Combine>(target, source, upto);
#pragma unroll
  for (int g = 0; g < Groups; ++g) {
    if (g == groups.wg) {
#pragma unroll
      for (int r = 0; r < L::kThreadRows; ++r) before[r] = g > 0 ? tile[r][t] : Combine::template neutral<T>();
      add_rows_before<Combine>(target, upto, before);
#pragma unroll
      for (int r = 0; r < L::kThreadRows; ++r) tile[r][t] = before[r];
    }
    groups.sync();  // the results of the rows up to this warpgroup are in the tile
  }
}

// For rows that several warps share, through `tile`, which holds the result of each run in each warp. When the function
// returns other threads may still read the tile.
template <class Combine, int Axis, class T, class L, class Threads = WholeCta>
  requires(Axis == L::kRank - 1)
__device__ __forceinline__ void scan(Fragment<T, L>& target, const Fragment<T, L>& source,
                                     T (&tile)[kRuns<L>][L::kThreads / 32], Threads threads = {}) {
  static_assert(L::kLanes > 32);
  constexpr int warps = L::kLanes / 32, runs = kRuns<L> / L::kThreadRows, parts = runs * warps;  // parts of a row
  constexpr int lanes = parts <= 2 ? 2 : parts <= 4 ? 4 : parts <= 8 ? 8 : parts <= 16 ? 16 : 32;
  const int t = thread_of_group<L::kThreads>(), lane = t % 32;
  T upto[kRuns<L>];
  scan_runs<Combine>(target, source, upto);
#pragma unroll
  for (int r = 0; r < kRuns<L>; ++r) {
    if (lane == 31) tile[r][t / 32] = upto[r];
  }
  threads.sync();  // the results of each warp's runs are in the tile
  // The lanes scan them, 32 at once, in the order of the row: run by run, and by warp within a run.
  const int first = t / L::kLanes * warps, own = t / 32 % warps;
#pragma unroll
  for (int row = 0; row < L::kThreadRows; ++row) {
    T before = Combine::template neutral<T>();  // result of the parts before
#pragma unroll
    for (int part = 0; part < parts; part += 32) {
      const int at = part + lane;
      T sum = Combine::template neutral<T>();
      if (parts % 32 == 0 || at < parts) sum = tile[row * runs + at / warps][first + at % warps];
      sum = Combine::combine(before, scan_neighbours<Combine, lanes>(sum));
      T below = shuffle_up(sum, 1);
      if (lane == 0) below = before;
      before = shuffle_from(sum, 31);
#pragma unroll
      for (int r = part / warps; r < runs && r < (part + 32) / warps; ++r)
        add_before<Combine>(target, row * runs + r, shuffle_from(below, r * warps % 32 + own), upto[row * runs + r]);
    }
  }
}

// target[r] = the element of row r in column Column, in every thread that holds a part of the row, from the lane that
// has it. All threads of the layout take part. For rows within a warp.
template <int Column, class T, class L>
__device__ __forceinline__ void pick_column(Fragment<T, RowSlice<L>>& target, const Fragment<T, L>& source) {
  static_assert(Column < L::kColumns);
  constexpr int slot = Column / L::kRun / L::kLanes * L::kRun + Column % L::kRun;
  constexpr int holder = Column / L::kRun % L::kLanes;
  const uint32_t lane = threadIdx.x % 32 / kLanesOfRow<L> * kLanesOfRow<L> + holder % 32;
#pragma unroll
  for (int e = 0; e < source.size; ++e) {
    if (source.column_slot(e) == slot) target[source.row_slot(e)] = shuffle_from(source[e], lane);
  }
}

// For rows that several warps share, through `tile`, where the first warp of a row has the row's element. When the
// function returns other threads may still read the tile.
template <int Column, class T, class L, class Threads = WholeCta>
__device__ __forceinline__ void pick_column(Fragment<T, RowSlice<L>>& target, const Fragment<T, L>& source,
                                            T (&tile)[L::kThreadRows][L::kThreads / 32], Threads threads = {}) {
  static_assert(Column < L::kColumns && L::kLanes > 32);
  constexpr int slot = Column / L::kRun / L::kLanes * L::kRun + Column % L::kRun;
  const int t = thread_of_group<L::kThreads>(), first = t / L::kLanes * (L::kLanes / 32);
#pragma unroll
  for (int r = 0; r < target.size; ++r) {
    if (t % L::kLanes == Column / L::kRun % L::kLanes) tile[r][first] = source[r * L::kThreadColumns + slot];
  }
  threads.sync();  // the column is in the tile
#pragma unroll
  for (int r = 0; r < target.size; ++r) target[r] = tile[r][first];
}
template <int Column, class T, class L>
__device__ __forceinline__ auto pick_column(const Fragment<T, L>& source) {
  Fragment<T, RowSlice<L>> target;
  pick_column<Column>(target, source);
  return target;
}
template <int Column, class T, class L, int A, int B, class... Threads>
__device__ __forceinline__ auto pick_column(const Fragment<T, L>& source, T (&tile)[A][B], Threads... threads) {
  Fragment<T, RowSlice<L>> target;
  pick_column<Column>(target, source, tile, threads...);
  return target;
}

// The same, returned.
template <class Combine, int Axis, class T, class L>
__device__ __forceinline__ Fragment<T, L> scan(const Fragment<T, L>& source) {
  Fragment<T, L> target;
  scan<Combine, Axis>(target, source);
  return target;
}
template <class Combine, int Axis, class T, class L, int A, int B, class... Threads>
__device__ __forceinline__ Fragment<T, L> scan(const Fragment<T, L>& source, T (&tile)[A][B], Threads... threads) {
  Fragment<T, L> target;
  scan<Combine, Axis>(target, source, tile, threads...);
  return target;
}

}  // namespace pallasgen
