#pragma once
#include <pallasgen/meaning.h>
#include <pallasgen/ptx/wgmma_i8.cuh>
#include <pallasgen/wgmma.cuh>
#include <pallasgen/wgmma_sizes.cuh>

// wgmma of bytes, each operand of either sign, K-major both, for each N: d = a * b, or d += a * b if `accumulate`.
// d is 64 x N: a fragment of 64 rows, or acc.m64(i) of one with more. a is a descriptor, or the Packed 64 x 32
// elements in registers, of layout WgmmaOperandLayout. Sums wrap around.
namespace pallasgen {

#define PALLASGEN_WGMMA_8(N)                                                                                      \
  template <class TA, class TB, Swizzle SA, int EA, Swizzle SB, int EB>                                           \
  PALLASGEN_MEANS("wgmma d a b")                                                                                  \
  __device__ __forceinline__ void wgmma_m64n##N##k32(int32_t(&d)[N / 2], SmemDescriptor<TA, Major::kK, SA, EA> a, \
                                                     SmemDescriptor<TB, Major::kK, SB, EB> b, bool accumulate) {  \
    static_assert((kIsSame<TA, i8> || kIsSame<TA, u8>) && (kIsSame<TB, i8> || kIsSame<TB, u8>));                  \
    if constexpr (kIsSame<TA, i8> && kIsSame<TB, i8>)                                                             \
      return ptx::wgmma_m64n##N##k32_s32_s8_s8(d, a.bits, b.bits, accumulate);                                    \
    else if constexpr (kIsSame<TA, i8> && kIsSame<TB, u8>)                                                        \
      return ptx::wgmma_m64n##N##k32_s32_s8_u8(d, a.bits, b.bits, accumulate);                                    \
    else if constexpr (kIsSame<TA, u8> && kIsSame<TB, i8>)                                                        \
      return ptx::wgmma_m64n##N##k32_s32_u8_s8(d, a.bits, b.bits, accumulate);                                    \
    else if constexpr (kIsSame<TA, u8> && kIsSame<TB, u8>)                                                        \
      return ptx::wgmma_m64n##N##k32_s32_u8_u8(d, a.bits, b.bits, accumulate);                                    \
  }                                                                                                               \
  template <class TA, class TB, Swizzle SB, int EB>                                                               \
  PALLASGEN_MEANS("wgmma d a b")                                                                                  \
  __device__ __forceinline__ void wgmma_m64n##N##k32(int32_t(&d)[N / 2],                                          \
                                                     const Packed<TA, WgmmaOperandLayout<64, 32, 1>>& a,          \
                                                     SmemDescriptor<TB, Major::kK, SB, EB> b, bool accumulate) {  \
    static_assert((kIsSame<TA, i8> || kIsSame<TA, u8>) && (kIsSame<TB, i8> || kIsSame<TB, u8>));                  \
    const uint32_t(&r)[4] = a.part[0];                                                                            \
    if constexpr (kIsSame<TA, i8> && kIsSame<TB, i8>)                                                             \
      return ptx::wgmma_m64n##N##k32_s32_s8_s8_ra(d, r[0], r[1], r[2], r[3], b.bits, accumulate);                 \
    else if constexpr (kIsSame<TA, i8> && kIsSame<TB, u8>)                                                        \
      return ptx::wgmma_m64n##N##k32_s32_s8_u8_ra(d, r[0], r[1], r[2], r[3], b.bits, accumulate);                 \
    else if constexpr (kIsSame<TA, u8> && kIsSame<TB, i8>)                                                        \
      return ptx::wgmma_m64n##N##k32_s32_u8_s8_ra(d, r[0], r[1], r[2], r[3], b.bits, accumulate);                 \
    else if constexpr (kIsSame<TA, u8> && kIsSame<TB, u8>)                                                        \
      return ptx::wgmma_m64n##N##k32_s32_u8_u8_ra(d, r[0], r[1], r[2], r[3], b.bits, accumulate);                 \
  }                                                                                                               \
  template <class A, class B>                                                                                     \
  PALLASGEN_MEANS("wgmma d a b")                                                                                  \
  __device__ __forceinline__ void wgmma_m64n##N##k32(Fragment<int32_t, WgmmaLayout<64, N>>& d, const A& a, B b,   \
                                                     bool accumulate) {                                           \
    wgmma_m64n##N##k32(d.part[0], a, b, accumulate);                                                              \
  }
PALLASGEN_FOR_INTEGER_N(PALLASGEN_WGMMA_8)
#undef PALLASGEN_WGMMA_8

}  // namespace pallasgen
