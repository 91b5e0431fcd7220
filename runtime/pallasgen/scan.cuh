#pragma once
#include <pallasgen/reduce.cuh>

// Running combinations along the rows of a block in registers, and one column of it: target[e] = the combination of the
// elements of e's row up to e's column. A row lies in runs of neighbours, of which each thread that shares the row has
// every so many: a thread scans its runs, lanes scan what their runs come to (shuffles), and the warps do (a tile). The
// order in which elements are combined follows from the layout alone.
namespace pallasgen {

// The `x` of the lane `delta` below; the own one where there is none.
template <class T>
__device__ __forceinline__ T shuffle_up(T x, uint32_t delta) {
  return shuffle_words(x, [delta](uint32_t word) { return ptx::shfl_up(word, delta); });
}

// The `x` of this lane.
template <class T>
__device__ __forceinline__ T shuffle_from(T x, uint32_t lane) {
  return shuffle_words(x, [lane](uint32_t word) { return ptx::shfl_idx(word, lane); });
}

// The combination of the values of the lanes up to this one, of each Lanes neighbours by themselves, a power of two.
// All lanes of the warp take part.
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

// The combination of `before` and the values of the lanes up to this one; `before` becomes that of all lanes. All lanes
// of the warp take part.
template <class Combine, class T>
__device__ __forceinline__ T scan_lanes(T x, T& before) {
  x = Combine::combine(before, scan_neighbours<Combine, 32>(x));
  before = shuffle_from(x, 31);
  return x;
}

// A thread's runs of a block of layout L, and the lanes of a warp that share a row.
template <class L>
inline constexpr int kRuns = L::size / L::kRun;
template <class L>
inline constexpr int kLanesOfRow = L::kLanes < 32 ? L::kLanes : 32;

// Scans each run by itself. upto[r] = the combination of run r and those of the lanes of the warp that lie before it.
template <class Combine, class T, class L>
__device__ __forceinline__ void scan_runs(Fragment<T, L>& target, const Fragment<T, L>& source, T (&upto)[kRuns<L>]) {
#pragma unroll
  for (int r = 0; r < kRuns<L>; ++r) {
    const int first = r * L::kRun;
    const bool inside = source.contains(first);  // a run is, or is not
    target[first] = inside ? source[first] : Combine::template neutral<T>();
#pragma unroll
    for (int e = first + 1; e < first + L::kRun; ++e)
      target[e] = inside ? Combine::combine(target[e - 1], source[e]) : target[first];
    upto[r] = scan_neighbours<Combine, kLanesOfRow<L>>(target[first + L::kRun - 1]);
  }
}

// Combines run r with what lies before it: `before`, then the lanes of the warp before this one.
template <class Combine, class T, class L>
__device__ __forceinline__ void add_before(Fragment<T, L>& target, int r, T before, T upto) {
  if constexpr (kLanesOfRow<L> > 1) {
    const T below = shuffle_up(upto, 1);
    if (static_cast<int>(threadIdx.x) % kLanesOfRow<L> > 0) before = Combine::combine(before, below);
  }
#pragma unroll
  for (int e = r * L::kRun; e < (r + 1) * L::kRun; ++e) target[e] = Combine::combine(before, target[e]);
}

// Combines the runs with those before them in their rows, and with `before`, which become the combinations of the whole
// rows.
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

// Rows that lie in a warp. All threads of the layout take part; target and source may be one.
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

// Rows of which each of Groups warpgroups has columns, in the order of one warpgroup that has all of them: each goes on
// from what the rows of those before it come to, through `tile`, which holds a value of each row from each of its
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
    groups.sync();  // what the rows of the warpgroups so far come to is in the tile
  }
}

// Rows that several warps share: through `tile`, which holds what each run comes to in each warp. When the function
// returns other threads may still read the tile.
template <class Combine, int Axis, class T, class L, class Threads = WholeCta>
  requires(Axis == L::kRank - 1)
__device__ __forceinline__ void scan(Fragment<T, L>& target, const Fragment<T, L>& source,
                                     T (&tile)[kRuns<L>][L::kThreads / 32], Threads threads = {}) {
  static_assert(L::kLanes > 32);
  constexpr int warps = L::kLanes / 32, runs = kRuns<L> / L::kThreadRows, parts = runs * warps;  // of a row
  constexpr int lanes = parts <= 2 ? 2 : parts <= 4 ? 4 : parts <= 8 ? 8 : parts <= 16 ? 16 : 32;
  const int t = thread_of_group<L::kThreads>(), lane = t % 32;
  T upto[kRuns<L>];
  scan_runs<Combine>(target, source, upto);
#pragma unroll
  for (int r = 0; r < kRuns<L>; ++r) {
    if (lane == 31) tile[r][t / 32] = upto[r];
  }
  threads.sync();  // what each warp's runs come to is in the tile
  // The lanes scan them, 32 at once, in the order of the row: run by run, in each the warps.
  const int first = t / L::kLanes * warps, own = t / 32 % warps;
#pragma unroll
  for (int row = 0; row < L::kThreadRows; ++row) {
    T before = Combine::template neutral<T>();  // these parts
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

// target[r] = the element of row r in column Column, in every thread that holds a part of the row: from the lane that
// has it. All threads of the layout take part. Rows that lie in a warp.
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

// Rows that several warps share: through `tile`, of which the first warp of a row's has the row's element. When the
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

// The same as a value.
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
