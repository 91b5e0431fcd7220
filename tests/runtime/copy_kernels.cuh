#pragma once
#include <pallasgen/device.cuh>

// Kernels of single parts of the runtime, run by copy_test.cpp and compiled by gate.cu. One CTA each.
namespace copies {

using namespace pallasgen;

// out[block] = in[block] + 1, where elements outside the array read as `outside`; out has rank = the block's.
template <class T, class L, int R>
struct Arrays {
  const T* in;
  T* out;
  int64_t extents[R];
  int64_t offsets[R];
  T outside;
};

template <class T, class L>
__global__ __launch_bounds__(L::kThreads, 1) void copy_1d(Arrays<T, L, 1> a) {
  Fragment<T, L> x;
  load(x, a.in, {a.extents[0]}, {a.offsets[0]}, a.outside);
  store(x, a.out, {a.extents[0]}, {a.offsets[0]});
}

template <class T, class L>
__global__ __launch_bounds__(L::kThreads, 1) void copy_2d(Arrays<T, L, 2> a) {
  Fragment<T, L> x;
  load(x, a.in, a.extents, a.offsets, a.outside);
  store(x, a.out, a.extents, a.offsets);
}

template <class T, class L>
__global__ __launch_bounds__(L::kThreads, 1) void copy_4d(Arrays<T, L, 4> a) {
  Fragment<T, L> x;
  load(x, a.in, a.extents, a.offsets, a.outside);
  store(x, a.out, a.extents, a.offsets);
}

// Copies every element of the block, also those outside the array, to a whole array of the block's shape.
template <class T, class L>
__global__ __launch_bounds__(L::kThreads, 1) void gather_2d(Arrays<T, L, 2> a) {
  Fragment<T, L> x;
  load(x, a.in, a.extents, a.offsets, a.outside);
  store(x, a.out, {L::dim(0), L::dim(1)}, {0, 0});
}

// out[i, j] = row[j] + column[i] + cell[0, i, 0, j] + transposed[j, i] of the block; out is whole.
template <class L>
__global__ __launch_bounds__(L::kThreads, 1) void broadcast(const float* row, const float* column, const float* cell,
                                                            const float* transposed, float* out, int64_t M, int64_t N,
                                                            int64_t m, int64_t n) {
  Fragment<float, L> r, c, s, t, x;
  load(r, row, Axes<1>(), {N}, {n});
  load(c, column, Axes<0, -1>(), {M, 1}, {m, 0});
  load(s, cell, Axes<-1, 0, -1, 1>(), {3, M, 2, N}, {2, m, 1, n});
  load(t, transposed, Axes<1, 0>(), {N, M}, {n, m});
#pragma unroll
  for (int e = 0; e < x.size; ++e) x[e] = r[e] + c[e] + s[e] + t[e];
  store(x, out, {M, N}, {m, n});
}

// Writes the coordinates of each element, and whether it is inside the array.
template <class L>
__global__ __launch_bounds__(L::kThreads, 1) void places(int* out, int64_t M, int64_t N, int64_t m, int64_t n) {
  Fragment<int, L> x;
#pragma unroll
  for (int e = 0; e < x.size; ++e)
    x[e] = x.row(e) * 1000 + x.column(e) + (is_inside(x, e, {M, N}, {m, n}) ? 1000000 : 0);
  store(x, out, {L::dim(0), L::dim(1)}, {0, 0});
}

// Passes elements through shared memory to another thread: the transpose of a block.
template <class T, class L>
struct Tile {
  alignas(16) T tile[L::dim(0) * L::dim(1)];
};
template <class T, class L>
__global__ __launch_bounds__(L::kThreads, 1) void turn(const T* in, T* out, int64_t M, int64_t N) {
  using Smem = Tile<T, L>;
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  Fragment<T, L> x;
  load(x, in, {M, N}, {0, 0});
  store_shared(x, smem.tile);
  __syncthreads();
  using Turned = StridedLayout<L::kThreads, L::kVector, L::dim(1), L::dim(0)>;
  Fragment<T, Turned> y;
#pragma unroll
  for (int e = 0; e < y.size; ++e) {
    if (y.contains(e)) y[e] = smem.tile[y.column(e) * L::dim(1) + y.row(e)];
  }
  store(y, out, {N, M}, {0, 0});
  load_shared(x, smem.tile);
  store(x, out + M * N, {M, N}, {0, 0});
}

// The forms of a call that copies a block: its arguments besides the array.
enum class Call : uint8_t {
  all,            // axes, a place that may begin before the array, the value outside
  place,          // such a place, the value outside
  axes,           // axes, extents and offsets, the value outside
  extents,        // extents and offsets, the value outside
  extents_alone,  // outside is 0
};

// The same as gather_2d, through a tile that cp.async fills; runs of less than 4 bytes go through registers.
template <class T, int Threads, int Vector, int Rows, int Cols>
__global__ __launch_bounds__(Threads, 1) void gather_async(Arrays<T, StridedLayout<Threads, Vector, Rows, Cols>, 2> a,
                                                           Call call) {
  using L = StridedLayout<Threads, Vector, Rows, Cols>;
  using Smem = Tile<T, L>;
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  const auto padded = padded_block_at(a.extents, a.offsets);
  const auto copy = [&](auto... place_and_outside) {
    if constexpr (Vector * sizeof(T) < 4)
      copy_through_registers<Threads, Vector, Rows, Cols>(smem.tile, a.in, place_and_outside...);
    else
      copy_async<Threads, Vector, Rows, Cols>(smem.tile, a.in, place_and_outside...);
  };
  const auto copy_extents = [&](auto axes, auto... outside) {
    if constexpr (Vector * sizeof(T) < 4)
      copy_through_registers<Threads, Vector, Rows, Cols>(smem.tile, a.in, axes, a.extents, a.offsets, outside...);
    else
      copy_async<Threads, Vector, Rows, Cols>(smem.tile, a.in, axes, a.extents, a.offsets, outside...);
  };
  if (call == Call::all) copy(Axes<0, 1>(), padded, a.outside);
  if (call == Call::place) copy(padded, a.outside);
  if (call == Call::axes) copy_extents(Axes<0, 1>(), a.outside);
  if constexpr (Vector * sizeof(T) < 4) {
    if (call == Call::extents)
      copy_through_registers<Threads, Vector, Rows, Cols>(smem.tile, a.in, a.extents, a.offsets, a.outside);
    if (call == Call::extents_alone)
      copy_through_registers<Threads, Vector, Rows, Cols>(smem.tile, a.in, a.extents, a.offsets);
  } else {
    if (call == Call::extents)
      copy_async<Threads, Vector, Rows, Cols>(smem.tile, a.in, a.extents, a.offsets, a.outside);
    if (call == Call::extents_alone) copy_async<Threads, Vector, Rows, Cols>(smem.tile, a.in, a.extents, a.offsets);
  }
  copy_async_commit();
  copy_async_wait<0>();
  __syncthreads();
  Fragment<T, L> x;
  load_shared(x, smem.tile);
  store(x, a.out, {Rows, Cols}, {0, 0});
}

// out = the block of Rows whole rows from row `m` on, through a tile that a bulk copy fills, which may end before the
// array's block does unless `whole`: past the end `outside`. A second copy overwrites the first.
template <class T, int Rows, int Cols>
struct RunTile {
  alignas(16) T tile[Rows * Cols];
  Barrier full;
};
template <class T, int Rows, int Cols>
__global__ __launch_bounds__(128, 1) void gather_bulk(const T* in, T* out, int64_t M, int64_t m, T outside,
                                                      bool whole) {
  using Smem = RunTile<T, Rows, Cols>;
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  if (threadIdx.x == 0) {
    smem.full.init(1, "full");
    fence_barrier_init();
  }
  __syncthreads();
  for (uint32_t phase : {0u, 1u}) {
    if (warp_of_warpgroup() == 0) {
      if (whole) {
        if (is_first_thread_of_warpgroup()) {
          smem.full.arrive_expect_tx(sizeof smem.tile);
          copy_bulk<1, Rows, Cols>(smem.tile, in, {1, M, Cols}, {0, m, 0}, smem.full);
        }
      } else {
        copy_bulk_inside<1, Rows, Cols>(smem.tile, in, {1, M, Cols}, {0, m, 0}, smem.full, outside);
        if (is_first_thread_of_warpgroup()) smem.full.arrive();
      }
    }
    smem.full.wait(phase);
    __syncthreads();
  }
  for (int i = static_cast<int>(threadIdx.x); i < Rows * Cols; i += 128) out[i] = smem.tile[i];
}

// Counts the visits of each tile by one tile order of each kind.
template <class Tiles>
__global__ void visit_2d(int* visits, int tiles_m, int tiles_n) {
  for (Tiles tile(tiles_m, tiles_n); tile.valid(); tile.next())
    if (threadIdx.x == 0) atomicAdd(&visits[tile.m * tiles_n + tile.n], 1);
}

template <class Tiles>
__global__ void visit_3d(int* visits, int a, int b, int c) {
  for (Tiles tile(a, b, c); tile.valid(); tile.next())
    if (threadIdx.x == 0) atomicAdd(&visits[(tile[0] * b + tile[1]) * c + tile[2]], 1);
}

template <class T>
__global__ void add_one(const T* in, T* out) {
  Fragment<T, StridedLayout<32, 1>> x;
  load(x, in);
  x[0] += 1;
  store(x, out);
}

// Rank 3 TMA: copies a box in, adds one to each element, copies the box out. It may extend past any edge.
template <class T>
struct Box {
  alignas(1024) T tile[4 * 8 * 16];
  Barrier full;
};
template <class T>
__global__ __launch_bounds__(128, 1) void box_3d(const __grid_constant__ TensorMap in,
                                                 const __grid_constant__ TensorMap out, int x, int y, int z) {
  PALLASGEN_DYNAMIC_SMEM(Box<T>, smem);
  if (threadIdx.x == 0) {
    smem.full.init(1, "full");
    fence_barrier_init();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    smem.full.arrive_expect_tx(sizeof smem.tile);
    tma_load(smem.tile, in, {x, y, z}, smem.full);
  }
  smem.full.wait(0);
  Fragment<T, StridedLayout<128, 4, 4, 8, 16>> v;
  load_shared(v, smem.tile);
#pragma unroll
  for (int e = 0; e < v.size; ++e) v[e] = cast<T>(to_float(v[e]) + 1.0f);
  store_shared(v, smem.tile);
  fence_async_shared();
  __syncthreads();
  if (threadIdx.x == 0) {
    tma_store(out, {x, y, z}, smem.tile);
    tma_store_commit();
    tma_store_wait<0>();
  }
}

}  // namespace copies
