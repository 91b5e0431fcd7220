#pragma once
#include <math.h>
#include <pallasgen/int4.h>
#include <pallasgen/types.h>
#include <string.h>

#include <pallasgen/ptx/math.cuh>

// Functions that the language's operations need besides C's own (erff, tanhf, expf, ... work on both sides as they
// are).
namespace pallasgen {

template <class T>
inline constexpr bool kIsHalf = kIsSame<T, bf16> || kIsSame<T, f16>;
template <class T>
inline constexpr bool kIsFloat = kIsHalf<T> || kIsSame<T, float> || kIsSame<T, double>;

// Conversions between a float of 8 or 4 bits and float; narrow.cuh defines them.
template <class T>
struct NarrowFloat {
  static constexpr bool exists = false;
};
// True for floats that compute in float.
template <class T>
inline constexpr bool kIsNarrowFloat = kIsHalf<T> || NarrowFloat<T>::exists;

// The number of bits of an integer.
template <class T>
inline constexpr int kBits = kIsSame<T, i4> || kIsSame<T, u4> ? 4 : 8 * static_cast<int>(sizeof(T));

// The bits of x as a value of another type of the same size.
template <class To, class From>
__host__ __device__ __forceinline__ To bitcast(From x) {
  static_assert(sizeof(To) == sizeof(From));
  To y;
  memcpy(static_cast<void*>(&y), &x, sizeof y);
  return y;
}

// x rounded to tf32, 10 bits after the point, ties to even, by its bits.
__host__ __device__ __forceinline__ float tf32_by_bits(float x) {
  const uint32_t bits = bitcast<uint32_t>(x), exponent = 0x7f800000;
  return (bits & exponent) == exponent ? x : bitcast<float>((bits + 0xfff + (bits >> 13 & 1)) & ~uint32_t{0x1fff});
}

// The same, by the instruction that sm_90 and later have.
__device__ __forceinline__ float round_to_tf32(float x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
  return tf32_by_bits(x);
#else
  return ptx::cvt_rn_tf32(x);
#endif
}

// The value in float; exact for floats of 16 bits and less.
__host__ __device__ __forceinline__ float to_float(bf16 x) { return __bfloat162float(x); }
__host__ __device__ __forceinline__ float to_float(f16 x) { return __half2float(x); }
__host__ __device__ __forceinline__ float to_float(float x) { return x; }
template <class T>
  requires(NarrowFloat<T>::exists)
__host__ __device__ __forceinline__ float to_float(T x) {
  return NarrowFloat<T>::decode(x);
}

// True if x is a NaN; false for integers.
template <class T>
__host__ __device__ __forceinline__ bool is_nan(T x) {
  if constexpr (kIsHalf<T>) {
    // By its bits: after a conversion, which is assembly, compilers emit a branch.
    uint16_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits & 0x7fff) > (kIsSame<T, bf16> ? 0x7f80 : 0x7c00);
  } else if constexpr (kIsNarrowFloat<T>) {
    return is_nan(to_float(x));
  } else {
    return x != x;
  }
}

// Return the larger and the smaller; NaN if either is. Instructions do it for floats of 16 and 32 bits.
template <class T>
__host__ __device__ __forceinline__ T maximum(T a, T b) {
#ifdef __CUDA_ARCH__
  if constexpr (kIsSame<T, float>) return ptx::max_nan(a, b);
  if constexpr (kIsHalf<T>) return __hmax_nan(a, b);
#endif
  if constexpr (kIsNarrowFloat<T>) {
    return to_float(a) > to_float(b) || is_nan(a) ? a : b;
  } else {
    return a > b || a != a ? a : b;
  }
}
template <class T>
__host__ __device__ __forceinline__ T minimum(T a, T b) {
#ifdef __CUDA_ARCH__
  if constexpr (kIsSame<T, float>) return ptx::min_nan(a, b);
  if constexpr (kIsHalf<T>) return __hmin_nan(a, b);
#endif
  if constexpr (kIsNarrowFloat<T>) {
    return to_float(a) < to_float(b) || is_nan(a) ? a : b;
  } else {
    return a < b || a != a ? a : b;
  }
}

// Returns x, limited to low and high; NaN if any is.
template <class T>
__host__ __device__ __forceinline__ T clamp(T x, T low, T high) {
  return minimum(maximum(x, low), high);
}

