#pragma once
#include <pallasgen/ptx/sync.cuh>
#include <pallasgen/reduce.cuh>

// Reductions whose threads combine their parts of a result in shared memory (`schedule.reduction`). A strategy defines
// which parts meet in which step: it calls `step(stride, takes)` for each step, and of the Count parts of a result,
// each at a `place` for which `takes` holds becomes its combination with the part at place + stride. The first part
// holds the result in the end.
namespace pallasgen {

// Neighbouring pairs first, then neighbours at twice the distance, and so on: 0 + 1, 2 + 3, …; 0 + 2, 4 + 6, …; 0 + 4,
// …
struct Neighbours {
  template <int Count, class Step>
  __device__ __forceinline__ static void steps(Step step) {
#pragma unroll
    for (int stride = 1; stride < Count; stride *= 2)
      step(stride, [stride](int place) { return place % (2 * stride) == 0 && place + stride < Count; });
  }
};

// Folds the upper half onto the lower half, until one part is left; for an odd number the middle one stays.
struct Halves {
  template <int Count, class Step>
  __device__ __forceinline__ static void steps(Step step) {
#pragma unroll
    for (int left = Count; left > 1; left = (left + 1) / 2) {
      const int stride = (left + 1) / 2;
      step(stride, [left, stride](int place) { return place + stride < left; });
    }
  }
};

// The threads of a warp, with the interface of WholeCta.
struct OneWarp {
  __device__ __forceinline__ void sync() const { ptx::syncwarp(); }
};

// The lanes that share a row of a matrix of layout L combine their parts of it, through `tile`, which holds a value of
// each row from each of the N threads of all groups. Lanes of one warp wait for their warp alone, others for all
// threads. When the function returns other threads may still read the tile; the same warp may use it again if rows lie
// in a warp.
template <class Combine, class Strategy, class T, class L, int N, class Threads = WholeCta>
__device__ __forceinline__ void share_rows(Fragment<T, RowSlice<L>>& rows, T (&tile)[L::kThreadRows][N],
                                           Threads threads = {}) {
  static_assert(N % L::kThreads == 0 && (L::kLanes <= 32 || N == L::kThreads));
  const int t = thread_of_group<N>();
  const auto meet = [&] {
    if constexpr (L::kLanes <= 32)
      OneWarp{}.sync();
    else
      threads.sync();
  };
  if constexpr (L::kLanes <= 32) meet();  // the warp has read the tile's earlier content
#pragma unroll
  for (int r = 0; r < rows.size; ++r) tile[r][t] = rows[r];
  meet();  // each thread's part of its rows is in the tile
  Strategy::template steps<L::kLanes>([&](int stride, auto takes) {
    if (takes(t % L::kLanes)) {
#pragma unroll
      for (int r = 0; r < rows.size; ++r) tile[r][t] = Combine::combine(tile[r][t], tile[r][t + stride]);
    }
    meet();  // the parts of this step are in the tile
  });
#pragma unroll
  for (int r = 0; r < rows.size; ++r) rows[r] = tile[r][t / L::kLanes * L::kLanes];
}

// target[r] = the combination of all elements of row r, in every thread that holds a part of the row, as in
// share_rows(). All threads of the layout take part.
template <class Combine, int Axis, class Strategy, class T, class S, class L, int N, class Threads = WholeCta>
  requires(Axis == L::kRank - 1)
__device__ __forceinline__ void reduce(Fragment<T, S>& target, const Fragment<T, L>& source,
                                       T (&tile)[L::kThreadRows][N], Threads threads = {}) {
  fold_rows<Combine>(target, source);
  share_rows<Combine, Strategy>(target, tile, threads);
}

// target[c] = the combination of all elements of column c, in every thread that holds a part of the column: `tile`
// holds a value of each column from each of the threads that share it, in the order of their rows; a thread of an
// accumulator has some of each 64 rows, with a place for each. When the function returns other threads may still read
// the tile.
template <class Combine, int Axis, class Strategy, class T, class S, class L, int Places, class Threads = WholeCta>
  requires(Axis == 0 && L::kRank == 2)
__device__ __forceinline__ void reduce(Fragment<T, S>& target, const Fragment<T, L>& source,
                                       T (&tile)[Places][L::kColumns], Threads threads = {}) {
  constexpr int kPlaces = L::kThreads / L::kLanes;  // places of a part
  constexpr int kGroups = Places / (kPlaces * L::kParts);
  static_assert(Places == kGroups * kPlaces * L::kParts);
  const int t = thread_of_group<L::kThreads>();
#pragma unroll
  for (int part = 0; part < L::kParts; ++part) {
    fold_columns<Combine>(target, source, part);
    const int place = (threads.wg * L::kParts + part) * kPlaces + t / L::kLanes;
#pragma unroll
    for (int c = 0; c < target.size; ++c) {
      if (target.contains(c)) tile[place][target.coordinate(c, S::kRank - 1)] = target[c];
    }
  }
  threads.sync();  // each thread's part of the columns is in the tile
  Strategy::template steps<Places>([&](int stride, auto takes) {
    for (int i = threads.wg * L::kThreads + t; i < (Places - stride) * L::kColumns; i += kGroups * L::kThreads) {
      const int place = i / L::kColumns, c = i % L::kColumns;
      if (takes(place)) tile[place][c] = Combine::combine(tile[place][c], tile[place + stride][c]);
    }
    threads.sync();  // the parts of this step are in the tile
  });
#pragma unroll
  for (int c = 0; c < target.size; ++c) {
    if (target.contains(c)) target[c] = tile[0][target.coordinate(c, S::kRank - 1)];
  }
}

// The same, returned: results of rows in RowSlice, of columns in ColumnSlice.
template <class Combine, int Axis, class Strategy, class T, class L, int A, int B, class... Threads>
__device__ __forceinline__ auto reduce(const Fragment<T, L>& source, T (&tile)[A][B], Threads... threads) {
  Fragment<T, typename Reduced<Axis == 0, L>::Layout> target;
  reduce<Combine, Axis, Strategy>(target, source, tile, threads...);
  return target;
}

// tile[0] = the combination of all elements of the tile, which is visible to `count` threads; this one is `thread`. All
// of them synchronise after each step, so that they see the result.
template <class Combine, class Strategy, class T, int N, class Threads = WholeCta>
__device__ __forceinline__ void reduce_tile(T (&tile)[N], int thread, int count, Threads threads = {}) {
  Strategy::template steps<N>([&](int stride, auto takes) {
    for (int place = thread; place + stride < N; place += count) {
      if (takes(place)) tile[place] = Combine::combine(tile[place], tile[place + stride]);
    }
    threads.sync();  // the parts of this step are in the tile
  });
}

// Combines the lanes' values, in every lane, through `tile`, which is the warp's own. All lanes of the warp take part.
template <class Combine, class Strategy, class T>
__device__ __forceinline__ T reduce_lanes(T x, T (&tile)[32]) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  OneWarp{}.sync();  // the warp has read the tile's earlier content
  tile[lane] = x;
  OneWarp{}.sync();  // each lane's part is in the tile
  reduce_tile<Combine, Strategy>(tile, lane, 32, OneWarp{});
  return tile[0];
}

// Finds the best of the lanes' values and its position (the lowest of equals), in every lane, through two tiles of the
// warp. All lanes of the warp take part.
template <class Which, class Strategy, class T, class I>
__device__ __forceinline__ void reduce_lanes(T& best, I& position, T (&values)[32], I (&positions)[32]) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  OneWarp{}.sync();  // the warp has read the tiles' earlier content
  values[lane] = best;
  positions[lane] = position;
  OneWarp{}.sync();  // each lane's part is in the tiles
  Strategy::template steps<32>([&](int stride, auto takes) {
    if (takes(lane)) {
      const T other = values[lane + stride];
      const I place = positions[lane + stride];
      if (Which::beats(other, values[lane]) || (!Which::beats(values[lane], other) && place < positions[lane])) {
        values[lane] = other;
        positions[lane] = place;
      }
    }
    OneWarp{}.sync();  // the parts of this step are in the tiles
  });
  best = values[0];
  position = positions[0];
}

}  // namespace pallasgen
