#pragma once
#include <cuda_fp4.h>
#include <cuda_fp8.h>

#include <pallasgen/element.cuh>
#include <pallasgen/math.cuh>
#include <pallasgen/widen.cuh>

// Floats of 8 and 4 bits: they compute in float; results round to nearest even and saturate at the largest finite
// value. NaN stays, except in f4e2m1, which has none: it becomes the largest value.
namespace pallasgen {

using f8e4m3 = __nv_fp8_e4m3;
using f8e5m2 = __nv_fp8_e5m2;
using f8e8m0 = __nv_fp8_e8m0;
using f4e2m1 = __nv_fp4_e2m1;

template <>
struct NarrowFloat<f8e4m3> {
  static constexpr bool exists = true;
  __host__ __device__ static float decode(f8e4m3 x) { return static_cast<float>(x); }
  template <class F>
  __host__ __device__ static f8e4m3 encode(F x) {
    return f8e4m3(x);
  }
};
template <>
struct NarrowFloat<f8e5m2> {
  static constexpr bool exists = true;
  __host__ __device__ static float decode(f8e5m2 x) { return static_cast<float>(x); }
  template <class F>
  __host__ __device__ static f8e5m2 encode(F x) {
    return f8e5m2(x);
  }
};
template <>
struct NarrowFloat<f4e2m1> {
  static constexpr bool exists = true;
  __host__ __device__ static float decode(f4e2m1 x) { return static_cast<float>(x); }
  template <class F>
  __host__ __device__ static f4e2m1 encode(F x) {
    return f4e2m1(x);
  }
};

// Powers of two, 2^-127 to 2^127. Rounds to the nearest one, up from 1.5 times a power. There is no sign: zero becomes
// the least value, a negative value NaN.
template <>
struct NarrowFloat<f8e8m0> {
  static constexpr bool exists = true;
  __host__ __device__ static float decode(f8e8m0 x) {
    if (x.__x == 0) return 5.877471754111438e-39f;  // 2^-127, a subnormal
    return bitcast<float>(x.__x == 255 ? 0x7fc00000u : static_cast<uint32_t>(x.__x) << 23);
  }
  template <class F>
  __host__ __device__ static f8e8m0 encode(F x) {
    f8e8m0 result;
    if constexpr (kIsSame<F, float>)
      result.__x = code_of(x);
    else
      result.__x = code_of(static_cast<double>(x));
    return result;
  }

 private:
  __host__ __device__ static uint8_t code_of(double x) {
    if (x != x || x < 0) return 255;
    if (x == 0) return 0;  // of either sign
    const uint64_t bits = bitcast<uint64_t>(x);
    // The exponent of the double, plus one if the fraction is at least a half.
    const int exponent = static_cast<int>((bits + (UINT64_C(1) << 51)) >> 52) - 1023;
    return static_cast<uint8_t>(exponent < -127 ? 0 : exponent > 127 ? 254 : exponent + 127);
  }
  // The same for a float, whose exponent has the same bias, by selections alone. 2^-127 is a subnormal float.
  __host__ __device__ static uint8_t code_of(float x) {
    constexpr uint32_t half = 1u << 22, least_normal = 1u << 23, infinity = 0x7f800000u, minus_zero = 0x80000000u;
    const uint32_t bits = bitcast<uint32_t>(x), rounded = (bits + half) >> 23;
    if (bits > infinity) return bits == minus_zero ? 0 : 255;
    if (bits < least_normal) return bits >= half + half / 2 ? 1 : 0;
    return static_cast<uint8_t>(rounded < 254 ? rounded : 254);
  }
};

// A byte of an array of f4e2m1.
using f4e2m1x2 = __nv_fp4x2_e2m1;
template <>
struct Stored<f4e2m1x2> {
  using Element = f4e2m1;
  static constexpr int kElements = 2;
};
template <>
__device__ __forceinline__ f4e2m1 from_nibble<f4e2m1>(uint32_t bits) {
  f4e2m1 x;
  x.__x = static_cast<__nv_fp4_storage_t>(bits);
  return x;
}
template <>
__device__ __forceinline__ uint32_t to_nibble<f4e2m1>(f4e2m1 x) {
  return x.__x & 15u;
}

// Puts the sign and the other three bits where T has its sign and the border of exponent and fraction; a power of two
// then scales the result to the value.
template <class T>
  requires kIsHalf<T>
struct PairWidening<T, f4e2m1> {
  static constexpr bool exists = true;
  __device__ __forceinline__ static uint32_t widen(uint32_t pair) {
    const uint32_t codes = halves_of_nibbles(pair, 0);
    if constexpr (kIsSame<T, bf16>) {
      const uint32_t bits = (codes << 12 & 0x80008000) | (codes << 6 & 0x01c001c0);
      return bitcast<uint32_t>(bitcast<Pair<bf16>>(bits) * bitcast<Pair<bf16>>(0x7e807e80u));  // 2^126
    } else {
      const uint32_t bits = (codes << 12 & 0x80008000) | (codes << 9 & 0x0e000e00);
      return bitcast<uint32_t>(bitcast<Pair<f16>>(bits) * bitcast<Pair<f16>>(0x74007400u));  // 2^14
    }
  }
};

// Two f8e4m3 become two f16 by one instruction from sm_89 on. f8e5m2 are the upper bytes of f16.
template <>
struct PairWidening<f16, f8e4m3> {
  static constexpr bool exists = true;
  __device__ __forceinline__ static uint32_t widen(uint32_t pair) {
    const __half2_raw wide = __nv_cvt_fp8x2_to_halfraw2(static_cast<__nv_fp8x2_storage_t>(pair), __NV_E4M3);
    return wide.x | static_cast<uint32_t>(wide.y) << 16;
  }
};
template <>
struct PairWidening<f16, f8e5m2> {
  static constexpr bool exists = true;
  __device__ __forceinline__ static uint32_t widen(uint32_t pair) { return ptx::prmt(pair, 0, 0x1404); }
};
// A bf16 has an exponent of another width, and NaNs and subnormals must stay: converts through f16 and float.
template <class E>
  requires(kIsSame<E, f8e4m3> || kIsSame<E, f8e5m2>)
struct PairWidening<bf16, E> {
  static constexpr bool exists = true;
  __device__ __forceinline__ static uint32_t widen(uint32_t pair) {
    const auto halves = bitcast<__half2>(PairWidening<f16, E>::widen(pair));
    return bitcast<uint32_t>(__floats2bfloat162_rn(__low2float(halves), __high2float(halves)));
  }
};

}  // namespace pallasgen
