// Written by scripts/make_wgmma.py. DO NOT EDIT.
// clang-format off
#pragma once
#include <cuda_runtime.h>

#include <cstdint>

// wgmma.mma_async, one function per instruction: d += A * B, or d = A * B when `accumulate` is 0. A is 64 x 16, from
// shared memory by the descriptor `a` or, in the _ra forms, from registers; B is 16 x N by the descriptor `b`. TransA
// and TransB are 1 for operands whose M or N is contiguous, 0 where K is. A register of d holds two f16 values,
// neighbours in a row, the first in its low half. All four warps of a warpgroup execute it.
#define PALLASGEN_D4(i) "+r"(d[i]), "+r"(d[i + 1]), "+r"(d[i + 2]), "+r"(d[i + 3])
#define PALLASGEN_D2(i) "+r"(d[i]), "+r"(d[i + 1])

namespace pallasgen::ptx {

template <int TransA, int TransB>
__device__ __forceinline__ void wgmma_m64n8k16_f16_f16(uint32_t (&d)[2], uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %4, 0; wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 "
    "{%0, %1}, "
    "%2, %3, p, 1, 1, %5, %6; }"
    : PALLASGEN_D2(0)
    : "l"(a), "l"(b), "r"(accumulate), "n"(TransA), "n"(TransB));
}

template <int TransB>
__device__ __forceinline__ void wgmma_m64n8k16_f16_f16_ra(uint32_t (&d)[2], uint32_t a0, uint32_t a1, uint32_t a2,
    uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %7, 0; wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 "
    "{%0, %1}, "
    "{%2, %3, %4, %5}, %6, p, 1, 1, %8; }"
    : PALLASGEN_D2(0)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate), "n"(TransB));
}

template <int TransA, int TransB>
__device__ __forceinline__ void wgmma_m64n16k16_f16_f16(uint32_t (&d)[4], uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %6, 0; wgmma.mma_async.sync.aligned.m64n16k16.f16.f16.f16 "
    "{%0, %1, %2, %3}, "
    "%4, %5, p, 1, 1, %7, %8; }"
    : PALLASGEN_D4(0)
    : "l"(a), "l"(b), "r"(accumulate), "n"(TransA), "n"(TransB));
}

template <int TransB>
__device__ __forceinline__ void wgmma_m64n16k16_f16_f16_ra(uint32_t (&d)[4], uint32_t a0, uint32_t a1, uint32_t a2,
    uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %9, 0; wgmma.mma_async.sync.aligned.m64n16k16.f16.f16.f16 "
    "{%0, %1, %2, %3}, "
    "{%4, %5, %6, %7}, %8, p, 1, 1, %10; }"
    : PALLASGEN_D4(0)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate), "n"(TransB));
}

template <int TransA, int TransB>
__device__ __forceinline__ void wgmma_m64n24k16_f16_f16(uint32_t (&d)[6], uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %8, 0; wgmma.mma_async.sync.aligned.m64n24k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5}, "
    "%6, %7, p, 1, 1, %9, %10; }"
    : PALLASGEN_D4(0), PALLASGEN_D2(4)
    : "l"(a), "l"(b), "r"(accumulate), "n"(TransA), "n"(TransB));
}

template <int TransB>
__device__ __forceinline__ void wgmma_m64n24k16_f16_f16_ra(uint32_t (&d)[6], uint32_t a0, uint32_t a1, uint32_t a2,
    uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %11, 0; wgmma.mma_async.sync.aligned.m64n24k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5}, "
    "{%6, %7, %8, %9}, %10, p, 1, 1, %12; }"
    : PALLASGEN_D4(0), PALLASGEN_D2(4)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate), "n"(TransB));
}

template <int TransA, int TransB>
__device__ __forceinline__ void wgmma_m64n32k16_f16_f16(uint32_t (&d)[8], uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %10, 0; wgmma.mma_async.sync.aligned.m64n32k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7}, "
    "%8, %9, p, 1, 1, %11, %12; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4)
    : "l"(a), "l"(b), "r"(accumulate), "n"(TransA), "n"(TransB));
}

