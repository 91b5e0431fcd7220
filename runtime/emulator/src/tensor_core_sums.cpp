#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "multiply.h"

#define PALLASGEN_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))

namespace pallasgen::emulator {
namespace {

constexpr int kRowsOfA = 64, kLanes = 8;
constexpr int kLeastExponent = -126;         // the exponent of f32, the accumulator's type
constexpr int32_t kNoExponent = -(1 << 14);  // the exponent of 0, below that of any product

using Floats = float __attribute__((vector_size(32)));
using Ints = int32_t __attribute__((vector_size(32)));
using Doubles = double __attribute__((vector_size(64)));
using Longs = int64_t __attribute__((vector_size(64)));

/// Numbers as mantissas below 2, at least 1 unless they are subnormal, and exponents. 0 and non-finite numbers have the
/// mantissa 0.
struct NumberParts {
  std::vector<float> mantissas;
  std::vector<int32_t> exponents;

  /// Returns whether all are finite. `least`: the exponent of subnormal numbers.
  [[gnu::always_inline]] inline bool set(const float* numbers, size_t count, int least) {
    constexpr uint32_t kMantissa = 0x807f'ffff, kOne = 0x3f80'0000;
    mantissas.resize(count);
    exponents.resize(count);
    float* mantissa = mantissas.data();
    int32_t* exponent = exponents.data();
    const float to_least = std::ldexp(1.0f, -least);
    int not_finite = 0;
    for (size_t i = 0; i < count; ++i) {
      uint32_t bits;
      std::memcpy(&bits, numbers + i, sizeof bits);
      const int32_t biased = static_cast<int32_t>(bits >> 23 & 255), own = biased - 127;
      not_finite |= biased == 255;
      const uint32_t normal_bits = (bits & kMantissa) | kOne;
      float normal;
      std::memcpy(&normal, &normal_bits, sizeof normal);
      const bool none = (bits & 0x7fff'ffff) == 0 || biased == 255, subnormal = own < least;
      mantissa[i] = none ? 0.0f : subnormal ? numbers[i] * to_least : normal;
      exponent[i] = none ? kNoExponent : subnormal ? least : own;
    }
    return not_finite == 0;
  }
};

template <class Vector, class T>
[[gnu::always_inline]] inline void read_lanes(Vector& vector, const T* from) {
  std::memcpy(&vector, from, sizeof vector);
}

/// Adds mantissas, below 4, times 2^exponents, in units of 2^(top - unit_bits), cut towards 0.
[[gnu::always_inline]] inline void add_units(Ints& sum, const Floats& mantissas, const Ints& exponents, const Ints& top,
                                             int unit_bits) {
  Ints scale = exponents - top + (unit_bits + 127);
  scale = scale > 0 ? scale << 23 : Ints{};  // below 2^-126 nothing is left of it
  Floats factor;
  read_lanes(factor, &scale);
  sum += __builtin_convertvector(mantissas * factor, Ints);
}

/// Writes the sums, in units of 2^exponents, cut to `how`'s number of bits.
[[gnu::always_inline]] inline void cut_sums(float* to, const Doubles& sums, const Ints& exponents,
                                            const TensorCoreSums& how) {
  constexpr int kMantissaBits = 52;
  const int dropped = kMantissaBits + 1 - how.result_bits;
  const int64_t last = int64_t{1} << dropped;
  Longs bits;
  read_lanes(bits, &sums);
  if (how.to_odd) bits |= (bits & (last - 1)) != 0 ? Longs{} + last : Longs{};
  bits &= -last;
  Doubles kept, scale;
  read_lanes(kept, &bits);
  const Ints clamped = exponents > -1000 ? exponents : Ints{} - 1000;  // differs for 0 alone
  const Longs scale_bits = (__builtin_convertvector(clamped, Longs) + 1023) << kMantissaBits;
  read_lanes(scale, &scale_bits);
  kept *= scale;
  const Floats rounded = __builtin_convertvector(kept, Floats);  // exact unless subnormal in f32
  std::memcpy(to, &rounded, sizeof rounded);
  for (int lane = 0; lane < kLanes; ++lane) {
    constexpr int kLastOfF32 = kLeastExponent - 23;
    if (exponents[lane] >= kLeastExponent || kept[lane] == 0) continue;
    const double cut = std::ldexp(std::trunc(std::ldexp(kept[lane], -kLastOfF32)), kLastOfF32);
    if (std::fabs(kept[lane]) < 0x1p-126) to[lane] = static_cast<float>(cut);
  }
}

struct SummedOperands {
  const float *a, *b;
  int n, k;
  bool accumulate;

  /// The sum if an addend is infinite or NaN: no finite one counts. In f64, so that no product overflows.
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
  bool finite = of_a.set(a, static_cast<size_t>(kRowsOfA * k), how.least_a);
  finite &= of_b.set(b, static_cast<size_t>(n * k), how.least_b);
  if (accumulate) finite &= of_d.set(d, static_cast<size_t>(kRowsOfA * n), kLeastExponent);
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
      Ints sums[2] = {};  // two with half as many addends each, which fit 32 bits
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
      const Doubles total = __builtin_convertvector(sums[0], Doubles) + __builtin_convertvector(sums[1], Doubles);
      float cut[kLanes];
      cut_sums(cut, total, top - how.unit_bits, how);
      for (int lane = 0; lane < kLanes; ++lane) {
        float& sum = d[at + static_cast<size_t>(lane)];
        sum = finite || operands.is_finite(sum, i, j + lane) ? cut[lane] : operands.without_cuts(sum, i, j + lane);
      }
    }
}

}  // namespace pallasgen::emulator
