#pragma once
#include <string.h>

#include <pallasgen/math.cuh>

// The language's integer arithmetic, which wraps where C++'s signed arithmetic would overflow, and the float arithmetic
// that C's library lacks.
namespace pallasgen {

// Sums, differences and products modulo 2^bits.
template <class T>
__host__ __device__ constexpr T wrap_add(T a, T b) {
  return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
template <class T>
__host__ __device__ constexpr T wrap_subtract(T a, T b) {
  return static_cast<T>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}
template <class T>
__host__ __device__ constexpr T wrap_multiply(T a, T b) {
  return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}
template <class T>
__host__ __device__ constexpr T wrap_negate(T a) {
  return wrap_subtract(T(0), a);
}
template <class T>
__host__ __device__ constexpr T wrap_abs(T a) {
  if constexpr (T(-1) < T(0)) return a < T(0) ? wrap_negate(a) : a;
  return a;
}

// The square of a float.
template <class T>
__host__ __device__ constexpr T square(T x) {
  return x * x;
}

// a ** n for n >= 0, modulo 2^bits.
template <class T>
__host__ __device__ constexpr T power(T a, T n) {
  T result = T(1);
  for (uint64_t left = static_cast<uint64_t>(n); left != 0; left >>= 1) {
    if (left & 1) result = wrap_multiply(result, a);
    a = wrap_multiply(a, a);
  }
  return result;
}

// Shifts by any amount: shifts past the width and by negative amounts leave zeros or the sign alone.
template <class T>
__host__ __device__ constexpr T shift_left(T a, T by) {
  const bool within = static_cast<uint64_t>(by) < kBits<T>;
  return within ? static_cast<T>(static_cast<uint64_t>(a) << by) : T(0);
}
template <class T>
__host__ __device__ constexpr T shift_right(T a, T by) {
  const bool within = static_cast<uint64_t>(by) < kBits<T>;
  const T last = kBits<T> - 1;  // leaves the sign
  if constexpr (T(-1) < T(0)) return static_cast<T>(a >> (within ? by : last));
  return within ? static_cast<T>(a >> by) : T(0);
}

// Counts the 0 bits of `a` above its highest 1 (all bits if `a` is 0), and its 1 bits.
template <class T>
__device__ T leading_zeros(T a) {
  if constexpr (kBits<T> == 64) {
    return static_cast<T>(__clzll(static_cast<long long>(a)));
  } else {
    const uint32_t top = static_cast<uint32_t>(a) << (32 - kBits<T>);
    return static_cast<T>(top == 0 ? kBits<T> : __clz(static_cast<int>(top)));
  }
}
template <class T>
__device__ T count_ones(T a) {
  if constexpr (kBits<T> == 64) {
    return static_cast<T>(__popcll(static_cast<unsigned long long>(a)));
  } else {
    return static_cast<T>(__popc(static_cast<uint32_t>(a) << (32 - kBits<T>)));
  }
}

// a / b rounded up, for integers of any sign.
template <class T>
__host__ __device__ constexpr T ceil_divide(T a, T b) {
  return b == T(0) ? kUndefinedInteger<T> : wrap_add(floor_divide(a, b), T(floor_modulo(a, b) != T(0) ? 1 : 0));
}

// -1, 0 or 1; zeros keep their sign, NaN stays.
template <class T>
__host__ __device__ __forceinline__ T sign(T x) {
  if constexpr (T(-1) < T(0)) {
    if (x < T(0)) return T(-1);
  }
  return x > T(0) ? T(1) : x;
}

// The float remainder with the sign of b, and the matching quotient, as Python's % and //.
template <class T>
__host__ __device__ __forceinline__ T float_modulo(T a, T b) {
  T rest;
  if constexpr (kIsSame<T, float>)
    rest = fmodf(a, b);
  else
    rest = fmod(a, b);
  if (rest == T(0)) return b < T(0) ? -T(0) : T(0);
  return (rest < T(0)) != (b < T(0)) ? rest + b : rest;
}
template <class T>
__host__ __device__ __forceinline__ T float_quotient(T a, T b) {
  T rest, quotient;
  if constexpr (kIsSame<T, float>)
    rest = fmodf(a, b);
  else
    rest = fmod(a, b);
  if (b == T(0) || rest != rest) return a / b;
  quotient = (a - rest) / b;
  if (rest != T(0) && (rest < T(0)) != (b < T(0))) quotient -= T(1);
  if constexpr (kIsSame<T, float>)
    return rintf(quotient);
  else
    return rint(quotient);
}
__host__ __device__ __forceinline__ float floor_modulo(float a, float b) { return float_modulo(a, b); }
__host__ __device__ __forceinline__ double floor_modulo(double a, double b) { return float_modulo(a, b); }
__host__ __device__ __forceinline__ float floor_divide(float a, float b) { return float_quotient(a, b); }
__host__ __device__ __forceinline__ double floor_divide(double a, double b) { return float_quotient(a, b); }

// 1 / (1 + e^-x) from x and the power p = e^-|x|, which never overflows: 1 / (1 + p) or, for negative x, p / (1 + p),
// down to the smallest subnormal. The quotient needs no check of its range, since 1 + p is in [1, 2]: the estimate of
// the special function unit and one step leave half a unit of error.
__device__ __forceinline__ float logistic_of(float x, float p) {
  const float numerator = x < 0.0f ? p : 1.0f, denominator = 1.0f + p;
  const float reciprocal = ptx::rcp_approx(denominator);
  const float quotient = numerator * reciprocal;
  return fmaf(reciprocal, fmaf(-denominator, quotient, numerator), quotient);
}
__device__ __forceinline__ double logistic_of(double x, double p) { return (x < 0.0 ? p : 1.0) / (1.0 + p); }

__device__ __forceinline__ float logistic(float x) { return logistic_of(x, expf(-fabsf(x))); }
__device__ __forceinline__ double logistic(double x) { return logistic_of(x, exp(-fabs(x))); }

}  // namespace pallasgen
