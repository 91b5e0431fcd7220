#pragma once
#include <pallasgen/device.cuh>
#include <pallasgen/reduce_shared.cuh>

// Reductions across threads in shared memory, run by reduce_shared_test.cpp and compiled by gate.cu. One CTA each.
namespace shared_reductions {

using namespace pallasgen;

// out[r] = the combination of row r of a rows x columns array; `again`, the same after a second reduction: for rows in
// a warp through the same tile, for others through a second one.
template <class Combine, class Strategy, class T, class L>
__global__ __launch_bounds__(L::kThreads, 1) void rows(const T* in, T* out, T* again, int64_t M, int64_t N) {
  struct Smem {
    T first[L::kThreadRows][L::kThreads];
    T second[L::kThreadRows][L::kThreads];
  };
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  Fragment<T, L> x;
  load(x, in, {M, N}, {0, 0}, Combine::template neutral<T>());
  auto total = reduce<Combine, 1, Strategy>(x, smem.first);
  Fragment<T, RowSlice<L>> parts;
  fold_rows<Combine>(parts, x);
  share_rows<Combine, Strategy>(parts, L::kLanes <= 32 ? smem.first : smem.second);
  store(total, out, {M}, {0});
  store(parts, again, {M}, {0});
}

// out[c] = the sum of column c of the rows of Groups groups of threads, one below the other.
template <class Strategy, class L, int Groups>
__global__ __launch_bounds__(Groups* L::kThreads, 1) void columns(const float* in, float* out, int64_t M, int64_t N) {
  struct Smem {
    float parts[Groups * L::kParts * (L::kThreads / L::kLanes)][L::kColumns];
  };
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  const int wg = static_cast<int>(threadIdx.x) / L::kThreads;
  Fragment<float, L> x;
  load<1>(x, in, {M, N}, {wg * L::kRows, 0});
  Fragment<float, ColumnSlice<L>> total;
  if constexpr (Groups == 1)
    reduce<Sum, 0, Strategy>(total, x, smem.parts);
  else
    reduce<Sum, 0, Strategy>(total, x, smem.parts, AllWarpgroups<Groups>{wg});
  if (wg == 0) store<1>(total, out, {N}, {0});
}

// *out = the sum of the N elements, by Threads threads.
template <class Strategy, int N, int Threads>
__global__ __launch_bounds__(Threads, 1) void tile(const float* in, float* out) {
  struct Smem {
    float parts[N];
  };
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  const int thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < N; i += Threads) smem.parts[i] = in[i];
  __syncthreads();
  reduce_tile<Sum, Strategy>(smem.parts, thread, Threads);
  if (thread == Threads - 1) *out = smem.parts[0];
}

// Each warp's sum of its 32 elements, in each lane, their greatest with its position, and the sum again; through the
// same tile, so that none may be written before all lanes have the previous result.
template <class Strategy, int Warps>
__global__ __launch_bounds__(32 * Warps, 1) void lanes(const float* in, float* sums, float* best, int* position,
                                                       float* again) {
  struct Smem {
    float values[Warps][32];
    int positions[Warps][32];
  };
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  const int thread = static_cast<int>(threadIdx.x), warp = thread / 32;
  sums[thread] = reduce_lanes<Sum, Strategy>(in[thread], smem.values[warp]);
  float x = in[thread];
  int place = thread % 32;
  reduce_lanes<Greatest, Strategy>(x, place, smem.values[warp], smem.positions[warp]);
  best[thread] = x;
  position[thread] = place;
  again[thread] = reduce_lanes<Sum, Strategy>(in[thread], smem.values[warp]);
}

}  // namespace shared_reductions