// The result of an integer division by 0: the most negative integer, 0 for unsigned ones.
template <class T>
inline constexpr T kUndefinedInteger = T(-1) < T(0) ? static_cast<T>(static_cast<uint64_t>(1) << (kBits<T> - 1)) : T(0);

// Integer division and remainder that round towards minus infinity, as Python's // and %. The lowest integer over
// -1 wraps; a division by 0 does not trap.
template <class T>
__host__ __device__ constexpr T floor_divide(T a, T b) {
  if (b == T(0)) return kUndefinedInteger<T>;
  if constexpr (T(-1) < T(0)) {
    if (b == static_cast<T>(-1)) return static_cast<T>(0 - static_cast<uint64_t>(a));
    return a / b - (a % b != 0 && (a % b < 0) != (b < 0) ? 1 : 0);
  }
  return a / b;
}
template <class T>
__host__ __device__ constexpr T floor_modulo(T a, T b) {
  if (b == T(0)) return kUndefinedInteger<T>;
  if constexpr (kIsSame<T, int32_t> || kIsSame<T, int64_t>) {
    if (b > 0 && (b & (b - 1)) == 0) return a & (b - 1);  // the whole function if the compiler knows b
  }
  if constexpr (T(-1) < T(0)) {
    if (b == static_cast<T>(-1)) return T(0);
    return a % b + (a % b != 0 && (a % b < 0) != (b < 0) ? b : T(0));
  }
  return a % b;
}

// A whole float as an integer of type I: cut off towards 0, held at the ends of its range, 0 for NaN.
template <class I, class F>
__host__ __device__ __forceinline__ I saturate_to(F x) {
  constexpr bool is_signed = I(-1) < I(0);
  constexpr int bits = kBits<I>;
  constexpr I highest = static_cast<I>(~static_cast<uint64_t>(0) >> (64 - bits + (is_signed ? 1 : 0)));
  constexpr I lowest = is_signed ? static_cast<I>(-highest - 1) : I(0);
  // 2^bits (2^(bits-1) when signed) is exact in F; highest need not be.
  constexpr F end = static_cast<F>(static_cast<uint64_t>(1) << (bits - 2)) * (is_signed ? F(2) : F(4));
#ifdef __CUDA_ARCH__
  // Instructions clamp the result to 32 bits and make 0 of NaN, without a branch.
  if constexpr (kIsSame<F, float> && bits <= 32) {
    if constexpr (is_signed)
      return static_cast<I>(min(max(__float2int_rz(x), static_cast<int>(lowest)), static_cast<int>(highest)));
    else
      return static_cast<I>(min(__float2uint_rz(x), static_cast<unsigned>(highest)));
  }
#endif
  if (x != x) return I(0);
  if (x >= end) return highest;
  if (x <= static_cast<F>(lowest)) return lowest;
  return static_cast<I>(x);
}

// The language's astype: floats round to nearest even; floats to integers are cut off and saturate, NaN to 0; integers
// to narrower ones wrap; bool is true for all but 0.
template <class To, class From>
__host__ __device__ __forceinline__ To cast(From x) {
  if constexpr (kIsSame<To, From>) {
    return x;
  } else if constexpr (kIsNarrowFloat<From>) {
    return cast<To>(to_float(x));
  } else if constexpr (NarrowFloat<To>::exists) {
    if constexpr (kIsSame<From, float>)
      return NarrowFloat<To>::encode(x);
    else
      return NarrowFloat<To>::encode(static_cast<double>(x));
  } else if constexpr (kIsSame<To, bool>) {
    return x != From(0);
  } else if constexpr (kIsSame<To, bf16>) {
    if constexpr (kIsSame<From, double>)
      return __double2bfloat16(x);
    else if constexpr (sizeof(From) > 2 && !kIsFloat<From>)
      return __double2bfloat16(static_cast<double>(x));
    else
      return __float2bfloat16_rn(static_cast<float>(x));
  } else if constexpr (kIsSame<To, f16>) {
    if constexpr (kIsSame<From, double>)
      return __double2half(x);
    else if constexpr (sizeof(From) > 2 && !kIsFloat<From>)
      return __double2half(static_cast<double>(x));
    else
      return __float2half_rn(static_cast<float>(x));
  } else if constexpr (kIsFloat<From> && !kIsFloat<To>) {
    return saturate_to<To>(x);
  } else {
    return static_cast<To>(x);
  }
}

}  // namespace pallasgen