template <int TransB>
__device__ __forceinline__ void wgmma_m64n32k16_f16_f16_ra(uint32_t (&d)[8], uint32_t a0, uint32_t a1, uint32_t a2,
    uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %13, 0; wgmma.mma_async.sync.aligned.m64n32k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7}, "
    "{%8, %9, %10, %11}, %12, p, 1, 1, %14; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate), "n"(TransB));
}

template <int TransA, int TransB>
__device__ __forceinline__ void wgmma_m64n40k16_f16_f16(uint32_t (&d)[10], uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %12, 0; wgmma.mma_async.sync.aligned.m64n40k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9}, "
    "%10, %11, p, 1, 1, %13, %14; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D2(8)
    : "l"(a), "l"(b), "r"(accumulate), "n"(TransA), "n"(TransB));
}

template <int TransB>
__device__ __forceinline__ void wgmma_m64n40k16_f16_f16_ra(uint32_t (&d)[10], uint32_t a0, uint32_t a1, uint32_t a2,
    uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %15, 0; wgmma.mma_async.sync.aligned.m64n40k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9}, "
    "{%10, %11, %12, %13}, %14, p, 1, 1, %16; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D2(8)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate), "n"(TransB));
}

template <int TransA, int TransB>
__device__ __forceinline__ void wgmma_m64n48k16_f16_f16(uint32_t (&d)[12], uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %14, 0; wgmma.mma_async.sync.aligned.m64n48k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11}, "
    "%12, %13, p, 1, 1, %15, %16; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8)
    : "l"(a), "l"(b), "r"(accumulate), "n"(TransA), "n"(TransB));
}

template <int TransB>
__device__ __forceinline__ void wgmma_m64n48k16_f16_f16_ra(uint32_t (&d)[12], uint32_t a0, uint32_t a1, uint32_t a2,
    uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %17, 0; wgmma.mma_async.sync.aligned.m64n48k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11}, "
    "{%12, %13, %14, %15}, %16, p, 1, 1, %18; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate), "n"(TransB));
}

template <int TransA, int TransB>
__device__ __forceinline__ void wgmma_m64n56k16_f16_f16(uint32_t (&d)[14], uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %16, 0; wgmma.mma_async.sync.aligned.m64n56k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13}, "
    "%14, %15, p, 1, 1, %17, %18; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D2(12)
    : "l"(a), "l"(b), "r"(accumulate), "n"(TransA), "n"(TransB));
}

template <int TransB>
__device__ __forceinline__ void wgmma_m64n56k16_f16_f16_ra(uint32_t (&d)[14], uint32_t a0, uint32_t a1, uint32_t a2,
    uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %19, 0; wgmma.mma_async.sync.aligned.m64n56k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13}, "
    "{%14, %15, %16, %17}, %18, p, 1, 1, %20; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D2(12)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate), "n"(TransB));
}

template <int TransA, int TransB>
__device__ __forceinline__ void wgmma_m64n64k16_f16_f16(uint32_t (&d)[16], uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %18, 0; wgmma.mma_async.sync.aligned.m64n64k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, "
    "%16, %17, p, 1, 1, %19, %20; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12)
    : "l"(a), "l"(b), "r"(accumulate), "n"(TransA), "n"(TransB));
}

template <int TransB>
__device__ __forceinline__ void wgmma_m64n64k16_f16_f16_ra(uint32_t (&d)[16], uint32_t a0, uint32_t a1, uint32_t a2,
    uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %21, 0; wgmma.mma_async.sync.aligned.m64n64k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, "
    "{%16, %17, %18, %19}, %20, p, 1, 1, %22; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate), "n"(TransB));
}

