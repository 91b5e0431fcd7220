#pragma once
#include <pallasgen/meaning.h>
#include <pallasgen/types.h>

#include <pallasgen/arithmetic.cuh>
#include <pallasgen/fragment.cuh>
#include <pallasgen/layout.cuh>
#include <pallasgen/math.cuh>
#include <pallasgen/run.cuh>
#include <pallasgen/swizzle.cuh>

// Products of matrices by fused multiply-adds: operands in shared memory, the result in blocks of threads (FmaLayout).
namespace pallasgen {

// The lines of an operand that threads of layout L read: rows of the result, or its columns. Lines past the end read
// the first line instead; their results are not contained.
template <class L>
struct LinesDown {
  static constexpr int kSlots = L::kThreadRows, kVector = L::kRowVector, kRound = L::kRowRound;
  __device__ __forceinline__ static int first(int t) { return L::row(t, 0); }
  __device__ __forceinline__ static int line(int t, int slot) { return L::contains_row(t, slot) ? L::row(t, slot) : 0; }
};
template <class L>
struct LinesAcross {
  static constexpr int kSlots = L::kThreadColumns, kVector = L::kVector, kRound = L::kColumnRound;
  __device__ __forceinline__ static int first(int t) { return L::column(t, 0); }
  __device__ __forceinline__ static int line(int t, int slot) {
    return L::contains_column(t, slot) ? L::column(t, slot) : 0;
  }
};

constexpr int kMostAtOnce = 4;  // elements that are read of a line
__host__ __device__ constexpr int elements_at_once(int bytes, int depth) {
  int n = bytes < 4 ? kMostAtOnce : 16 / bytes;
  while (depth % n != 0) n /= 2;
  return n;
}

// An operand whose lines (rows of a, columns of b) are its rows, along k; swizzled in boxes, or without gaps.
template <class T, int Lines, int Depth, Swizzle S>
struct KMajor {
  static constexpr int kLines = Lines, kDepth = Depth, kStep = elements_at_once(sizeof(T), Depth);
  const T* tile;

  // Elements k to k + kStep - 1 of the lines of thread t.
  template <class Side, class Sum>
  __device__ __forceinline__ void read(Sum (&to)[Side::kSlots][kStep], int k, int t) const {
#pragma unroll
    for (int slot = 0; slot < Side::kSlots; ++slot) {
      Run<T, kStep> run;
      load_shared_run(run, tile + index<Side>(t, slot, k));
#pragma unroll
      for (int i = 0; i < kStep; ++i) to[slot][i] = static_cast<Sum>(run.v[i]);
    }
  }

 private:
  template <class Side>
  __device__ __forceinline__ static int index(int t, int slot, int k) {
    const int line = Side::line(t, slot);
    if constexpr (S == Swizzle::kNone) {
      return line * Depth + k;
    } else {
      constexpr int span = swizzle_span(S), width = span / static_cast<int>(sizeof(T));
      static_assert(Depth % width == 0, "whole column boxes");
      // As swizzled(); lines of a thread that are whole periods apart share the pattern.
      const int of_pattern = Side::kRound % 8 == 0 && Side::kVector == 1 ? Side::first(t) : line;
      const int pattern = (of_pattern * span >> 7 & (span / 16 - 1)) * (16 / static_cast<int>(sizeof(T)));
      return (k / width * Lines + line) * width + (k % width ^ pattern);
    }
  }
};

// An operand whose rows run across its lines, each with one element of every line; swizzled if tensor cores read it
// too.
template <class T, int Lines, int Depth, Swizzle S>
struct MnMajor {
  static constexpr int kLines = Lines, kDepth = Depth, kStep = 1;
  const T* tile;

  // Reads element k of the lines of thread t, some of which are neighbours.
  template <class Side, class Sum>
  __device__ __forceinline__ void read(Sum (&to)[Side::kSlots][1], int k, int t) const {
#pragma unroll
    for (int slot = 0; slot < Side::kSlots; slot += Side::kVector) {
      Run<T, Side::kVector> run;
      const int at = k * Lines + Side::line(t, slot);
      if constexpr (S == Swizzle::kNone)
        load_shared_run(run, tile + at);
      else
        load_shared_run(run, tile + swizzled_index<S, T, Depth, Lines>(at));
#pragma unroll
      for (int i = 0; i < Side::kVector; ++i) to[slot + i][0] = static_cast<Sum>(run.v[i]);
    }
  }
};

template <int Lines, int Depth, Swizzle S = Swizzle::kNone, class T>
__device__ __forceinline__ KMajor<T, Lines, Depth, S> k_major(const T* tile) {
  return {tile};
}
template <int Lines, int Depth, Swizzle S = Swizzle::kNone, class T>
__device__ __forceinline__ MnMajor<T, Lines, Depth, S> mn_major(const T* tile) {
  return {tile};
}

__device__ __forceinline__ float add_product(float a, float b, float sum) { return fmaf(a, b, sum); }
__device__ __forceinline__ double add_product(double a, double b, double sum) { return fma(a, b, sum); }
__device__ __forceinline__ int32_t add_product(int32_t a, int32_t b, int32_t sum) {
  return wrap_add(sum, wrap_multiply(a, b));
}

// Elements that are multiplied unchanged, and those that are rounded to tf32 first.
struct AsTheyAre {
  template <class T, int Slots, int Step>
  __device__ __forceinline__ static void prepare(T (&)[Slots][Step]) {}
};
struct RoundedToTf32 {
  template <int Slots, int Step>
  __device__ __forceinline__ static void prepare(float (&x)[Slots][Step]) {
#pragma unroll
    for (auto& slot : x) {
#pragma unroll
      for (float& element : slot) element = round_to_tf32(element);
    }
  }
};

// sum += a b; each element adds its products in the order of k. All threads of the layout take part, and both operands
// are visible to them.
template <class Elements = AsTheyAre, class T, class L, class A, class B>
PALLASGEN_MEANS("shared_read a b")
__device__ __forceinline__ void multiply_add(Fragment<T, L>& sum, const A& a, const B& b) {
  static_assert(A::kLines == L::kRows && B::kLines == L::kColumns && A::kDepth == B::kDepth);
  constexpr int step = A::kStep > B::kStep ? A::kStep : B::kStep;
  [[maybe_unused]] constexpr int turns = 8 / step;  // unrolled; unrolling all of them would fill the instruction cache
  const int t = thread_of_group<L::kThreads>();
#pragma unroll turns
  for (int k = 0; k < A::kDepth; k += step) {
    T x[L::kThreadRows][A::kStep], y[L::kThreadColumns][B::kStep];
#pragma unroll
    for (int i = 0; i < step; ++i) {
      if (i % A::kStep == 0) {
        a.template read<LinesDown<L>>(x, k + i, t);
        Elements::prepare(x);
      }
      if (i % B::kStep == 0) {
        b.template read<LinesAcross<L>>(y, k + i, t);
        Elements::prepare(y);
      }
#pragma unroll
      for (int r = 0; r < L::kThreadRows; ++r) {
#pragma unroll
        for (int c = 0; c < L::kThreadColumns; ++c) {
          T& element = sum[r * L::kThreadColumns + c];
          element = add_product(x[r][i % A::kStep], y[c][i % B::kStep], element);
        }
      }
    }
  }
}

}  // namespace pallasgen
