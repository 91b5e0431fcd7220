#pragma once
#include <pallasgen/device.cuh>

// Running combinations of rows, run by scan_test.cpp and compiled by gate.cu. One CTA each.
namespace scans {

using namespace pallasgen;

// The results of the runs of a thread's rows in each warp; two tiles, as for reductions.
template <class T, class L>
struct Tiles {
  T first[kRuns<L>][L::kThreads / 32];
  T second[kRuns<L>][L::kThreads / 32];
};

// out = the running combinations of the rows of `in`, of which the block may hold more; `again`: a second time, in
// place in the fragment.
template <class Combine, class T, class L>
__global__ __launch_bounds__(L::kThreads, 1) void rows(const T* in, T* out, T* again, int64_t M, int64_t N) {
  Fragment<T, L> x, y;
  load<1>(x, in, {M, N}, {0, 0});
#pragma unroll
  for (int e = 0; e < x.size; ++e) {
    if (!x.contains(e)) x[e] = cast<T>(99.0f);  // elements of the block outside the array
  }
  if constexpr (L::kLanes > 32) {
    using Smem = Tiles<T, L>;
    PALLASGEN_DYNAMIC_SMEM(Smem, smem);
    scan<Combine, 1>(y, x, smem.first);
    scan<Combine, 1>(x, x, smem.second);
  } else {
    scan<Combine, 1>(y, x);
    scan<Combine, 1>(x, x);
  }
  store<1>(y, out, {M, N}, {0, 0});
  store<1>(x, again, {M, N}, {0, 0});
}

// out[r] = in[r][Column], of a rows x columns array.
template <int Column, class T, class L>
__global__ __launch_bounds__(L::kThreads, 1) void pick(const T* in, T* out, int64_t M, int64_t N) {
  Fragment<T, L> x;
  load<1>(x, in, {M, N}, {0, 0});
  if constexpr (L::kLanes > 32) {
    struct Smem {
      T partial[L::kThreadRows][L::kThreads / 32];
    };
    PALLASGEN_DYNAMIC_SMEM(Smem, smem);
    store(pick_column<Column>(x, smem.partial), out, {M}, {0});
  } else {
    store(pick_column<Column>(x), out, {M}, {0});
  }
}

// Two warpgroups that scan rows of 128 lanes, each by its own barrier.
template <class L>
__global__ __launch_bounds__(256, 1) void in_warpgroups(const float* in, float* out, int64_t M, int64_t N) {
  struct Smem {
    float partial[2][kRuns<L>][4];
  };
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  const int wg = warpgroup_index();
  Fragment<float, L> x;
  load(x, in, {M, N}, {wg * L::kRows, 0});
  store(scan<Sum, 1>(x, smem.partial[wg], OneWarpgroup<2>{wg}), out, {M, N}, {wg * L::kRows, 0});
}

}  // namespace scans