template <int TransA, int TransB>
__device__ __forceinline__ void wgmma_m64n72k16_f16_f16(uint32_t (&d)[18], uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %20, 0; wgmma.mma_async.sync.aligned.m64n72k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17}, "
    "%18, %19, p, 1, 1, %21, %22; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D2(16)
    : "l"(a), "l"(b), "r"(accumulate), "n"(TransA), "n"(TransB));
}

template <int TransB>
__device__ __forceinline__ void wgmma_m64n72k16_f16_f16_ra(uint32_t (&d)[18], uint32_t a0, uint32_t a1, uint32_t a2,
    uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %23, 0; wgmma.mma_async.sync.aligned.m64n72k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17}, "
    "{%18, %19, %20, %21}, %22, p, 1, 1, %24; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D2(16)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate), "n"(TransB));
}

template <int TransA, int TransB>
__device__ __forceinline__ void wgmma_m64n80k16_f16_f16(uint32_t (&d)[20], uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %22, 0; wgmma.mma_async.sync.aligned.m64n80k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19}, "
    "%20, %21, p, 1, 1, %23, %24; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16)
    : "l"(a), "l"(b), "r"(accumulate), "n"(TransA), "n"(TransB));
}

template <int TransB>
__device__ __forceinline__ void wgmma_m64n80k16_f16_f16_ra(uint32_t (&d)[20], uint32_t a0, uint32_t a1, uint32_t a2,
    uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %25, 0; wgmma.mma_async.sync.aligned.m64n80k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19}, "
    "{%20, %21, %22, %23}, %24, p, 1, 1, %26; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate), "n"(TransB));
}

template <int TransA, int TransB>
__device__ __forceinline__ void wgmma_m64n88k16_f16_f16(uint32_t (&d)[22], uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %24, 0; wgmma.mma_async.sync.aligned.m64n88k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21}, "
    "%22, %23, p, 1, 1, %25, %26; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D2(20)
    : "l"(a), "l"(b), "r"(accumulate), "n"(TransA), "n"(TransB));
}

template <int TransB>
__device__ __forceinline__ void wgmma_m64n88k16_f16_f16_ra(uint32_t (&d)[22], uint32_t a0, uint32_t a1, uint32_t a2,
    uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %27, 0; wgmma.mma_async.sync.aligned.m64n88k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21}, "
    "{%22, %23, %24, %25}, %26, p, 1, 1, %28; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D2(20)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate), "n"(TransB));
}

template <int TransA, int TransB>
__device__ __forceinline__ void wgmma_m64n96k16_f16_f16(uint32_t (&d)[24], uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %26, 0; wgmma.mma_async.sync.aligned.m64n96k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23}, "
    "%24, %25, p, 1, 1, %27, %28; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20)
    : "l"(a), "l"(b), "r"(accumulate), "n"(TransA), "n"(TransB));
}

template <int TransB>
__device__ __forceinline__ void wgmma_m64n96k16_f16_f16_ra(uint32_t (&d)[24], uint32_t a0, uint32_t a1, uint32_t a2,
    uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %29, 0; wgmma.mma_async.sync.aligned.m64n96k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23}, "
    "{%24, %25, %26, %27}, %28, p, 1, 1, %30; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate), "n"(TransB));
}

template <int TransA, int TransB>
__device__ __forceinline__ void wgmma_m64n104k16_f16_f16(uint32_t (&d)[26], uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %28, 0; wgmma.mma_async.sync.aligned.m64n104k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25}, "
    "%26, %27, p, 1, 1, %29, %30; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D2(24)
    : "l"(a), "l"(b), "r"(accumulate), "n"(TransA), "n"(TransB));
}

template <int TransB>
__device__ __forceinline__ void wgmma_m64n104k16_f16_f16_ra(uint32_t (&d)[26], uint32_t a0, uint32_t a1, uint32_t a2,
    uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %31, 0; wgmma.mma_async.sync.aligned.m64n104k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25}, "
    "{%26, %27, %28, %29}, %30, p, 1, 1, %32; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D2(24)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate), "n"(TransB));
}

