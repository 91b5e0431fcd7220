#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "multiply.h"

namespace pallasgen::emulator {
namespace {

constexpr int kRowsOfA = 64;
constexpr int kAddends = 33;  // the products of one instruction and the accumulator

float sum_of(const std::array<float, kAddends>& addends, int count) {
  float largest = 0, plain = 0;
  for (int i = 0; i < count; ++i) {
    largest = std::max(largest, std::fabs(addends[static_cast<size_t>(i)]));
    plain += addends[static_cast<size_t>(i)];
  }
  if (!std::isfinite(plain) || largest == 0) return plain;
  const int unit = std::ilogb(largest) - (kBitsOfF8Sums - 1);
  int64_t sum = 0;  // in units, each addend below 2^14
  const double scale = std::ldexp(1.0, -unit);
  for (int i = 0; i < count; ++i) sum += static_cast<int64_t>(addends[static_cast<size_t>(i)] * scale);
  int dropped = 0;
  while (std::abs(sum) >> (kBitsOfF8Sums + dropped) != 0) ++dropped;
  sum = sum / (int64_t{1} << dropped) * (int64_t{1} << dropped);
  return static_cast<float>(std::ldexp(static_cast<double>(sum), unit));
}

}  // namespace

void multiply_f8(float* d, const float* a, const float* b, int n, int k, bool accumulate) {
  std::array<float, kAddends> addends;
  for (int i = 0; i < kRowsOfA; ++i) {
    for (int j = 0; j < n; ++j) {
      int count = 0;
      if (accumulate) addends[static_cast<size_t>(count++)] = d[i * n + j];
      for (int p = 0; p < k; ++p) addends[static_cast<size_t>(count++)] = a[p * kRowsOfA + i] * b[p * n + j];
      d[i * n + j] = sum_of(addends, count);
    }
  }
}

}  // namespace pallasgen::emulator
