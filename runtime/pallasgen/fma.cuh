#pragma once
#include <pallasgen/types.h>

#include <pallasgen/arithmetic.cuh>
#include <pallasgen/fragment.cuh>
#include <pallasgen/layout.cuh>
#include <pallasgen/run.cuh>

// Products of matrices by fused multiply-adds: operands in shared memory, the result in blocks of threads (FmaLayout).
namespace pallasgen {

__host__ __device__ constexpr int largest_common_divisor(int a, int b) {
  return b == 0 ? a : largest_common_divisor(b, a % b);
}

// A run of elements in the dtype in which they are multiplied.
template <class Sum, class T>
__device__ __forceinline__ Sum widened(T x) {
  return static_cast<Sum>(x);
}

// An operand row by row, each of whose rows is a line of `Lines`: a row of a, or a column of b, along k.
template <class T, int Lines, int Depth>
struct KMajor {
  static constexpr int kLines = Lines, kDepth = Depth;
  static constexpr int kStep = largest_common_divisor(sizeof(T) < 4 ? 4 : 16 / static_cast<int>(sizeof(T)), Depth);
  const T* tile;

  // Elements k to k + Step - 1 of the lines `line(slot)` of a thread.
  template <int Step, int Slots, int Vector, class Sum, class Line>
  __device__ __forceinline__ void read(Sum (&to)[Slots][Step], int k, Line line) const {
    constexpr int n = largest_common_divisor(kStep, Step);
#pragma unroll
    for (int slot = 0; slot < Slots; ++slot) {
#pragma unroll
      for (int i = 0; i < Step; i += n) {
        Run<T, n> run;
        load_shared_run(run, tile + line(slot) * Depth + k + i);
#pragma unroll
        for (int j = 0; j < n; ++j) to[slot][i + j] = widened<Sum>(run.v[j]);
      }
    }
  }
};

// An operand row by row, whose rows run along its lines: each has one element of all of them.
template <class T, int Lines, int Depth>
struct MnMajor {
  static constexpr int kLines = Lines, kDepth = Depth, kStep = 1;
  const T* tile;

  // The same; Vector lines of a thread lie side by side.
  template <int Step, int Slots, int Vector, class Sum, class Line>
  __device__ __forceinline__ void read(Sum (&to)[Slots][Step], int k, Line line) const {
#pragma unroll
    for (int i = 0; i < Step; ++i) {
#pragma unroll
      for (int slot = 0; slot < Slots; slot += Vector) {
        Run<T, Vector> run;
        load_shared_run(run, tile + (k + i) * Lines + line(slot));
#pragma unroll
        for (int j = 0; j < Vector; ++j) to[slot + j][i] = widened<Sum>(run.v[j]);
      }
    }
  }
};

template <int Lines, int Depth, class T>
__device__ __forceinline__ KMajor<T, Lines, Depth> k_major(const T* tile) {
  return {tile};
}
template <int Lines, int Depth, class T>
__device__ __forceinline__ MnMajor<T, Lines, Depth> mn_major(const T* tile) {
  return {tile};
}

__device__ __forceinline__ float add_product(float a, float b, float sum) { return fmaf(a, b, sum); }
__device__ __forceinline__ double add_product(double a, double b, double sum) { return fma(a, b, sum); }
__device__ __forceinline__ int32_t add_product(int32_t a, int32_t b, int32_t sum) {
  return wrap_add(sum, wrap_multiply(a, b));
}

// sum += a b, whose products each element adds in the order of k. All threads of the layout do so; they see both
// operands. Lines past the end of a block read its first, and what they give is not contained.
template <class T, class L, class A, class B>
__device__ __forceinline__ void multiply_add(Fragment<T, L>& sum, const A& a, const B& b) {
  static_assert(A::kLines == L::kRows && B::kLines == L::kColumns && A::kDepth == B::kDepth);
  constexpr int step = A::kStep > B::kStep ? A::kStep : B::kStep;
  constexpr int turns = 8 / step;  // written out: the others would fill the instruction cache
  const int t = thread_of_group<L::kThreads>();
  const auto row = [t](int slot) { return L::contains_row(t, slot) ? L::row(t, slot) : 0; };
  const auto column = [t](int slot) { return L::contains_column(t, slot) ? L::column(t, slot) : 0; };
#pragma unroll turns
  for (int k = 0; k < A::kDepth; k += step) {
    T x[L::kThreadRows][step], y[L::kThreadColumns][step];
    a.template read<step, L::kThreadRows, L::kRowVector>(x, k, row);
    b.template read<step, L::kThreadColumns, L::kVector>(y, k, column);
#pragma unroll
    for (int i = 0; i < step; ++i) {
#pragma unroll
      for (int r = 0; r < L::kThreadRows; ++r) {
#pragma unroll
        for (int c = 0; c < L::kThreadColumns; ++c) {
          T& element = sum[r * L::kThreadColumns + c];
          element = add_product(x[r][i], y[c][i], element);
        }
      }
    }
  }
}

}  // namespace pallasgen