template <int TransA, int TransB>
__device__ __forceinline__ void wgmma_m64n112k16_f16_f16(uint32_t (&d)[28], uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %30, 0; wgmma.mma_async.sync.aligned.m64n112k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27}, "
    "%28, %29, p, 1, 1, %31, %32; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24)
    : "l"(a), "l"(b), "r"(accumulate), "n"(TransA), "n"(TransB));
}

template <int TransB>
__device__ __forceinline__ void wgmma_m64n112k16_f16_f16_ra(uint32_t (&d)[28], uint32_t a0, uint32_t a1, uint32_t a2,
    uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %33, 0; wgmma.mma_async.sync.aligned.m64n112k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27}, "
    "{%28, %29, %30, %31}, %32, p, 1, 1, %34; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate), "n"(TransB));
}

template <int TransA, int TransB>
__device__ __forceinline__ void wgmma_m64n120k16_f16_f16(uint32_t (&d)[30], uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %32, 0; wgmma.mma_async.sync.aligned.m64n120k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29}, "
    "%30, %31, p, 1, 1, %33, %34; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D2(28)
    : "l"(a), "l"(b), "r"(accumulate), "n"(TransA), "n"(TransB));
}

template <int TransB>
__device__ __forceinline__ void wgmma_m64n120k16_f16_f16_ra(uint32_t (&d)[30], uint32_t a0, uint32_t a1, uint32_t a2,
    uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %35, 0; wgmma.mma_async.sync.aligned.m64n120k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29}, "
    "{%30, %31, %32, %33}, %34, p, 1, 1, %36; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D2(28)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate), "n"(TransB));
}

template <int TransA, int TransB>
__device__ __forceinline__ void wgmma_m64n128k16_f16_f16(uint32_t (&d)[32], uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %34, 0; wgmma.mma_async.sync.aligned.m64n128k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31}, "
    "%32, %33, p, 1, 1, %35, %36; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28)
    : "l"(a), "l"(b), "r"(accumulate), "n"(TransA), "n"(TransB));
}

template <int TransB>
__device__ __forceinline__ void wgmma_m64n128k16_f16_f16_ra(uint32_t (&d)[32], uint32_t a0, uint32_t a1, uint32_t a2,
    uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %37, 0; wgmma.mma_async.sync.aligned.m64n128k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31}, "
    "{%32, %33, %34, %35}, %36, p, 1, 1, %38; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate), "n"(TransB));
}

template <int TransA, int TransB>
__device__ __forceinline__ void wgmma_m64n136k16_f16_f16(uint32_t (&d)[34], uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %36, 0; wgmma.mma_async.sync.aligned.m64n136k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33}, "
    "%34, %35, p, 1, 1, %37, %38; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D2(32)
    : "l"(a), "l"(b), "r"(accumulate), "n"(TransA), "n"(TransB));
}

template <int TransB>
__device__ __forceinline__ void wgmma_m64n136k16_f16_f16_ra(uint32_t (&d)[34], uint32_t a0, uint32_t a1, uint32_t a2,
    uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %39, 0; wgmma.mma_async.sync.aligned.m64n136k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33}, "
    "{%34, %35, %36, %37}, %38, p, 1, 1, %40; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D2(32)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate), "n"(TransB));
}

template <int TransA, int TransB>
__device__ __forceinline__ void wgmma_m64n144k16_f16_f16(uint32_t (&d)[36], uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %38, 0; wgmma.mma_async.sync.aligned.m64n144k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35}, "
    "%36, %37, p, 1, 1, %39, %40; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32)
    : "l"(a), "l"(b), "r"(accumulate), "n"(TransA), "n"(TransB));
}

