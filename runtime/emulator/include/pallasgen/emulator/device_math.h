#pragma once
#include <math.h>

#include <cstdint>
#include <limits>
#include <type_traits>

// Numeric functions of the CUDA compiler, which users' device functions call without an include. The fast ones
// (`__expf`) round as the library does here; a GPU may be off by the error in the CUDA programming guide.

namespace pallasgen::emulator {

// Converts a float to an integer: NaN is 0, values out of range saturate.
template <class To, class From>
inline To nearest_integer(From x) {
  if (x != x) return 0;
  if (x <= static_cast<From>(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
  if (x >= static_cast<From>(std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
  return static_cast<To>(x);
}

template <class A, class B>
using CommonArithmetic = std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B>, std::common_type_t<A, B>>;

}  // namespace pallasgen::emulator

// A NaN loses to a number, as in fmin and fmax.
template <class A, class B>
constexpr pallasgen::emulator::CommonArithmetic<A, B> min(A a, B b) {
  const pallasgen::emulator::CommonArithmetic<A, B> x = a, y = b;
  return x != x || y < x ? y : x;
}
template <class A, class B>
constexpr pallasgen::emulator::CommonArithmetic<A, B> max(A a, B b) {
  const pallasgen::emulator::CommonArithmetic<A, B> x = a, y = b;
  return x != x || x < y ? y : x;
}

inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline double rsqrt(double x) { return 1.0 / sqrt(x); }
inline float rcbrtf(float x) { return 1.0f / cbrtf(x); }
inline double rcbrt(double x) { return 1.0 / cbrt(x); }
inline float normcdff(float x) { return 0.5f * erfcf(x * -0.70710678f); }
inline double normcdf(double x) { return 0.5 * erfc(x * -0.70710678118654752); }
inline double sinpi(double x) { return sin(3.14159265358979324 * fmod(x, 2.0)); }
inline double cospi(double x) { return cos(3.14159265358979324 * fmod(x, 2.0)); }
inline float sinpif(float x) { return static_cast<float>(sinpi(x)); }
inline float cospif(float x) { return static_cast<float>(cospi(x)); }
inline float fdividef(float x, float y) { return x / y; }

inline float __expf(float x) { return expf(x); }
inline float __exp10f(float x) { return powf(10.0f, x); }
inline float __logf(float x) { return logf(x); }
inline float __log2f(float x) { return log2f(x); }
inline float __log10f(float x) { return log10f(x); }
inline float __powf(float x, float y) { return powf(x, y); }
inline float __sinf(float x) { return sinf(x); }
inline float __cosf(float x) { return cosf(x); }
inline float __tanf(float x) { return tanf(x); }
inline float __fdividef(float x, float y) { return x / y; }
inline float __saturatef(float x) { return x > 0.0f ? x < 1.0f ? x : 1.0f : 0.0f; }

// Rounded to nearest.
inline float __fadd_rn(float x, float y) { return x + y; }
inline float __fsub_rn(float x, float y) { return x - y; }
inline float __fmul_rn(float x, float y) { return x * y; }
inline float __fdiv_rn(float x, float y) { return x / y; }
inline float __fmaf_rn(float x, float y, float z) { return fmaf(x, y, z); }
inline float __frcp_rn(float x) { return 1.0f / x; }
inline float __fsqrt_rn(float x) { return sqrtf(x); }
inline float __frsqrt_rn(float x) { return static_cast<float>(1.0 / sqrt(static_cast<double>(x))); }
inline double __dadd_rn(double x, double y) { return x + y; }
inline double __dsub_rn(double x, double y) { return x - y; }
inline double __dmul_rn(double x, double y) { return x * y; }
inline double __ddiv_rn(double x, double y) { return x / y; }
inline double __fma_rn(double x, double y, double z) { return fma(x, y, z); }
inline double __drcp_rn(double x) { return 1.0 / x; }
inline double __dsqrt_rn(double x) { return sqrt(x); }

// Conversions: to the nearest even (rn), towards zero (rz), down (rd) and up (ru).
#define PALLASGEN_ROUNDED(name, from, to)                                                                             \
  inline to __##name##_rn(from x) { return pallasgen::emulator::nearest_integer<to>(rint(static_cast<double>(x))); }  \
  inline to __##name##_rz(from x) { return pallasgen::emulator::nearest_integer<to>(trunc(static_cast<double>(x))); } \
  inline to __##name##_rd(from x) { return pallasgen::emulator::nearest_integer<to>(floor(static_cast<double>(x))); } \
  inline to __##name##_ru(from x) { return pallasgen::emulator::nearest_integer<to>(ceil(static_cast<double>(x))); }
PALLASGEN_ROUNDED(float2int, float, int)
PALLASGEN_ROUNDED(float2uint, float, unsigned)
PALLASGEN_ROUNDED(float2ll, float, long long)
PALLASGEN_ROUNDED(float2ull, float, unsigned long long)
PALLASGEN_ROUNDED(double2int, double, int)
PALLASGEN_ROUNDED(double2uint, double, unsigned)
PALLASGEN_ROUNDED(double2ll, double, long long)
PALLASGEN_ROUNDED(double2ull, double, unsigned long long)
#undef PALLASGEN_ROUNDED
inline float __int2float_rn(int x) { return static_cast<float>(x); }
inline float __uint2float_rn(unsigned x) { return static_cast<float>(x); }
inline float __ll2float_rn(long long x) { return static_cast<float>(x); }
inline float __ull2float_rn(unsigned long long x) { return static_cast<float>(x); }
inline double __int2double_rn(int x) { return x; }
inline double __uint2double_rn(unsigned x) { return x; }
inline double __ll2double_rn(long long x) { return static_cast<double>(x); }
inline double __ull2double_rn(unsigned long long x) { return static_cast<double>(x); }
inline float __double2float_rn(double x) { return static_cast<float>(x); }

// Integer multiplication.
inline int __mulhi(int a, int b) { return static_cast<int>((static_cast<int64_t>(a) * b) >> 32); }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>((static_cast<unsigned __int128>(a) * b) >> 64);
}
inline long long __mul64hi(long long a, long long b) {
  return static_cast<long long>((static_cast<__int128>(a) * b) >> 64);
}
inline int __mul24(int a, int b) {
  const auto low = [](int x) { return static_cast<int64_t>(static_cast<int>(static_cast<unsigned>(x) << 8) >> 8); };
  return static_cast<int>(low(a) * low(b));
}
inline unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffffu) * (b & 0xffffffu); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned __brev(unsigned x) {
  unsigned r = 0;
  for (int i = 0; i < 32; ++i) r |= (x >> i & 1u) << (31 - i);
  return r;
}
inline unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
  const uint64_t bytes = a | static_cast<uint64_t>(b) << 32;
  unsigned r = 0;
  for (int i = 0; i < 4; ++i) r |= static_cast<unsigned>(bytes >> (selector >> 4 * i & 7) * 8 & 0xff) << 8 * i;
  return r;
}
inline long long __double_as_longlong(double x) {
  long long bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}
inline double __longlong_as_double(long long x) {
  double value;
  __builtin_memcpy(&value, &x, sizeof value);
  return value;
}
