#pragma once
#include <pallasgen/meaning.h>
#include <pallasgen/ptx/wgmma_tf32.cuh>
#include <pallasgen/wgmma.cuh>
#include <pallasgen/wgmma_sizes.cuh>

// wgmma of f32 operands cut to tf32 (the tensor core takes their upper 19 bits), K-major both, for each N: d = a * b,
// or d += a * b if `accumulate`. d is 64 x N: a fragment of 64 rows, or acc.m64(i) of one with more. a is a descriptor,
// or the Packed 64 x 8 elements in registers, of layout WgmmaOperandLayout.
namespace pallasgen {

#define PALLASGEN_WGMMA_TF32(N)                                                                                    \
  template <Swizzle SA, int EA, Swizzle SB, int EB>                                                                \
  PALLASGEN_MEANS("wgmma d a b")                                                                                   \
  __device__ __forceinline__ void wgmma_m64n##N##k8(float(&d)[N / 2], SmemDescriptor<float, Major::kK, SA, EA> a,  \
                                                    SmemDescriptor<float, Major::kK, SB, EB> b, bool accumulate) { \
    ptx::wgmma_m64n##N##k8_f32_tf32(d, a.bits, b.bits, accumulate);                                                \
  }                                                                                                                \
  template <Swizzle SB, int EB>                                                                                    \
  PALLASGEN_MEANS("wgmma d a b")                                                                                   \
  __device__ __forceinline__ void wgmma_m64n##N##k8(float(&d)[N / 2],                                              \
                                                    const Packed<float, WgmmaOperandLayout<64, 8, 4>>& a,          \
                                                    SmemDescriptor<float, Major::kK, SB, EB> b, bool accumulate) { \
    const uint32_t(&r)[4] = a.part[0];                                                                             \
    ptx::wgmma_m64n##N##k8_f32_tf32_ra(d, r[0], r[1], r[2], r[3], b.bits, accumulate);                             \
  }                                                                                                                \
  template <class A, class B>                                                                                      \
  PALLASGEN_MEANS("wgmma d a b")                                                                                   \
  __device__ __forceinline__ void wgmma_m64n##N##k8(Fragment<float, WgmmaLayout<64, N>>& d, const A& a, B b,       \
                                                    bool accumulate) {                                             \
    wgmma_m64n##N##k8(d.part[0], a, b, accumulate);                                                                \
  }
PALLASGEN_FOR_FLOAT_N(PALLASGEN_WGMMA_TF32)
#undef PALLASGEN_WGMMA_TF32

}  // namespace pallasgen
