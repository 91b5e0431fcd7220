#pragma once
#include <math.h>
#include <pallasgen/types.h>
#include <string.h>

// sin, cos and tan of floats and doubles of any size, in registers alone: those of CUDA's library reduce large
// arguments in local memory, which gives every kernel that calls them a stack frame. Each step that could contract is
// written as one fma, so that the CPU computes the same bits. docs/language.md states the error bounds.
namespace pallasgen {

__extension__ typedef unsigned __int128 uint128;

// pi/2 in three parts, the largest argument whose quotient these reduce exactly, and the coefficients of sin(r) = r +
// r^3 (s[0] + s[1] r^2 + ...), cos(r) = 1 - r^2/2 + r^4 (c[0] + c[1] r^2 + ...) on [-pi/4, pi/4], fitted at Chebyshev
// nodes to 2^-26 and 2^-56 relative.
template <class F>
struct Trigonometry;

template <>
struct Trigonometry<float> {
  static constexpr float kLimit = 65536.0f;
  __host__ __device__ static float fma(float a, float b, float c) { return fmaf(a, b, c); }
  __host__ __device__ static float nearest(float x) { return rintf(x); }
  __host__ __device__ static float residue(float n, float x) {
    return fma(-n, -0x1.ee59dap-50f, fma(-n, -0x1.777a5cp-25f, fma(-n, 0x1.921fb6p+0f, x)));
  }
  __host__ __device__ static float sine_tail(float z) {
    return fma(z, fma(z, -1.958776556e-04f, 8.332747966e-03f), -1.666666418e-01f);
  }
  __host__ __device__ static float cosine_tail(float z) {
    return fma(z, fma(z, 2.454781679e-05f, -1.388830249e-03f), 4.166666418e-02f);
  }
};

template <>
struct Trigonometry<double> {
  static constexpr double kLimit = 1048576.0;
  __host__ __device__ static double fma(double a, double b, double c) { return ::fma(a, b, c); }
  __host__ __device__ static double nearest(double x) { return rint(x); }
  __host__ __device__ static double residue(double n, double x) {
    return fma(-n, -0x1.f1976b7ed8fbcp-110, fma(-n, 0x1.1a62633145c07p-54, fma(-n, 0x1.921fb54442d18p+0, x)));
  }
  __host__ __device__ static double sine_tail(double z) {
    const double high = fma(z, fma(z, 1.59180591369828108e-10, -2.50511308709682973e-08), 2.75573160978777487e-06);
    return fma(z, fma(z, fma(z, high, -1.98412698367495612e-04), 8.33333333333094277e-03), -1.66666666666666657e-01);
  }
  __host__ __device__ static double cosine_tail(double z) {
    const double high = fma(z, fma(z, -1.13825885353525218e-11, 2.08761456590593437e-09), -2.75573172688053906e-07);
    return fma(z, fma(z, fma(z, high, 2.48015872987600479e-05), -1.38888888888873932e-03), 4.16666666666666644e-02);
  }
};

// An angle as quadrant * pi/2 + rest, |rest| <= pi/4; the quadrant modulo 4. `rest` is NaN for infinities and NaN.
template <class F>
struct Angle {
  int quadrant;
  F rest;
};

// 64 bits of 2/pi, from bit 64 * (i - 1) after its binary point; zeros before it.
__host__ __device__ inline uint64_t two_over_pi(int i) {
  static constexpr uint64_t bits[] = {0,
                                      0xa2f9836e4e441529,
                                      0xfc2757d1f534ddc0,
                                      0xdb6295993c439041,
                                      0xfe5163abdebbc561,
                                      0xb7246e3a424dd2e0,
                                      0x06492eea09d1921c,
                                      0xfe1deb1cb129a73e,
                                      0xe88235f52ebb4484,
                                      0xe99c7026b45f7e41,
                                      0x3991d639835339f4,
                                      0x9c845f8bbdf9283b,
                                      0x1ff897ffde05980f,
                                      0xef2f118b5a0a6d1f,
                                      0x6d367ecf27cb09b7,
                                      0x4f463f669e5fea2d,
                                      0x7527bac7ebe5f17b,
                                      0x3d0739f78a5292ea,
                                      0x6bfb5fb11f8d5d08,
                                      0x56033046fc7b6bab};
  return bits[i];
}

// The angle of a finite x >= 2^16: x * 2/pi modulo 4 in whole numbers. With x = m * 2^e, only 192 bits of 2/pi count:
// those before them add multiples of 4, those after them less than 2^-137, and no double is nearer than 2^-62 to a
// multiple of pi/2 in these units.
__host__ __device__ inline Angle<double> large_angle(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  const uint64_t m = (bits & ((uint64_t{1} << 52) - 1)) | (uint64_t{1} << 52);
  const int first = static_cast<int>(bits >> 52) - 1075 + 62;  // first bit taken from the table
  const int word = first >> 6, shift = first & 63;
  const uint64_t w0 = two_over_pi(word), w1 = two_over_pi(word + 1), w2 = two_over_pi(word + 2),
                 w3 = two_over_pi(word + 3);
  const auto joined = [shift](uint64_t high, uint64_t low) {
    return shift == 0 ? high : (high << shift) | (low >> (64 - shift));
  };
  const uint128 low = static_cast<uint128>(m) * joined(w2, w3);
  const uint128 middle = static_cast<uint128>(m) * joined(w1, w2) + static_cast<uint64_t>(low >> 64);
  const uint64_t high = m * joined(w0, w1) + static_cast<uint64_t>(middle >> 64);
  // Two bits of quadrant and 190 of fraction, of which 128 are enough; a fraction above one half belongs to the next
  // quadrant.
  const uint128 product = (static_cast<uint128>(high) << 64) | static_cast<uint64_t>(middle);
  uint128 fraction = (product << 2) | (static_cast<uint64_t>(low) >> 62);
  const bool negative = (fraction >> 127) != 0;
  const int quadrant = (static_cast<int>(high >> 62) + (negative ? 1 : 0)) & 3;
  if (negative) fraction = 0 - fraction;
  const double magnitude = fma(static_cast<double>(static_cast<uint64_t>(fraction >> 64)), 0x1p64,
                               static_cast<double>(static_cast<uint64_t>(fraction)));
  const double rest = magnitude * (0x1.921fb54442d18p+0 * 0x1p-128);
  return {quadrant, negative ? -rest : rest};
}

template <class F>
__host__ __device__ inline Angle<F> angle_of(F x) {
  using T = Trigonometry<F>;
  const F size = x < F(0) ? -x : x;
  if (size < T::kLimit) {
    const F n = T::nearest(x * F(0x1.45f306dc9c883p-1));
    return {static_cast<int>(n) & 3, n == F(0) ? x : T::residue(n, x)};
  }
  if (!(size - size == F(0))) return {0, size - size};
  const Angle<double> angle = large_angle(static_cast<double>(size));
  const F rest = static_cast<F>(angle.rest);
  return x < F(0) ? Angle<F>{-angle.quadrant & 3, -rest} : Angle<F>{angle.quadrant, rest};
}

// sin and cos of |r| <= pi/4.
template <class F>
__host__ __device__ inline F sine_near_zero(F r) {
  using T = Trigonometry<F>;
  const F z = r * r;
  return r == F(0) ? r : T::fma(r * z, T::sine_tail(z), r);  // -0 stays
}
template <class F>
__host__ __device__ inline F cosine_near_zero(F r) {
  using T = Trigonometry<F>;
  const F z = r * r;
  return T::fma(z * z, T::cosine_tail(z), T::fma(z, F(-0.5), F(1)));
}

template <class F>
__host__ __device__ inline F sine(F x) {
  const Angle<F> angle = angle_of(x);
  const F value = angle.quadrant & 1 ? cosine_near_zero(angle.rest) : sine_near_zero(angle.rest);
  return angle.quadrant & 2 ? -value : value;
}
template <class F>
__host__ __device__ inline F cosine(F x) {
  const Angle<F> angle = angle_of(x);
  const F value = angle.quadrant & 1 ? sine_near_zero(angle.rest) : cosine_near_zero(angle.rest);
  return (angle.quadrant + 1) & 2 ? -value : value;
}
template <class F>
__host__ __device__ inline F tangent(F x) {
  const Angle<F> angle = angle_of(x);
  const F s = sine_near_zero(angle.rest), c = cosine_near_zero(angle.rest);
  return angle.quadrant & 1 ? -c / s : s / c;
}

}  // namespace pallasgen