template <int TransB>
__device__ __forceinline__ void wgmma_m64n144k16_f16_f16_ra(uint32_t (&d)[36], uint32_t a0, uint32_t a1, uint32_t a2,
    uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %41, 0; wgmma.mma_async.sync.aligned.m64n144k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35}, "
    "{%36, %37, %38, %39}, %40, p, 1, 1, %42; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate), "n"(TransB));
}

template <int TransA, int TransB>
__device__ __forceinline__ void wgmma_m64n152k16_f16_f16(uint32_t (&d)[38], uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %40, 0; wgmma.mma_async.sync.aligned.m64n152k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37}, "
    "%38, %39, p, 1, 1, %41, %42; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D2(36)
    : "l"(a), "l"(b), "r"(accumulate), "n"(TransA), "n"(TransB));
}

template <int TransB>
__device__ __forceinline__ void wgmma_m64n152k16_f16_f16_ra(uint32_t (&d)[38], uint32_t a0, uint32_t a1, uint32_t a2,
    uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %43, 0; wgmma.mma_async.sync.aligned.m64n152k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37}, "
    "{%38, %39, %40, %41}, %42, p, 1, 1, %44; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D2(36)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate), "n"(TransB));
}

template <int TransA, int TransB>
__device__ __forceinline__ void wgmma_m64n160k16_f16_f16(uint32_t (&d)[40], uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %42, 0; wgmma.mma_async.sync.aligned.m64n160k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39}, "
    "%40, %41, p, 1, 1, %43, %44; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36)
    : "l"(a), "l"(b), "r"(accumulate), "n"(TransA), "n"(TransB));
}

template <int TransB>
__device__ __forceinline__ void wgmma_m64n160k16_f16_f16_ra(uint32_t (&d)[40], uint32_t a0, uint32_t a1, uint32_t a2,
    uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %45, 0; wgmma.mma_async.sync.aligned.m64n160k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39}, "
    "{%40, %41, %42, %43}, %44, p, 1, 1, %46; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate), "n"(TransB));
}

template <int TransA, int TransB>
__device__ __forceinline__ void wgmma_m64n168k16_f16_f16(uint32_t (&d)[42], uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %44, 0; wgmma.mma_async.sync.aligned.m64n168k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41}, "
    "%42, %43, p, 1, 1, %45, %46; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D2(40)
    : "l"(a), "l"(b), "r"(accumulate), "n"(TransA), "n"(TransB));
}

template <int TransB>
__device__ __forceinline__ void wgmma_m64n168k16_f16_f16_ra(uint32_t (&d)[42], uint32_t a0, uint32_t a1, uint32_t a2,
    uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %47, 0; wgmma.mma_async.sync.aligned.m64n168k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41}, "
    "{%42, %43, %44, %45}, %46, p, 1, 1, %48; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D2(40)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate), "n"(TransB));
}

template <int TransA, int TransB>
__device__ __forceinline__ void wgmma_m64n176k16_f16_f16(uint32_t (&d)[44], uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %46, 0; wgmma.mma_async.sync.aligned.m64n176k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43}, "
    "%44, %45, p, 1, 1, %47, %48; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40)
    : "l"(a), "l"(b), "r"(accumulate), "n"(TransA), "n"(TransB));
}

template <int TransB>
__device__ __forceinline__ void wgmma_m64n176k16_f16_f16_ra(uint32_t (&d)[44], uint32_t a0, uint32_t a1, uint32_t a2,
    uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %49, 0; wgmma.mma_async.sync.aligned.m64n176k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43}, "
    "{%44, %45, %46, %47}, %48, p, 1, 1, %50; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate), "n"(TransB));
}

template <int TransA, int TransB>
__device__ __forceinline__ void wgmma_m64n184k16_f16_f16(uint32_t (&d)[46], uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %48, 0; wgmma.mma_async.sync.aligned.m64n184k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45}, "
    "%46, %47, p, 1, 1, %49, %50; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D2(44)
    : "l"(a), "l"(b), "r"(accumulate), "n"(TransA), "n"(TransB));
}

