#pragma once
#include <pallasgen/device.cuh>

// Products by blocks of threads, run by fma_test.cpp and compiled by gate.cu. One CTA each.
namespace products {

using namespace pallasgen;

template <class T, class S, class L, int Depth>
struct alignas(1024) Tiles {
  T a[L::kRows * Depth];
  T b[L::kColumns * Depth];
};

// Returns the index in the tile of element i of the array.
template <class T, int Lines, int Depth, bool AlongK, Swizzle S>
__device__ constexpr int place(int i) {
  if constexpr (S == Swizzle::kNone)
    return i;
  else
    return swizzled_index<S, T, AlongK ? Lines : Depth, AlongK ? Depth : Lines>(i);
}

// c += a b; AAlongK and BAlongK state whether the rows of the arrays, without gaps, run along k; swizzled in shared
// memory.
template <class T, class S, class L, int Depth, bool AAlongK, bool BAlongK, Swizzle SA, Swizzle SB>
__global__ __launch_bounds__(L::kThreads, 1) void product(const T* a, const T* b, S* c) {
  using Smem = Tiles<T, S, L, Depth>;
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  constexpr int rows = L::kRows, columns = L::kColumns;
  for (int i = static_cast<int>(threadIdx.x); i < rows * Depth; i += L::kThreads)
    smem.a[place<T, rows, Depth, AAlongK, SA>(i)] = a[i];
  for (int i = static_cast<int>(threadIdx.x); i < columns * Depth; i += L::kThreads)
    smem.b[place<T, columns, Depth, BAlongK, SB>(i)] = b[i];
  __syncthreads();
  Fragment<S, L> sum;
  load<1>(sum, c, {rows, columns}, {0, 0});
  const auto x = [&] {
    if constexpr (AAlongK)
      return k_major<rows, Depth, SA>(smem.a);
    else
      return mn_major<rows, Depth, SA>(smem.a);
  }();
  const auto y = [&] {
    if constexpr (BAlongK)
      return k_major<columns, Depth, SB>(smem.b);
    else
      return mn_major<columns, Depth, SB>(smem.b);
  }();
  multiply_add(sum, x, y);
  store<1>(sum, c, {rows, columns}, {0, 0});
}

}  // namespace products
