#include "multiply.h"

#include <cstring>

namespace pallasgen::emulator {
namespace {

constexpr int kM = 64, kK = 16;
constexpr int kRows = 4;  // of the block held in registers

using Vector = float __attribute__((vector_size(32)));
constexpr int kVector = 8;

/// Columns j to j + kVectors * 8 - 1 of rows i to i + 3.
template <int kVectors>
[[gnu::always_inline]] inline void block(float* d, const float* a, const float* b, int n, int i, int j,
                                         bool accumulate) {
  Vector sum[kRows][kVectors];
  for (int r = 0; r < kRows; ++r)
    for (int v = 0; v < kVectors; ++v) {
      if (accumulate)
        std::memcpy(&sum[r][v], d + (i + r) * n + j + v * kVector, sizeof(Vector));
      else
        sum[r][v] = Vector{};
    }
  for (int k = 0; k < kK; ++k) {
    Vector right[kVectors];
    for (int v = 0; v < kVectors; ++v) std::memcpy(&right[v], b + k * n + j + v * kVector, sizeof(Vector));
    for (int r = 0; r < kRows; ++r) {
      const float left = a[k * kM + i + r];
      for (int v = 0; v < kVectors; ++v) sum[r][v] += left * right[v];
    }
  }
  for (int r = 0; r < kRows; ++r)
    for (int v = 0; v < kVectors; ++v) std::memcpy(d + (i + r) * n + j + v * kVector, &sum[r][v], sizeof(Vector));
}

}  // namespace

// Vector units differ between machines, results do not: each lane does the same operations in the same order.
__attribute__((target_clones("avx512f", "avx2", "default"))) void multiply(float* d, const float* a, const float* b,
                                                                           int n, bool accumulate) {
  int j = 0;
  for (; j + 2 * kVector <= n; j += 2 * kVector)
    for (int i = 0; i < kM; i += kRows) block<2>(d, a, b, n, i, j, accumulate);
  for (; j < n; j += kVector)
    for (int i = 0; i < kM; i += kRows) block<1>(d, a, b, n, i, j, accumulate);
}

}  // namespace pallasgen::emulator