template <int TransB>
__device__ __forceinline__ void wgmma_m64n184k16_f16_f16_ra(uint32_t (&d)[46], uint32_t a0, uint32_t a1, uint32_t a2,
    uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %51, 0; wgmma.mma_async.sync.aligned.m64n184k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45}, "
    "{%46, %47, %48, %49}, %50, p, 1, 1, %52; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D2(44)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate), "n"(TransB));
}

template <int TransA, int TransB>
__device__ __forceinline__ void wgmma_m64n192k16_f16_f16(uint32_t (&d)[48], uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %50, 0; wgmma.mma_async.sync.aligned.m64n192k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47}, "
    "%48, %49, p, 1, 1, %51, %52; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44)
    : "l"(a), "l"(b), "r"(accumulate), "n"(TransA), "n"(TransB));
}

template <int TransB>
__device__ __forceinline__ void wgmma_m64n192k16_f16_f16_ra(uint32_t (&d)[48], uint32_t a0, uint32_t a1, uint32_t a2,
    uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %53, 0; wgmma.mma_async.sync.aligned.m64n192k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47}, "
    "{%48, %49, %50, %51}, %52, p, 1, 1, %54; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate), "n"(TransB));
}

template <int TransA, int TransB>
__device__ __forceinline__ void wgmma_m64n200k16_f16_f16(uint32_t (&d)[50], uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %52, 0; wgmma.mma_async.sync.aligned.m64n200k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49}, "
    "%50, %51, p, 1, 1, %53, %54; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D2(48)
    : "l"(a), "l"(b), "r"(accumulate), "n"(TransA), "n"(TransB));
}

template <int TransB>
__device__ __forceinline__ void wgmma_m64n200k16_f16_f16_ra(uint32_t (&d)[50], uint32_t a0, uint32_t a1, uint32_t a2,
    uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %55, 0; wgmma.mma_async.sync.aligned.m64n200k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49}, "
    "{%50, %51, %52, %53}, %54, p, 1, 1, %56; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D2(48)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate), "n"(TransB));
}

template <int TransA, int TransB>
__device__ __forceinline__ void wgmma_m64n208k16_f16_f16(uint32_t (&d)[52], uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %54, 0; wgmma.mma_async.sync.aligned.m64n208k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51}, "
    "%52, %53, p, 1, 1, %55, %56; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48)
    : "l"(a), "l"(b), "r"(accumulate), "n"(TransA), "n"(TransB));
}

template <int TransB>
__device__ __forceinline__ void wgmma_m64n208k16_f16_f16_ra(uint32_t (&d)[52], uint32_t a0, uint32_t a1, uint32_t a2,
    uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %57, 0; wgmma.mma_async.sync.aligned.m64n208k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51}, "
    "{%52, %53, %54, %55}, %56, p, 1, 1, %58; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate), "n"(TransB));
}

template <int TransA, int TransB>
__device__ __forceinline__ void wgmma_m64n216k16_f16_f16(uint32_t (&d)[54], uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %56, 0; wgmma.mma_async.sync.aligned.m64n216k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53}, "
    "%54, %55, p, 1, 1, %57, %58; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D2(52)
    : "l"(a), "l"(b), "r"(accumulate), "n"(TransA), "n"(TransB));
}

template <int TransB>
__device__ __forceinline__ void wgmma_m64n216k16_f16_f16_ra(uint32_t (&d)[54], uint32_t a0, uint32_t a1, uint32_t a2,
    uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %59, 0; wgmma.mma_async.sync.aligned.m64n216k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53}, "
    "{%54, %55, %56, %57}, %58, p, 1, 1, %60; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D2(52)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate), "n"(TransB));
}

template <int TransA, int TransB>
__device__ __forceinline__ void wgmma_m64n224k16_f16_f16(uint32_t (&d)[56], uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %58, 0; wgmma.mma_async.sync.aligned.m64n224k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55}, "
    "%56, %57, p, 1, 1, %59, %60; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52)
    : "l"(a), "l"(b), "r"(accumulate), "n"(TransA), "n"(TransB));
}

