#pragma once
#include <pallasgen/meaning.h>
#include <cuda_fp8.h>

#include <pallasgen/ptx/wgmma_f8_f16.cuh>
#include <pallasgen/wgmma.cuh>
#include <pallasgen/wgmma_sizes.cuh>

// wgmma of 8-bit floating-point operands, each of either type, with sums in f16, K-major both, for each N: d = a * b,
// or d += a * b if `accumulate`. d is 64 x N: Packed. a is a descriptor, or the Packed 64 x 32 elements in registers,
// of layout WgmmaOperandLayout.
namespace pallasgen {

#define PALLASGEN_WGMMA_8(N)                                                                                       \
  template <class TA, class TB, Swizzle SA, int EA, Swizzle SB, int EB>                                            \
  PALLASGEN_MEANS("wgmma d a b")                                                                                   \
  __device__ __forceinline__ void wgmma_m64n##N##k32(uint32_t(&d)[N / 4], SmemDescriptor<TA, Major::kK, SA, EA> a, \
                                                     SmemDescriptor<TB, Major::kK, SB, EB> b, bool accumulate) {   \
    static_assert((kIsSame<TA, __nv_fp8_e4m3> || kIsSame<TA, __nv_fp8_e5m2>) &&                                    \
                  (kIsSame<TB, __nv_fp8_e4m3> || kIsSame<TB, __nv_fp8_e5m2>));                                     \
    if constexpr (kIsSame<TA, __nv_fp8_e4m3> && kIsSame<TB, __nv_fp8_e4m3>)                                        \
      return ptx::wgmma_m64n##N##k32_f16_e4m3_e4m3(d, a.bits, b.bits, accumulate);                                 \
    else if constexpr (kIsSame<TA, __nv_fp8_e4m3> && kIsSame<TB, __nv_fp8_e5m2>)                                   \
      return ptx::wgmma_m64n##N##k32_f16_e4m3_e5m2(d, a.bits, b.bits, accumulate);                                 \
    else if constexpr (kIsSame<TA, __nv_fp8_e5m2> && kIsSame<TB, __nv_fp8_e4m3>)                                   \
      return ptx::wgmma_m64n##N##k32_f16_e5m2_e4m3(d, a.bits, b.bits, accumulate);                                 \
    else if constexpr (kIsSame<TA, __nv_fp8_e5m2> && kIsSame<TB, __nv_fp8_e5m2>)                                   \
      return ptx::wgmma_m64n##N##k32_f16_e5m2_e5m2(d, a.bits, b.bits, accumulate);                                 \
  }                                                                                                                \
  template <class TA, class TB, Swizzle SB, int EB>                                                                \
  PALLASGEN_MEANS("wgmma d a b")                                                                                   \
  __device__ __forceinline__ void wgmma_m64n##N##k32(uint32_t(&d)[N / 4],                                          \
                                                     const Packed<TA, WgmmaOperandLayout<64, 32, 1>>& a,           \
                                                     SmemDescriptor<TB, Major::kK, SB, EB> b, bool accumulate) {   \
    static_assert((kIsSame<TA, __nv_fp8_e4m3> || kIsSame<TA, __nv_fp8_e5m2>) &&                                    \
                  (kIsSame<TB, __nv_fp8_e4m3> || kIsSame<TB, __nv_fp8_e5m2>));                                     \
    const uint32_t(&r)[4] = a.part[0];                                                                             \
    if constexpr (kIsSame<TA, __nv_fp8_e4m3> && kIsSame<TB, __nv_fp8_e4m3>)                                        \
      return ptx::wgmma_m64n##N##k32_f16_e4m3_e4m3_ra(d, r[0], r[1], r[2], r[3], b.bits, accumulate);              \
    else if constexpr (kIsSame<TA, __nv_fp8_e4m3> && kIsSame<TB, __nv_fp8_e5m2>)                                   \
      return ptx::wgmma_m64n##N##k32_f16_e4m3_e5m2_ra(d, r[0], r[1], r[2], r[3], b.bits, accumulate);              \
    else if constexpr (kIsSame<TA, __nv_fp8_e5m2> && kIsSame<TB, __nv_fp8_e4m3>)                                   \
      return ptx::wgmma_m64n##N##k32_f16_e5m2_e4m3_ra(d, r[0], r[1], r[2], r[3], b.bits, accumulate);              \
    else if constexpr (kIsSame<TA, __nv_fp8_e5m2> && kIsSame<TB, __nv_fp8_e5m2>)                                   \
      return ptx::wgmma_m64n##N##k32_f16_e5m2_e5m2_ra(d, r[0], r[1], r[2], r[3], b.bits, accumulate);              \
  }                                                                                                                \
  template <class A, class B>                                                                                      \
  PALLASGEN_MEANS("wgmma d a b")                                                                                   \
  __device__ __forceinline__ void wgmma_m64n##N##k32(Packed<f16, WgmmaLayout<64, N>>& d, const A& a, B b,          \
                                                     bool accumulate) {                                            \
    wgmma_m64n##N##k32(d.part[0], a, b, accumulate);                                                               \
  }
PALLASGEN_FOR_FLOAT_N(PALLASGEN_WGMMA_8)
#undef PALLASGEN_WGMMA_8

}  // namespace pallasgen
