#include "multiply.h"

#include <cstring>

// Vector units differ between machines, results do not: each lane does the same operations in the same order.
#define PALLASGEN_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))

namespace pallasgen::emulator {
namespace {

constexpr int kM = 64;
constexpr int kTileRows = 4;  // rows of the block held in registers
constexpr int kVector = 8;

using Vector = uint32_t __attribute__((vector_size(32)));

/// Columns j to j + kVectors * 8 - 1 of rows i to i + 3.
template <int kVectors>
[[gnu::always_inline]] inline void block(uint32_t* d, const uint32_t* a, const uint32_t* b, int n, int depth, int i,
                                         int j, bool accumulate) {
  Vector sum[kTileRows][kVectors];
  for (int r = 0; r < kTileRows; ++r)
    for (int v = 0; v < kVectors; ++v) {
      if (accumulate)
        std::memcpy(&sum[r][v], d + (i + r) * n + j + v * kVector, sizeof(Vector));
      else
        sum[r][v] = Vector{};
    }
  for (int k = 0; k < depth; ++k) {
    Vector right[kVectors];
    for (int v = 0; v < kVectors; ++v) std::memcpy(&right[v], b + k * n + j + v * kVector, sizeof(Vector));
    for (int r = 0; r < kTileRows; ++r) {
      const uint32_t left = a[k * kM + i + r];
      for (int v = 0; v < kVectors; ++v) sum[r][v] += left * right[v];
    }
  }
  for (int r = 0; r < kTileRows; ++r)
    for (int v = 0; v < kVectors; ++v) std::memcpy(d + (i + r) * n + j + v * kVector, &sum[r][v], sizeof(Vector));
}

}  // namespace

PALLASGEN_CLONES void multiply(uint32_t* d, const uint32_t* a, const uint32_t* b, int n, int k, bool accumulate) {
  int j = 0;
  for (; j + 2 * kVector <= n; j += 2 * kVector)
    for (int i = 0; i < kM; i += kTileRows) block<2>(d, a, b, n, k, i, j, accumulate);
  for (; j < n; j += kVector)
    for (int i = 0; i < kM; i += kTileRows) block<1>(d, a, b, n, k, i, j, accumulate);
}

}  // namespace pallasgen::emulator