template <int TransB>
__device__ __forceinline__ void wgmma_m64n224k16_f16_f16_ra(uint32_t (&d)[56], uint32_t a0, uint32_t a1, uint32_t a2,
    uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %61, 0; wgmma.mma_async.sync.aligned.m64n224k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55}, "
    "{%56, %57, %58, %59}, %60, p, 1, 1, %62; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate), "n"(TransB));
}

template <int TransA, int TransB>
__device__ __forceinline__ void wgmma_m64n232k16_f16_f16(uint32_t (&d)[58], uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %60, 0; wgmma.mma_async.sync.aligned.m64n232k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57}, "
    "%58, %59, p, 1, 1, %61, %62; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D2(56)
    : "l"(a), "l"(b), "r"(accumulate), "n"(TransA), "n"(TransB));
}

template <int TransB>
__device__ __forceinline__ void wgmma_m64n232k16_f16_f16_ra(uint32_t (&d)[58], uint32_t a0, uint32_t a1, uint32_t a2,
    uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %63, 0; wgmma.mma_async.sync.aligned.m64n232k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57}, "
    "{%58, %59, %60, %61}, %62, p, 1, 1, %64; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D2(56)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate), "n"(TransB));
}

template <int TransA, int TransB>
__device__ __forceinline__ void wgmma_m64n240k16_f16_f16(uint32_t (&d)[60], uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %62, 0; wgmma.mma_async.sync.aligned.m64n240k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59}, "
    "%60, %61, p, 1, 1, %63, %64; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56)
    : "l"(a), "l"(b), "r"(accumulate), "n"(TransA), "n"(TransB));
}

template <int TransB>
__device__ __forceinline__ void wgmma_m64n240k16_f16_f16_ra(uint32_t (&d)[60], uint32_t a0, uint32_t a1, uint32_t a2,
    uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %65, 0; wgmma.mma_async.sync.aligned.m64n240k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59}, "
    "{%60, %61, %62, %63}, %64, p, 1, 1, %66; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate), "n"(TransB));
}

template <int TransA, int TransB>
__device__ __forceinline__ void wgmma_m64n248k16_f16_f16(uint32_t (&d)[62], uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %64, 0; wgmma.mma_async.sync.aligned.m64n248k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61}, "
    "%62, %63, p, 1, 1, %65, %66; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D2(60)
    : "l"(a), "l"(b), "r"(accumulate), "n"(TransA), "n"(TransB));
}

template <int TransB>
__device__ __forceinline__ void wgmma_m64n248k16_f16_f16_ra(uint32_t (&d)[62], uint32_t a0, uint32_t a1, uint32_t a2,
    uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %67, 0; wgmma.mma_async.sync.aligned.m64n248k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61}, "
    "{%62, %63, %64, %65}, %66, p, 1, 1, %68; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D2(60)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate), "n"(TransB));
}

template <int TransA, int TransB>
__device__ __forceinline__ void wgmma_m64n256k16_f16_f16(uint32_t (&d)[64], uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %66, 0; wgmma.mma_async.sync.aligned.m64n256k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
    "%64, %65, p, 1, 1, %67, %68; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60)
    : "l"(a), "l"(b), "r"(accumulate), "n"(TransA), "n"(TransB));
}

template <int TransB>
__device__ __forceinline__ void wgmma_m64n256k16_f16_f16_ra(uint32_t (&d)[64], uint32_t a0, uint32_t a1, uint32_t a2,
    uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %69, 0; wgmma.mma_async.sync.aligned.m64n256k16.f16.f16.f16 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
    "{%64, %65, %66, %67}, %68, p, 1, 1, %70; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate), "n"(TransB));
}

}  // namespace pallasgen::ptx

#undef PALLASGEN_D4
#undef PALLASGEN_D2
