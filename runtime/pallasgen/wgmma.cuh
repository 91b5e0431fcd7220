#pragma once
#include <pallasgen/meaning.h>
#include <pallasgen/descriptor.cuh>
#include <pallasgen/fragment.cuh>
#include <pallasgen/ptx/registers.cuh>
#include <pallasgen/ptx/wgmma.cuh>
#include <pallasgen/ptx/wgmma_f16.cuh>
#include <pallasgen/wgmma_sizes.cuh>

// wgmma by shape; the descriptors determine element type and transposition. This header has f16 and bf16 with sums in
// f32; the headers wgmma_f16_f16, wgmma_f8, wgmma_f8_f16, wgmma_i8 and wgmma_tf32 have the others. Between
// wgmma_fence() and the wgmma_wait that covers it, nothing else touches an accumulator or, in the forms with A in
// registers, A.
namespace pallasgen {

// Orders earlier accesses to accumulators and to A in registers with the wgmmas after it. Needed before the first
// wgmma, and again whenever such registers were touched.
__device__ __forceinline__ void wgmma_fence() { ptx::wgmma_fence(); }

// Declares to the compiler that these registers change here: no use of them moves across it.
template <class Values>
PALLASGEN_MEANS("value")
__device__ __forceinline__ void fence_registers(Values& x) {
#pragma unroll
  for (auto& part : x.part) {
#pragma unroll
    for (auto& r : part) ptx::register_fence(r);
  }
}
template <class T, int Rows, int Depth>
PALLASGEN_MEANS("value")
__device__ __forceinline__ void fence_registers(PackedSteps<T, Rows, Depth>& x) {
#pragma unroll
  for (auto& rows : x.part) {
#pragma unroll
    for (auto& step : rows) {
#pragma unroll
      for (uint32_t& r : step.part[0]) ptx::register_fence(r);
    }
  }
}

// The same after threads have written to these accumulators: no such write moves down past it.
template <class... Registers>
__device__ __forceinline__ void wgmma_fence(Registers&... registers) {
  (fence_registers(registers), ...);
  ptx::wgmma_fence();
}

// Declares that wgmmas overwrite these accumulators before anything reads them. Without this the compiler takes the
// sums that the last iteration of a loop left in them for operands, and may copy accumulators between wgmmas, which
// ptxas then serialises (C7514).
template <class Accumulator>
__device__ __forceinline__ void discard(Accumulator& x) {
#pragma unroll
  for (auto& part : x.part) {
#pragma unroll
    for (auto& r : part) ptx::discard(r);
  }
}

// Closes the group of the wgmmas since the last commit.
__device__ __forceinline__ void wgmma_commit() { ptx::wgmma_commit_group(); }

// Waits until at most the last N groups are unfinished: all earlier ones have read their operands and written their
// accumulators.
template <int N>
__device__ __forceinline__ void wgmma_wait() {
  ptx::wgmma_wait_group<N>();
}

// The same, and these accumulators change only here, where A in registers has been read: no use of an accumulator moves
// up before it, nor does a write to A's registers.
template <int N, class... Registers>
__device__ __forceinline__ void wgmma_wait(Registers&... registers) {
  ptx::wgmma_wait_group<N>();
  (fence_registers(registers), ...);
}

// For each N: d = a * b, or d += a * b if `accumulate`. d is 64 x N: a fragment of 64 rows, or acc.m64(i) of one with
// more. a is a descriptor, or the Packed 64 x 16 elements in registers.
#define PALLASGEN_WGMMA_16(N)                                                                                   \
  template <class T, Major MA, Swizzle SA, int EA, Major MB, Swizzle SB, int EB>                                \
  PALLASGEN_MEANS("wgmma d a b")                                                                                \
  __device__ __forceinline__ void wgmma_m64n##N##k16(float(&d)[N / 2], SmemDescriptor<T, MA, SA, EA> a,         \
                                                     SmemDescriptor<T, MB, SB, EB> b, bool accumulate) {        \
    if constexpr (kIsSame<T, bf16>)                                                                             \
      ptx::wgmma_m64n##N##k16_f32_bf16<int(MA), int(MB)>(d, a.bits, b.bits, accumulate);                        \
    else                                                                                                        \
      ptx::wgmma_m64n##N##k16_f32_f16<int(MA), int(MB)>(d, a.bits, b.bits, accumulate);                         \
    static_assert(kIsSame<T, bf16> || kIsSame<T, f16>);                                                         \
  }                                                                                                             \
  template <class T, Major MB, Swizzle SB, int EB>                                                              \
  PALLASGEN_MEANS("wgmma d a b")                                                                                \
  __device__ __forceinline__ void wgmma_m64n##N##k16(float(&d)[N / 2], const Packed<T, WgmmaLayout<64, 16>>& a, \
                                                     SmemDescriptor<T, MB, SB, EB> b, bool accumulate) {        \
    const uint32_t(&r)[4] = a.part[0];                                                                          \
    if constexpr (kIsSame<T, bf16>)                                                                             \
      ptx::wgmma_m64n##N##k16_f32_bf16_ra<int(MB)>(d, r[0], r[1], r[2], r[3], b.bits, accumulate);              \
    else                                                                                                        \
      ptx::wgmma_m64n##N##k16_f32_f16_ra<int(MB)>(d, r[0], r[1], r[2], r[3], b.bits, accumulate);               \
    static_assert(kIsSame<T, bf16> || kIsSame<T, f16>);                                                         \
  }                                                                                                             \
  template <class A, class B>                                                                                   \
  PALLASGEN_MEANS("wgmma d a b")                                                                                \
  __device__ __forceinline__ void wgmma_m64n##N##k16(Fragment<float, WgmmaLayout<64, N>>& d, const A& a, B b,   \
                                                     bool accumulate) {                                         \
    wgmma_m64n##N##k16(d.part[0], a, b, accumulate);                                                            \
  }

PALLASGEN_FOR_FLOAT_N(PALLASGEN_WGMMA_16)
#undef PALLASGEN_WGMMA_16

}  // namespace pallasgen
