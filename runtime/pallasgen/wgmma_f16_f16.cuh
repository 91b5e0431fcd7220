#pragma once
#include <pallasgen/meaning.h>
#include <pallasgen/ptx/wgmma_f16_f16.cuh>
#include <pallasgen/wgmma.cuh>
#include <pallasgen/wgmma_sizes.cuh>

// wgmma of f16 with sums in f16, for each N: d = a * b, or d += a * b if `accumulate`. d is the Packed 64 x N
// accumulator. a is a descriptor, or the Packed 64 x 16 elements in registers.
namespace pallasgen {

#define PALLASGEN_WGMMA_16(N)                                                                                        \
  template <Major MA, Swizzle SA, int EA, Major MB, Swizzle SB, int EB>                                              \
  PALLASGEN_MEANS("wgmma d a b")                                                                                     \
  __device__ __forceinline__ void wgmma_m64n##N##k16(uint32_t(&d)[N / 4], SmemDescriptor<f16, MA, SA, EA> a,         \
                                                     SmemDescriptor<f16, MB, SB, EB> b, bool accumulate) {           \
    ptx::wgmma_m64n##N##k16_f16_f16<int(MA), int(MB)>(d, a.bits, b.bits, accumulate);                                \
  }                                                                                                                  \
  template <Major MB, Swizzle SB, int EB>                                                                            \
  PALLASGEN_MEANS("wgmma d a b")                                                                                     \
  __device__ __forceinline__ void wgmma_m64n##N##k16(uint32_t(&d)[N / 4], const Packed<f16, WgmmaLayout<64, 16>>& a, \
                                                     SmemDescriptor<f16, MB, SB, EB> b, bool accumulate) {           \
    const uint32_t(&r)[4] = a.part[0];                                                                               \
    ptx::wgmma_m64n##N##k16_f16_f16_ra<int(MB)>(d, r[0], r[1], r[2], r[3], b.bits, accumulate);                      \
  }                                                                                                                  \
  template <class A, class B>                                                                                        \
  PALLASGEN_MEANS("wgmma d a b")                                                                                     \
  __device__ __forceinline__ void wgmma_m64n##N##k16(Packed<f16, WgmmaLayout<64, N>>& d, const A& a, B b,            \
                                                     bool accumulate) {                                              \
    wgmma_m64n##N##k16(d.part[0], a, b, accumulate);                                                                 \
  }
PALLASGEN_FOR_FLOAT_N(PALLASGEN_WGMMA_16)
#undef PALLASGEN_WGMMA_16

}  // namespace pallasgen
