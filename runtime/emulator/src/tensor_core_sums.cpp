#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "multiply.h"

#define PALLASGEN_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))

namespace pallasgen::emulator {
namespace {

constexpr int kRowsOfA = 64, kLanes = 8;
constexpr int kLeastExponent = -126;         // of f32, which the accumulator has
constexpr int32_t kNoExponent = -(1 << 14);  // of 0: below that of any product

using Floats = float __attribute__((vector_size(32)));
using Ints = int32_t __attribute__((vector_size(32)));

/// Numbers as mantissas below 2, above or at 1 where they are not subnormal, and exponents.
struct NumberParts {
  std::vector<float> mantissas;
  std::vector<int32_t> exponents;

  void set(const float* numbers, size_t count, int least) {
    mantissas.resize(count);
    exponents.resize(count);
    for (size_t i = 0; i < count; ++i) {
      const bool none = numbers[i] == 0 || !std::isfinite(numbers[i]);
      const int exponent = none ? 0 : std::max(std::ilogb(numbers[i]), least);
      mantissas[i] = none ? 0 : std::ldexp(numbers[i], -exponent);
      exponents[i] = none ? kNoExponent : exponent;
    }
  }
};

template <class Vector, class T>
[[gnu::always_inline]] inline void read_lanes(Vector& vector, const T* from) {
  std::memcpy(&vector, from, sizeof vector);
}

/// Mantissas, below 4, times 2^exponents, in units of 2^(top - unit_bits), cut towards 0.
[[gnu::always_inline]] inline void add_units(Ints& sum, const Floats& mantissas, const Ints& exponents, const Ints& top,
                                             int unit_bits) {
  Ints scale = exponents - top + (unit_bits + 127);
  scale = scale > 0 ? scale << 23 : Ints{};  // below 2^-126 nothing is left of it
  Floats factor;
  read_lanes(factor, &scale);
  sum += __builtin_convertvector(mantissas * factor, Ints);
}

/// `sum` times 2^exponent in as many bits; f32 has no bits below 2^-149.
float cut_sum(double sum, int exponent, const TensorCoreSums& how) {
  if (sum == 0) return 0;
  const int lowest = std::max(std::ilogb(sum) + exponent - (how.result_bits - 1), kLeastExponent - 23);
  const double units = std::ldexp(sum, exponent - lowest);
  double kept = std::trunc(units);
  if (how.to_odd && kept != units && std::fmod(kept, 2) == 0) kept += std::copysign(1.0, units);
  return static_cast<float>(std::ldexp(kept, lowest));
}

struct SummedOperands {
  const float *a, *b;
  int n, k;
  bool accumulate;

  /// The sum where an addend is infinite or NaN: no finite one counts. In f64, so that no product overflows.
  float without_cuts(float before, int i, int j) const {
    double sum = accumulate ? static_cast<double>(before) : 0.0;
    for (int p = 0; p < k; ++p) sum += static_cast<double>(a[p * kRowsOfA + i]) * static_cast<double>(b[p * n + j]);
    return static_cast<float>(sum);
  }
  bool is_finite(float before, int i, int j) const {
    bool finite = !accumulate || std::isfinite(before);
    for (int p = 0; p < k; ++p) finite = finite && std::isfinite(a[p * kRowsOfA + i]) && std::isfinite(b[p * n + j]);
    return finite;
  }
};

}  // namespace

PALLASGEN_CLONES void multiply(float* d, const float* a, const float* b, int n, int k, bool accumulate,
                               const TensorCoreSums& how) {
  static thread_local NumberParts of_a, of_b, of_d;
  of_a.set(a, static_cast<size_t>(kRowsOfA * k), how.least_a);
  of_b.set(b, static_cast<size_t>(n * k), how.least_b);
  if (accumulate) of_d.set(d, static_cast<size_t>(kRowsOfA * n), kLeastExponent);
  const auto all_finite = [](const float* from, int count) {
    return std::all_of(from, from + count, [](float x) { return std::isfinite(x); });
  };
  const bool finite =
      all_finite(a, kRowsOfA * k) && all_finite(b, n * k) && (!accumulate || all_finite(d, kRowsOfA * n));
  const SummedOperands operands{a, b, n, k, accumulate};
  for (int i = 0; i < kRowsOfA; ++i)
    for (int j = 0; j < n; j += kLanes) {
      const size_t at = static_cast<size_t>(i * n + j);
      Ints exponents, top = Ints{} + kNoExponent;
      Floats mantissas;
      if (accumulate) read_lanes(top, &of_d.exponents[at]);
      for (int p = 0; p < k; ++p) {
        read_lanes(exponents, &of_b.exponents[static_cast<size_t>(p * n + j)]);
        exponents += of_a.exponents[static_cast<size_t>(p * kRowsOfA + i)];
        top = exponents > top ? exponents : top;
      }
      Ints sums[2] = {};  // two of half as many addends, which 32 bits hold
      if (accumulate) {
        read_lanes(exponents, &of_d.exponents[at]);
        read_lanes(mantissas, &of_d.mantissas[at]);
        add_units(sums[0], mantissas, exponents, top, how.unit_bits);
      }
      for (int p = 0; p < k; ++p) {
        const size_t left = static_cast<size_t>(p * kRowsOfA + i), right = static_cast<size_t>(p * n + j);
        read_lanes(exponents, &of_b.exponents[right]);
        read_lanes(mantissas, &of_b.mantissas[right]);
        add_units(sums[p % 2], mantissas * of_a.mantissas[left], exponents + of_a.exponents[left], top, how.unit_bits);
      }
      for (int lane = 0; lane < kLanes; ++lane) {
        float& sum = d[at + static_cast<size_t>(lane)];
        sum = finite || operands.is_finite(sum, i, j + lane)
                  ? cut_sum(static_cast<double>(sums[0][lane]) + static_cast<double>(sums[1][lane]),
                            top[lane] - how.unit_bits, how)
                  : operands.without_cuts(sum, i, j + lane);
      }
    }
}

}  // namespace pallasgen::emulator
