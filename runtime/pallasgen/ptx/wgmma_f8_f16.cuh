// Written by scripts/make_wgmma.py. DO NOT EDIT.
// clang-format off
#pragma once
#include <cuda_runtime.h>

#include <cstdint>

// wgmma.mma_async, one function per instruction: d += A * B, or d = A * B when `accumulate` is 0. A is 64 x 32, from
// shared memory by the descriptor `a` or, in the _ra forms, from registers; B is 32 x N by the descriptor `b`. K is
// contiguous in both operands. A register of d holds two f16 values, neighbours in a row, the first in its low half.
// All four warps of a warpgroup execute it.
#define PALLASGEN_D4(i) "+r"(d[i]), "+r"(d[i + 1]), "+r"(d[i + 2]), "+r"(d[i + 3])
#define PALLASGEN_D2(i) "+r"(d[i]), "+r"(d[i + 1])

namespace pallasgen::ptx {

__device__ __forceinline__ void wgmma_m64n8k32_f16_e4m3_e4m3(uint32_t (&d)[2],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %4, 0; wgmma.mma_async.sync.aligned.m64n8k32.f16.e4m3.e4m3 "
    "{%0, %1}, "
    "%2, %3, p, 1, 1; }"
    : PALLASGEN_D2(0)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n8k32_f16_e4m3_e4m3_ra(uint32_t (&d)[2],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %7, 0; wgmma.mma_async.sync.aligned.m64n8k32.f16.e4m3.e4m3 "
    "{%0, %1}, "
    "{%2, %3, %4, %5}, %6, p, 1, 1; }"
    : PALLASGEN_D2(0)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n16k32_f16_e4m3_e4m3(uint32_t (&d)[4],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %6, 0; wgmma.mma_async.sync.aligned.m64n16k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3}, "
    "%4, %5, p, 1, 1; }"
    : PALLASGEN_D4(0)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n16k32_f16_e4m3_e4m3_ra(uint32_t (&d)[4],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %9, 0; wgmma.mma_async.sync.aligned.m64n16k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3}, "
    "{%4, %5, %6, %7}, %8, p, 1, 1; }"
    : PALLASGEN_D4(0)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n24k32_f16_e4m3_e4m3(uint32_t (&d)[6],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %8, 0; wgmma.mma_async.sync.aligned.m64n24k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5}, "
    "%6, %7, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D2(4)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n24k32_f16_e4m3_e4m3_ra(uint32_t (&d)[6],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %11, 0; wgmma.mma_async.sync.aligned.m64n24k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5}, "
    "{%6, %7, %8, %9}, %10, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D2(4)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n32k32_f16_e4m3_e4m3(uint32_t (&d)[8],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %10, 0; wgmma.mma_async.sync.aligned.m64n32k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7}, "
    "%8, %9, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n32k32_f16_e4m3_e4m3_ra(uint32_t (&d)[8],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %13, 0; wgmma.mma_async.sync.aligned.m64n32k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7}, "
    "{%8, %9, %10, %11}, %12, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n40k32_f16_e4m3_e4m3(uint32_t (&d)[10],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %12, 0; wgmma.mma_async.sync.aligned.m64n40k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9}, "
    "%10, %11, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D2(8)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n40k32_f16_e4m3_e4m3_ra(uint32_t (&d)[10],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %15, 0; wgmma.mma_async.sync.aligned.m64n40k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9}, "
    "{%10, %11, %12, %13}, %14, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D2(8)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n48k32_f16_e4m3_e4m3(uint32_t (&d)[12],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %14, 0; wgmma.mma_async.sync.aligned.m64n48k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11}, "
    "%12, %13, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n48k32_f16_e4m3_e4m3_ra(uint32_t (&d)[12],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %17, 0; wgmma.mma_async.sync.aligned.m64n48k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11}, "
    "{%12, %13, %14, %15}, %16, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n56k32_f16_e4m3_e4m3(uint32_t (&d)[14],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %16, 0; wgmma.mma_async.sync.aligned.m64n56k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13}, "
    "%14, %15, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D2(12)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n56k32_f16_e4m3_e4m3_ra(uint32_t (&d)[14],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %19, 0; wgmma.mma_async.sync.aligned.m64n56k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13}, "
    "{%14, %15, %16, %17}, %18, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D2(12)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n64k32_f16_e4m3_e4m3(uint32_t (&d)[16],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %18, 0; wgmma.mma_async.sync.aligned.m64n64k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, "
    "%16, %17, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n64k32_f16_e4m3_e4m3_ra(uint32_t (&d)[16],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %21, 0; wgmma.mma_async.sync.aligned.m64n64k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, "
    "{%16, %17, %18, %19}, %20, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n72k32_f16_e4m3_e4m3(uint32_t (&d)[18],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %20, 0; wgmma.mma_async.sync.aligned.m64n72k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17}, "
    "%18, %19, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D2(16)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n72k32_f16_e4m3_e4m3_ra(uint32_t (&d)[18],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %23, 0; wgmma.mma_async.sync.aligned.m64n72k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17}, "
    "{%18, %19, %20, %21}, %22, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D2(16)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n80k32_f16_e4m3_e4m3(uint32_t (&d)[20],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %22, 0; wgmma.mma_async.sync.aligned.m64n80k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19}, "
    "%20, %21, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n80k32_f16_e4m3_e4m3_ra(uint32_t (&d)[20],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %25, 0; wgmma.mma_async.sync.aligned.m64n80k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19}, "
    "{%20, %21, %22, %23}, %24, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n88k32_f16_e4m3_e4m3(uint32_t (&d)[22],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %24, 0; wgmma.mma_async.sync.aligned.m64n88k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21}, "
    "%22, %23, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D2(20)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n88k32_f16_e4m3_e4m3_ra(uint32_t (&d)[22],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %27, 0; wgmma.mma_async.sync.aligned.m64n88k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21}, "
    "{%22, %23, %24, %25}, %26, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D2(20)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n96k32_f16_e4m3_e4m3(uint32_t (&d)[24],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %26, 0; wgmma.mma_async.sync.aligned.m64n96k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23}, "
    "%24, %25, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n96k32_f16_e4m3_e4m3_ra(uint32_t (&d)[24],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %29, 0; wgmma.mma_async.sync.aligned.m64n96k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23}, "
    "{%24, %25, %26, %27}, %28, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n104k32_f16_e4m3_e4m3(uint32_t (&d)[26],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %28, 0; wgmma.mma_async.sync.aligned.m64n104k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25}, "
    "%26, %27, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D2(24)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n104k32_f16_e4m3_e4m3_ra(uint32_t (&d)[26],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %31, 0; wgmma.mma_async.sync.aligned.m64n104k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25}, "
    "{%26, %27, %28, %29}, %30, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D2(24)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n112k32_f16_e4m3_e4m3(uint32_t (&d)[28],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %30, 0; wgmma.mma_async.sync.aligned.m64n112k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27}, "
    "%28, %29, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n112k32_f16_e4m3_e4m3_ra(uint32_t (&d)[28],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %33, 0; wgmma.mma_async.sync.aligned.m64n112k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27}, "
    "{%28, %29, %30, %31}, %32, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n120k32_f16_e4m3_e4m3(uint32_t (&d)[30],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %32, 0; wgmma.mma_async.sync.aligned.m64n120k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29}, "
    "%30, %31, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D2(28)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n120k32_f16_e4m3_e4m3_ra(uint32_t (&d)[30],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %35, 0; wgmma.mma_async.sync.aligned.m64n120k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29}, "
    "{%30, %31, %32, %33}, %34, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D2(28)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n128k32_f16_e4m3_e4m3(uint32_t (&d)[32],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %34, 0; wgmma.mma_async.sync.aligned.m64n128k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31}, "
    "%32, %33, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n128k32_f16_e4m3_e4m3_ra(uint32_t (&d)[32],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %37, 0; wgmma.mma_async.sync.aligned.m64n128k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31}, "
    "{%32, %33, %34, %35}, %36, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n136k32_f16_e4m3_e4m3(uint32_t (&d)[34],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %36, 0; wgmma.mma_async.sync.aligned.m64n136k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33}, "
    "%34, %35, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D2(32)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n136k32_f16_e4m3_e4m3_ra(uint32_t (&d)[34],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %39, 0; wgmma.mma_async.sync.aligned.m64n136k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33}, "
    "{%34, %35, %36, %37}, %38, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D2(32)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n144k32_f16_e4m3_e4m3(uint32_t (&d)[36],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %38, 0; wgmma.mma_async.sync.aligned.m64n144k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35}, "
    "%36, %37, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n144k32_f16_e4m3_e4m3_ra(uint32_t (&d)[36],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %41, 0; wgmma.mma_async.sync.aligned.m64n144k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35}, "
    "{%36, %37, %38, %39}, %40, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n152k32_f16_e4m3_e4m3(uint32_t (&d)[38],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %40, 0; wgmma.mma_async.sync.aligned.m64n152k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37}, "
    "%38, %39, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D2(36)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n152k32_f16_e4m3_e4m3_ra(uint32_t (&d)[38],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %43, 0; wgmma.mma_async.sync.aligned.m64n152k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37}, "
    "{%38, %39, %40, %41}, %42, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D2(36)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n160k32_f16_e4m3_e4m3(uint32_t (&d)[40],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %42, 0; wgmma.mma_async.sync.aligned.m64n160k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39}, "
    "%40, %41, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n160k32_f16_e4m3_e4m3_ra(uint32_t (&d)[40],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %45, 0; wgmma.mma_async.sync.aligned.m64n160k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39}, "
    "{%40, %41, %42, %43}, %44, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n168k32_f16_e4m3_e4m3(uint32_t (&d)[42],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %44, 0; wgmma.mma_async.sync.aligned.m64n168k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41}, "
    "%42, %43, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D2(40)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n168k32_f16_e4m3_e4m3_ra(uint32_t (&d)[42],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %47, 0; wgmma.mma_async.sync.aligned.m64n168k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41}, "
    "{%42, %43, %44, %45}, %46, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D2(40)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n176k32_f16_e4m3_e4m3(uint32_t (&d)[44],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %46, 0; wgmma.mma_async.sync.aligned.m64n176k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43}, "
    "%44, %45, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n176k32_f16_e4m3_e4m3_ra(uint32_t (&d)[44],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %49, 0; wgmma.mma_async.sync.aligned.m64n176k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43}, "
    "{%44, %45, %46, %47}, %48, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n184k32_f16_e4m3_e4m3(uint32_t (&d)[46],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %48, 0; wgmma.mma_async.sync.aligned.m64n184k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45}, "
    "%46, %47, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D2(44)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n184k32_f16_e4m3_e4m3_ra(uint32_t (&d)[46],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %51, 0; wgmma.mma_async.sync.aligned.m64n184k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45}, "
    "{%46, %47, %48, %49}, %50, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D2(44)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n192k32_f16_e4m3_e4m3(uint32_t (&d)[48],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %50, 0; wgmma.mma_async.sync.aligned.m64n192k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47}, "
    "%48, %49, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n192k32_f16_e4m3_e4m3_ra(uint32_t (&d)[48],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %53, 0; wgmma.mma_async.sync.aligned.m64n192k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47}, "
    "{%48, %49, %50, %51}, %52, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n200k32_f16_e4m3_e4m3(uint32_t (&d)[50],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %52, 0; wgmma.mma_async.sync.aligned.m64n200k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49}, "
    "%50, %51, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D2(48)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n200k32_f16_e4m3_e4m3_ra(uint32_t (&d)[50],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %55, 0; wgmma.mma_async.sync.aligned.m64n200k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49}, "
    "{%50, %51, %52, %53}, %54, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D2(48)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n208k32_f16_e4m3_e4m3(uint32_t (&d)[52],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %54, 0; wgmma.mma_async.sync.aligned.m64n208k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51}, "
    "%52, %53, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n208k32_f16_e4m3_e4m3_ra(uint32_t (&d)[52],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %57, 0; wgmma.mma_async.sync.aligned.m64n208k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51}, "
    "{%52, %53, %54, %55}, %56, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n216k32_f16_e4m3_e4m3(uint32_t (&d)[54],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %56, 0; wgmma.mma_async.sync.aligned.m64n216k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53}, "
    "%54, %55, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D2(52)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n216k32_f16_e4m3_e4m3_ra(uint32_t (&d)[54],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %59, 0; wgmma.mma_async.sync.aligned.m64n216k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53}, "
    "{%54, %55, %56, %57}, %58, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D2(52)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n224k32_f16_e4m3_e4m3(uint32_t (&d)[56],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %58, 0; wgmma.mma_async.sync.aligned.m64n224k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55}, "
    "%56, %57, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n224k32_f16_e4m3_e4m3_ra(uint32_t (&d)[56],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %61, 0; wgmma.mma_async.sync.aligned.m64n224k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55}, "
    "{%56, %57, %58, %59}, %60, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n232k32_f16_e4m3_e4m3(uint32_t (&d)[58],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %60, 0; wgmma.mma_async.sync.aligned.m64n232k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57}, "
    "%58, %59, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D2(56)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n232k32_f16_e4m3_e4m3_ra(uint32_t (&d)[58],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %63, 0; wgmma.mma_async.sync.aligned.m64n232k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57}, "
    "{%58, %59, %60, %61}, %62, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D2(56)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n240k32_f16_e4m3_e4m3(uint32_t (&d)[60],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %62, 0; wgmma.mma_async.sync.aligned.m64n240k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59}, "
    "%60, %61, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n240k32_f16_e4m3_e4m3_ra(uint32_t (&d)[60],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %65, 0; wgmma.mma_async.sync.aligned.m64n240k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59}, "
    "{%60, %61, %62, %63}, %64, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n248k32_f16_e4m3_e4m3(uint32_t (&d)[62],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %64, 0; wgmma.mma_async.sync.aligned.m64n248k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61}, "
    "%62, %63, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D2(60)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n248k32_f16_e4m3_e4m3_ra(uint32_t (&d)[62],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %67, 0; wgmma.mma_async.sync.aligned.m64n248k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61}, "
    "{%62, %63, %64, %65}, %66, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D2(60)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n256k32_f16_e4m3_e4m3(uint32_t (&d)[64],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %66, 0; wgmma.mma_async.sync.aligned.m64n256k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
    "%64, %65, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n256k32_f16_e4m3_e4m3_ra(uint32_t (&d)[64],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %69, 0; wgmma.mma_async.sync.aligned.m64n256k32.f16.e4m3.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
    "{%64, %65, %66, %67}, %68, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n8k32_f16_e4m3_e5m2(uint32_t (&d)[2],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %4, 0; wgmma.mma_async.sync.aligned.m64n8k32.f16.e4m3.e5m2 "
    "{%0, %1}, "
    "%2, %3, p, 1, 1; }"
    : PALLASGEN_D2(0)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n8k32_f16_e4m3_e5m2_ra(uint32_t (&d)[2],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %7, 0; wgmma.mma_async.sync.aligned.m64n8k32.f16.e4m3.e5m2 "
    "{%0, %1}, "
    "{%2, %3, %4, %5}, %6, p, 1, 1; }"
    : PALLASGEN_D2(0)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n16k32_f16_e4m3_e5m2(uint32_t (&d)[4],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %6, 0; wgmma.mma_async.sync.aligned.m64n16k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3}, "
    "%4, %5, p, 1, 1; }"
    : PALLASGEN_D4(0)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n16k32_f16_e4m3_e5m2_ra(uint32_t (&d)[4],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %9, 0; wgmma.mma_async.sync.aligned.m64n16k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3}, "
    "{%4, %5, %6, %7}, %8, p, 1, 1; }"
    : PALLASGEN_D4(0)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n24k32_f16_e4m3_e5m2(uint32_t (&d)[6],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %8, 0; wgmma.mma_async.sync.aligned.m64n24k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5}, "
    "%6, %7, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D2(4)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n24k32_f16_e4m3_e5m2_ra(uint32_t (&d)[6],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %11, 0; wgmma.mma_async.sync.aligned.m64n24k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5}, "
    "{%6, %7, %8, %9}, %10, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D2(4)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n32k32_f16_e4m3_e5m2(uint32_t (&d)[8],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %10, 0; wgmma.mma_async.sync.aligned.m64n32k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7}, "
    "%8, %9, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n32k32_f16_e4m3_e5m2_ra(uint32_t (&d)[8],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %13, 0; wgmma.mma_async.sync.aligned.m64n32k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7}, "
    "{%8, %9, %10, %11}, %12, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n40k32_f16_e4m3_e5m2(uint32_t (&d)[10],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %12, 0; wgmma.mma_async.sync.aligned.m64n40k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9}, "
    "%10, %11, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D2(8)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n40k32_f16_e4m3_e5m2_ra(uint32_t (&d)[10],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %15, 0; wgmma.mma_async.sync.aligned.m64n40k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9}, "
    "{%10, %11, %12, %13}, %14, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D2(8)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n48k32_f16_e4m3_e5m2(uint32_t (&d)[12],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %14, 0; wgmma.mma_async.sync.aligned.m64n48k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11}, "
    "%12, %13, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n48k32_f16_e4m3_e5m2_ra(uint32_t (&d)[12],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %17, 0; wgmma.mma_async.sync.aligned.m64n48k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11}, "
    "{%12, %13, %14, %15}, %16, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n56k32_f16_e4m3_e5m2(uint32_t (&d)[14],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %16, 0; wgmma.mma_async.sync.aligned.m64n56k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13}, "
    "%14, %15, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D2(12)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n56k32_f16_e4m3_e5m2_ra(uint32_t (&d)[14],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %19, 0; wgmma.mma_async.sync.aligned.m64n56k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13}, "
    "{%14, %15, %16, %17}, %18, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D2(12)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n64k32_f16_e4m3_e5m2(uint32_t (&d)[16],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %18, 0; wgmma.mma_async.sync.aligned.m64n64k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, "
    "%16, %17, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n64k32_f16_e4m3_e5m2_ra(uint32_t (&d)[16],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %21, 0; wgmma.mma_async.sync.aligned.m64n64k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, "
    "{%16, %17, %18, %19}, %20, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n72k32_f16_e4m3_e5m2(uint32_t (&d)[18],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %20, 0; wgmma.mma_async.sync.aligned.m64n72k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17}, "
    "%18, %19, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D2(16)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n72k32_f16_e4m3_e5m2_ra(uint32_t (&d)[18],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %23, 0; wgmma.mma_async.sync.aligned.m64n72k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17}, "
    "{%18, %19, %20, %21}, %22, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D2(16)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n80k32_f16_e4m3_e5m2(uint32_t (&d)[20],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %22, 0; wgmma.mma_async.sync.aligned.m64n80k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19}, "
    "%20, %21, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n80k32_f16_e4m3_e5m2_ra(uint32_t (&d)[20],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %25, 0; wgmma.mma_async.sync.aligned.m64n80k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19}, "
    "{%20, %21, %22, %23}, %24, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n88k32_f16_e4m3_e5m2(uint32_t (&d)[22],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %24, 0; wgmma.mma_async.sync.aligned.m64n88k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21}, "
    "%22, %23, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D2(20)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n88k32_f16_e4m3_e5m2_ra(uint32_t (&d)[22],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %27, 0; wgmma.mma_async.sync.aligned.m64n88k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21}, "
    "{%22, %23, %24, %25}, %26, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D2(20)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n96k32_f16_e4m3_e5m2(uint32_t (&d)[24],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %26, 0; wgmma.mma_async.sync.aligned.m64n96k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23}, "
    "%24, %25, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n96k32_f16_e4m3_e5m2_ra(uint32_t (&d)[24],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %29, 0; wgmma.mma_async.sync.aligned.m64n96k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23}, "
    "{%24, %25, %26, %27}, %28, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n104k32_f16_e4m3_e5m2(uint32_t (&d)[26],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %28, 0; wgmma.mma_async.sync.aligned.m64n104k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25}, "
    "%26, %27, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D2(24)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n104k32_f16_e4m3_e5m2_ra(uint32_t (&d)[26],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %31, 0; wgmma.mma_async.sync.aligned.m64n104k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25}, "
    "{%26, %27, %28, %29}, %30, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D2(24)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n112k32_f16_e4m3_e5m2(uint32_t (&d)[28],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %30, 0; wgmma.mma_async.sync.aligned.m64n112k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27}, "
    "%28, %29, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n112k32_f16_e4m3_e5m2_ra(uint32_t (&d)[28],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %33, 0; wgmma.mma_async.sync.aligned.m64n112k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27}, "
    "{%28, %29, %30, %31}, %32, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n120k32_f16_e4m3_e5m2(uint32_t (&d)[30],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %32, 0; wgmma.mma_async.sync.aligned.m64n120k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29}, "
    "%30, %31, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D2(28)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n120k32_f16_e4m3_e5m2_ra(uint32_t (&d)[30],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %35, 0; wgmma.mma_async.sync.aligned.m64n120k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29}, "
    "{%30, %31, %32, %33}, %34, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D2(28)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n128k32_f16_e4m3_e5m2(uint32_t (&d)[32],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %34, 0; wgmma.mma_async.sync.aligned.m64n128k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31}, "
    "%32, %33, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n128k32_f16_e4m3_e5m2_ra(uint32_t (&d)[32],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %37, 0; wgmma.mma_async.sync.aligned.m64n128k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31}, "
    "{%32, %33, %34, %35}, %36, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n136k32_f16_e4m3_e5m2(uint32_t (&d)[34],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %36, 0; wgmma.mma_async.sync.aligned.m64n136k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33}, "
    "%34, %35, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D2(32)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n136k32_f16_e4m3_e5m2_ra(uint32_t (&d)[34],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %39, 0; wgmma.mma_async.sync.aligned.m64n136k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33}, "
    "{%34, %35, %36, %37}, %38, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D2(32)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n144k32_f16_e4m3_e5m2(uint32_t (&d)[36],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %38, 0; wgmma.mma_async.sync.aligned.m64n144k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35}, "
    "%36, %37, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n144k32_f16_e4m3_e5m2_ra(uint32_t (&d)[36],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %41, 0; wgmma.mma_async.sync.aligned.m64n144k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35}, "
    "{%36, %37, %38, %39}, %40, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n152k32_f16_e4m3_e5m2(uint32_t (&d)[38],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %40, 0; wgmma.mma_async.sync.aligned.m64n152k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37}, "
    "%38, %39, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D2(36)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n152k32_f16_e4m3_e5m2_ra(uint32_t (&d)[38],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %43, 0; wgmma.mma_async.sync.aligned.m64n152k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37}, "
    "{%38, %39, %40, %41}, %42, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D2(36)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n160k32_f16_e4m3_e5m2(uint32_t (&d)[40],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %42, 0; wgmma.mma_async.sync.aligned.m64n160k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39}, "
    "%40, %41, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n160k32_f16_e4m3_e5m2_ra(uint32_t (&d)[40],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %45, 0; wgmma.mma_async.sync.aligned.m64n160k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39}, "
    "{%40, %41, %42, %43}, %44, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n168k32_f16_e4m3_e5m2(uint32_t (&d)[42],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %44, 0; wgmma.mma_async.sync.aligned.m64n168k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41}, "
    "%42, %43, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D2(40)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n168k32_f16_e4m3_e5m2_ra(uint32_t (&d)[42],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %47, 0; wgmma.mma_async.sync.aligned.m64n168k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41}, "
    "{%42, %43, %44, %45}, %46, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D2(40)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n176k32_f16_e4m3_e5m2(uint32_t (&d)[44],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %46, 0; wgmma.mma_async.sync.aligned.m64n176k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43}, "
    "%44, %45, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n176k32_f16_e4m3_e5m2_ra(uint32_t (&d)[44],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %49, 0; wgmma.mma_async.sync.aligned.m64n176k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43}, "
    "{%44, %45, %46, %47}, %48, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n184k32_f16_e4m3_e5m2(uint32_t (&d)[46],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %48, 0; wgmma.mma_async.sync.aligned.m64n184k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45}, "
    "%46, %47, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D2(44)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n184k32_f16_e4m3_e5m2_ra(uint32_t (&d)[46],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %51, 0; wgmma.mma_async.sync.aligned.m64n184k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45}, "
    "{%46, %47, %48, %49}, %50, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D2(44)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n192k32_f16_e4m3_e5m2(uint32_t (&d)[48],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %50, 0; wgmma.mma_async.sync.aligned.m64n192k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47}, "
    "%48, %49, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n192k32_f16_e4m3_e5m2_ra(uint32_t (&d)[48],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %53, 0; wgmma.mma_async.sync.aligned.m64n192k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47}, "
    "{%48, %49, %50, %51}, %52, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n200k32_f16_e4m3_e5m2(uint32_t (&d)[50],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %52, 0; wgmma.mma_async.sync.aligned.m64n200k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49}, "
    "%50, %51, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D2(48)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n200k32_f16_e4m3_e5m2_ra(uint32_t (&d)[50],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %55, 0; wgmma.mma_async.sync.aligned.m64n200k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49}, "
    "{%50, %51, %52, %53}, %54, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D2(48)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n208k32_f16_e4m3_e5m2(uint32_t (&d)[52],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %54, 0; wgmma.mma_async.sync.aligned.m64n208k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51}, "
    "%52, %53, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n208k32_f16_e4m3_e5m2_ra(uint32_t (&d)[52],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %57, 0; wgmma.mma_async.sync.aligned.m64n208k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51}, "
    "{%52, %53, %54, %55}, %56, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n216k32_f16_e4m3_e5m2(uint32_t (&d)[54],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %56, 0; wgmma.mma_async.sync.aligned.m64n216k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53}, "
    "%54, %55, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D2(52)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n216k32_f16_e4m3_e5m2_ra(uint32_t (&d)[54],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %59, 0; wgmma.mma_async.sync.aligned.m64n216k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53}, "
    "{%54, %55, %56, %57}, %58, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D2(52)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n224k32_f16_e4m3_e5m2(uint32_t (&d)[56],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %58, 0; wgmma.mma_async.sync.aligned.m64n224k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55}, "
    "%56, %57, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n224k32_f16_e4m3_e5m2_ra(uint32_t (&d)[56],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %61, 0; wgmma.mma_async.sync.aligned.m64n224k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55}, "
    "{%56, %57, %58, %59}, %60, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n232k32_f16_e4m3_e5m2(uint32_t (&d)[58],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %60, 0; wgmma.mma_async.sync.aligned.m64n232k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57}, "
    "%58, %59, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D2(56)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n232k32_f16_e4m3_e5m2_ra(uint32_t (&d)[58],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %63, 0; wgmma.mma_async.sync.aligned.m64n232k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57}, "
    "{%58, %59, %60, %61}, %62, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D2(56)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n240k32_f16_e4m3_e5m2(uint32_t (&d)[60],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %62, 0; wgmma.mma_async.sync.aligned.m64n240k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59}, "
    "%60, %61, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n240k32_f16_e4m3_e5m2_ra(uint32_t (&d)[60],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %65, 0; wgmma.mma_async.sync.aligned.m64n240k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59}, "
    "{%60, %61, %62, %63}, %64, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n248k32_f16_e4m3_e5m2(uint32_t (&d)[62],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %64, 0; wgmma.mma_async.sync.aligned.m64n248k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61}, "
    "%62, %63, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D2(60)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n248k32_f16_e4m3_e5m2_ra(uint32_t (&d)[62],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %67, 0; wgmma.mma_async.sync.aligned.m64n248k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61}, "
    "{%62, %63, %64, %65}, %66, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D2(60)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n256k32_f16_e4m3_e5m2(uint32_t (&d)[64],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %66, 0; wgmma.mma_async.sync.aligned.m64n256k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
    "%64, %65, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n256k32_f16_e4m3_e5m2_ra(uint32_t (&d)[64],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %69, 0; wgmma.mma_async.sync.aligned.m64n256k32.f16.e4m3.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
    "{%64, %65, %66, %67}, %68, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n8k32_f16_e5m2_e4m3(uint32_t (&d)[2],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %4, 0; wgmma.mma_async.sync.aligned.m64n8k32.f16.e5m2.e4m3 "
    "{%0, %1}, "
    "%2, %3, p, 1, 1; }"
    : PALLASGEN_D2(0)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n8k32_f16_e5m2_e4m3_ra(uint32_t (&d)[2],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %7, 0; wgmma.mma_async.sync.aligned.m64n8k32.f16.e5m2.e4m3 "
    "{%0, %1}, "
    "{%2, %3, %4, %5}, %6, p, 1, 1; }"
    : PALLASGEN_D2(0)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n16k32_f16_e5m2_e4m3(uint32_t (&d)[4],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %6, 0; wgmma.mma_async.sync.aligned.m64n16k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3}, "
    "%4, %5, p, 1, 1; }"
    : PALLASGEN_D4(0)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n16k32_f16_e5m2_e4m3_ra(uint32_t (&d)[4],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %9, 0; wgmma.mma_async.sync.aligned.m64n16k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3}, "
    "{%4, %5, %6, %7}, %8, p, 1, 1; }"
    : PALLASGEN_D4(0)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n24k32_f16_e5m2_e4m3(uint32_t (&d)[6],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %8, 0; wgmma.mma_async.sync.aligned.m64n24k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5}, "
    "%6, %7, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D2(4)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n24k32_f16_e5m2_e4m3_ra(uint32_t (&d)[6],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %11, 0; wgmma.mma_async.sync.aligned.m64n24k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5}, "
    "{%6, %7, %8, %9}, %10, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D2(4)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n32k32_f16_e5m2_e4m3(uint32_t (&d)[8],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %10, 0; wgmma.mma_async.sync.aligned.m64n32k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7}, "
    "%8, %9, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n32k32_f16_e5m2_e4m3_ra(uint32_t (&d)[8],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %13, 0; wgmma.mma_async.sync.aligned.m64n32k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7}, "
    "{%8, %9, %10, %11}, %12, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n40k32_f16_e5m2_e4m3(uint32_t (&d)[10],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %12, 0; wgmma.mma_async.sync.aligned.m64n40k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9}, "
    "%10, %11, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D2(8)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n40k32_f16_e5m2_e4m3_ra(uint32_t (&d)[10],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %15, 0; wgmma.mma_async.sync.aligned.m64n40k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9}, "
    "{%10, %11, %12, %13}, %14, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D2(8)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n48k32_f16_e5m2_e4m3(uint32_t (&d)[12],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %14, 0; wgmma.mma_async.sync.aligned.m64n48k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11}, "
    "%12, %13, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n48k32_f16_e5m2_e4m3_ra(uint32_t (&d)[12],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %17, 0; wgmma.mma_async.sync.aligned.m64n48k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11}, "
    "{%12, %13, %14, %15}, %16, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n56k32_f16_e5m2_e4m3(uint32_t (&d)[14],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %16, 0; wgmma.mma_async.sync.aligned.m64n56k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13}, "
    "%14, %15, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D2(12)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n56k32_f16_e5m2_e4m3_ra(uint32_t (&d)[14],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %19, 0; wgmma.mma_async.sync.aligned.m64n56k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13}, "
    "{%14, %15, %16, %17}, %18, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D2(12)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n64k32_f16_e5m2_e4m3(uint32_t (&d)[16],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %18, 0; wgmma.mma_async.sync.aligned.m64n64k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, "
    "%16, %17, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n64k32_f16_e5m2_e4m3_ra(uint32_t (&d)[16],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %21, 0; wgmma.mma_async.sync.aligned.m64n64k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, "
    "{%16, %17, %18, %19}, %20, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n72k32_f16_e5m2_e4m3(uint32_t (&d)[18],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %20, 0; wgmma.mma_async.sync.aligned.m64n72k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17}, "
    "%18, %19, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D2(16)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n72k32_f16_e5m2_e4m3_ra(uint32_t (&d)[18],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %23, 0; wgmma.mma_async.sync.aligned.m64n72k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17}, "
    "{%18, %19, %20, %21}, %22, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D2(16)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n80k32_f16_e5m2_e4m3(uint32_t (&d)[20],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %22, 0; wgmma.mma_async.sync.aligned.m64n80k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19}, "
    "%20, %21, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n80k32_f16_e5m2_e4m3_ra(uint32_t (&d)[20],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %25, 0; wgmma.mma_async.sync.aligned.m64n80k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19}, "
    "{%20, %21, %22, %23}, %24, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n88k32_f16_e5m2_e4m3(uint32_t (&d)[22],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %24, 0; wgmma.mma_async.sync.aligned.m64n88k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21}, "
    "%22, %23, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D2(20)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n88k32_f16_e5m2_e4m3_ra(uint32_t (&d)[22],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %27, 0; wgmma.mma_async.sync.aligned.m64n88k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21}, "
    "{%22, %23, %24, %25}, %26, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D2(20)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n96k32_f16_e5m2_e4m3(uint32_t (&d)[24],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %26, 0; wgmma.mma_async.sync.aligned.m64n96k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23}, "
    "%24, %25, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n96k32_f16_e5m2_e4m3_ra(uint32_t (&d)[24],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %29, 0; wgmma.mma_async.sync.aligned.m64n96k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23}, "
    "{%24, %25, %26, %27}, %28, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n104k32_f16_e5m2_e4m3(uint32_t (&d)[26],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %28, 0; wgmma.mma_async.sync.aligned.m64n104k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25}, "
    "%26, %27, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D2(24)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n104k32_f16_e5m2_e4m3_ra(uint32_t (&d)[26],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %31, 0; wgmma.mma_async.sync.aligned.m64n104k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25}, "
    "{%26, %27, %28, %29}, %30, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D2(24)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n112k32_f16_e5m2_e4m3(uint32_t (&d)[28],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %30, 0; wgmma.mma_async.sync.aligned.m64n112k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27}, "
    "%28, %29, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n112k32_f16_e5m2_e4m3_ra(uint32_t (&d)[28],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %33, 0; wgmma.mma_async.sync.aligned.m64n112k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27}, "
    "{%28, %29, %30, %31}, %32, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n120k32_f16_e5m2_e4m3(uint32_t (&d)[30],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %32, 0; wgmma.mma_async.sync.aligned.m64n120k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29}, "
    "%30, %31, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D2(28)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n120k32_f16_e5m2_e4m3_ra(uint32_t (&d)[30],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %35, 0; wgmma.mma_async.sync.aligned.m64n120k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29}, "
    "{%30, %31, %32, %33}, %34, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D2(28)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n128k32_f16_e5m2_e4m3(uint32_t (&d)[32],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %34, 0; wgmma.mma_async.sync.aligned.m64n128k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31}, "
    "%32, %33, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n128k32_f16_e5m2_e4m3_ra(uint32_t (&d)[32],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %37, 0; wgmma.mma_async.sync.aligned.m64n128k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31}, "
    "{%32, %33, %34, %35}, %36, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n136k32_f16_e5m2_e4m3(uint32_t (&d)[34],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %36, 0; wgmma.mma_async.sync.aligned.m64n136k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33}, "
    "%34, %35, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D2(32)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n136k32_f16_e5m2_e4m3_ra(uint32_t (&d)[34],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %39, 0; wgmma.mma_async.sync.aligned.m64n136k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33}, "
    "{%34, %35, %36, %37}, %38, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D2(32)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n144k32_f16_e5m2_e4m3(uint32_t (&d)[36],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %38, 0; wgmma.mma_async.sync.aligned.m64n144k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35}, "
    "%36, %37, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n144k32_f16_e5m2_e4m3_ra(uint32_t (&d)[36],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %41, 0; wgmma.mma_async.sync.aligned.m64n144k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35}, "
    "{%36, %37, %38, %39}, %40, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n152k32_f16_e5m2_e4m3(uint32_t (&d)[38],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %40, 0; wgmma.mma_async.sync.aligned.m64n152k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37}, "
    "%38, %39, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D2(36)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n152k32_f16_e5m2_e4m3_ra(uint32_t (&d)[38],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %43, 0; wgmma.mma_async.sync.aligned.m64n152k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37}, "
    "{%38, %39, %40, %41}, %42, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D2(36)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n160k32_f16_e5m2_e4m3(uint32_t (&d)[40],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %42, 0; wgmma.mma_async.sync.aligned.m64n160k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39}, "
    "%40, %41, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n160k32_f16_e5m2_e4m3_ra(uint32_t (&d)[40],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %45, 0; wgmma.mma_async.sync.aligned.m64n160k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39}, "
    "{%40, %41, %42, %43}, %44, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n168k32_f16_e5m2_e4m3(uint32_t (&d)[42],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %44, 0; wgmma.mma_async.sync.aligned.m64n168k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41}, "
    "%42, %43, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D2(40)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n168k32_f16_e5m2_e4m3_ra(uint32_t (&d)[42],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %47, 0; wgmma.mma_async.sync.aligned.m64n168k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41}, "
    "{%42, %43, %44, %45}, %46, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D2(40)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n176k32_f16_e5m2_e4m3(uint32_t (&d)[44],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %46, 0; wgmma.mma_async.sync.aligned.m64n176k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43}, "
    "%44, %45, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n176k32_f16_e5m2_e4m3_ra(uint32_t (&d)[44],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %49, 0; wgmma.mma_async.sync.aligned.m64n176k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43}, "
    "{%44, %45, %46, %47}, %48, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n184k32_f16_e5m2_e4m3(uint32_t (&d)[46],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %48, 0; wgmma.mma_async.sync.aligned.m64n184k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45}, "
    "%46, %47, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D2(44)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n184k32_f16_e5m2_e4m3_ra(uint32_t (&d)[46],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %51, 0; wgmma.mma_async.sync.aligned.m64n184k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45}, "
    "{%46, %47, %48, %49}, %50, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D2(44)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n192k32_f16_e5m2_e4m3(uint32_t (&d)[48],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %50, 0; wgmma.mma_async.sync.aligned.m64n192k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47}, "
    "%48, %49, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n192k32_f16_e5m2_e4m3_ra(uint32_t (&d)[48],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %53, 0; wgmma.mma_async.sync.aligned.m64n192k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47}, "
    "{%48, %49, %50, %51}, %52, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n200k32_f16_e5m2_e4m3(uint32_t (&d)[50],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %52, 0; wgmma.mma_async.sync.aligned.m64n200k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49}, "
    "%50, %51, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D2(48)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n200k32_f16_e5m2_e4m3_ra(uint32_t (&d)[50],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %55, 0; wgmma.mma_async.sync.aligned.m64n200k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49}, "
    "{%50, %51, %52, %53}, %54, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D2(48)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n208k32_f16_e5m2_e4m3(uint32_t (&d)[52],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %54, 0; wgmma.mma_async.sync.aligned.m64n208k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51}, "
    "%52, %53, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n208k32_f16_e5m2_e4m3_ra(uint32_t (&d)[52],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %57, 0; wgmma.mma_async.sync.aligned.m64n208k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51}, "
    "{%52, %53, %54, %55}, %56, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n216k32_f16_e5m2_e4m3(uint32_t (&d)[54],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %56, 0; wgmma.mma_async.sync.aligned.m64n216k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53}, "
    "%54, %55, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D2(52)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n216k32_f16_e5m2_e4m3_ra(uint32_t (&d)[54],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %59, 0; wgmma.mma_async.sync.aligned.m64n216k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53}, "
    "{%54, %55, %56, %57}, %58, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D2(52)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n224k32_f16_e5m2_e4m3(uint32_t (&d)[56],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %58, 0; wgmma.mma_async.sync.aligned.m64n224k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55}, "
    "%56, %57, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n224k32_f16_e5m2_e4m3_ra(uint32_t (&d)[56],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %61, 0; wgmma.mma_async.sync.aligned.m64n224k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55}, "
    "{%56, %57, %58, %59}, %60, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n232k32_f16_e5m2_e4m3(uint32_t (&d)[58],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %60, 0; wgmma.mma_async.sync.aligned.m64n232k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57}, "
    "%58, %59, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D2(56)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n232k32_f16_e5m2_e4m3_ra(uint32_t (&d)[58],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %63, 0; wgmma.mma_async.sync.aligned.m64n232k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57}, "
    "{%58, %59, %60, %61}, %62, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D2(56)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n240k32_f16_e5m2_e4m3(uint32_t (&d)[60],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %62, 0; wgmma.mma_async.sync.aligned.m64n240k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59}, "
    "%60, %61, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n240k32_f16_e5m2_e4m3_ra(uint32_t (&d)[60],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %65, 0; wgmma.mma_async.sync.aligned.m64n240k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59}, "
    "{%60, %61, %62, %63}, %64, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n248k32_f16_e5m2_e4m3(uint32_t (&d)[62],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %64, 0; wgmma.mma_async.sync.aligned.m64n248k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61}, "
    "%62, %63, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D2(60)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n248k32_f16_e5m2_e4m3_ra(uint32_t (&d)[62],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %67, 0; wgmma.mma_async.sync.aligned.m64n248k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61}, "
    "{%62, %63, %64, %65}, %66, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D2(60)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n256k32_f16_e5m2_e4m3(uint32_t (&d)[64],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %66, 0; wgmma.mma_async.sync.aligned.m64n256k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
    "%64, %65, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n256k32_f16_e5m2_e4m3_ra(uint32_t (&d)[64],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %69, 0; wgmma.mma_async.sync.aligned.m64n256k32.f16.e5m2.e4m3 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
    "{%64, %65, %66, %67}, %68, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n8k32_f16_e5m2_e5m2(uint32_t (&d)[2],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %4, 0; wgmma.mma_async.sync.aligned.m64n8k32.f16.e5m2.e5m2 "
    "{%0, %1}, "
    "%2, %3, p, 1, 1; }"
    : PALLASGEN_D2(0)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n8k32_f16_e5m2_e5m2_ra(uint32_t (&d)[2],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %7, 0; wgmma.mma_async.sync.aligned.m64n8k32.f16.e5m2.e5m2 "
    "{%0, %1}, "
    "{%2, %3, %4, %5}, %6, p, 1, 1; }"
    : PALLASGEN_D2(0)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n16k32_f16_e5m2_e5m2(uint32_t (&d)[4],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %6, 0; wgmma.mma_async.sync.aligned.m64n16k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3}, "
    "%4, %5, p, 1, 1; }"
    : PALLASGEN_D4(0)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n16k32_f16_e5m2_e5m2_ra(uint32_t (&d)[4],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %9, 0; wgmma.mma_async.sync.aligned.m64n16k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3}, "
    "{%4, %5, %6, %7}, %8, p, 1, 1; }"
    : PALLASGEN_D4(0)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n24k32_f16_e5m2_e5m2(uint32_t (&d)[6],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %8, 0; wgmma.mma_async.sync.aligned.m64n24k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5}, "
    "%6, %7, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D2(4)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n24k32_f16_e5m2_e5m2_ra(uint32_t (&d)[6],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %11, 0; wgmma.mma_async.sync.aligned.m64n24k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5}, "
    "{%6, %7, %8, %9}, %10, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D2(4)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n32k32_f16_e5m2_e5m2(uint32_t (&d)[8],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %10, 0; wgmma.mma_async.sync.aligned.m64n32k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7}, "
    "%8, %9, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n32k32_f16_e5m2_e5m2_ra(uint32_t (&d)[8],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %13, 0; wgmma.mma_async.sync.aligned.m64n32k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7}, "
    "{%8, %9, %10, %11}, %12, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n40k32_f16_e5m2_e5m2(uint32_t (&d)[10],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %12, 0; wgmma.mma_async.sync.aligned.m64n40k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9}, "
    "%10, %11, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D2(8)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n40k32_f16_e5m2_e5m2_ra(uint32_t (&d)[10],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %15, 0; wgmma.mma_async.sync.aligned.m64n40k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9}, "
    "{%10, %11, %12, %13}, %14, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D2(8)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n48k32_f16_e5m2_e5m2(uint32_t (&d)[12],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %14, 0; wgmma.mma_async.sync.aligned.m64n48k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11}, "
    "%12, %13, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n48k32_f16_e5m2_e5m2_ra(uint32_t (&d)[12],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %17, 0; wgmma.mma_async.sync.aligned.m64n48k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11}, "
    "{%12, %13, %14, %15}, %16, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n56k32_f16_e5m2_e5m2(uint32_t (&d)[14],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %16, 0; wgmma.mma_async.sync.aligned.m64n56k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13}, "
    "%14, %15, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D2(12)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n56k32_f16_e5m2_e5m2_ra(uint32_t (&d)[14],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %19, 0; wgmma.mma_async.sync.aligned.m64n56k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13}, "
    "{%14, %15, %16, %17}, %18, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D2(12)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n64k32_f16_e5m2_e5m2(uint32_t (&d)[16],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %18, 0; wgmma.mma_async.sync.aligned.m64n64k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, "
    "%16, %17, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n64k32_f16_e5m2_e5m2_ra(uint32_t (&d)[16],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %21, 0; wgmma.mma_async.sync.aligned.m64n64k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, "
    "{%16, %17, %18, %19}, %20, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n72k32_f16_e5m2_e5m2(uint32_t (&d)[18],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %20, 0; wgmma.mma_async.sync.aligned.m64n72k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17}, "
    "%18, %19, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D2(16)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n72k32_f16_e5m2_e5m2_ra(uint32_t (&d)[18],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %23, 0; wgmma.mma_async.sync.aligned.m64n72k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17}, "
    "{%18, %19, %20, %21}, %22, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D2(16)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n80k32_f16_e5m2_e5m2(uint32_t (&d)[20],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %22, 0; wgmma.mma_async.sync.aligned.m64n80k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19}, "
    "%20, %21, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n80k32_f16_e5m2_e5m2_ra(uint32_t (&d)[20],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %25, 0; wgmma.mma_async.sync.aligned.m64n80k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19}, "
    "{%20, %21, %22, %23}, %24, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n88k32_f16_e5m2_e5m2(uint32_t (&d)[22],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %24, 0; wgmma.mma_async.sync.aligned.m64n88k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21}, "
    "%22, %23, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D2(20)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n88k32_f16_e5m2_e5m2_ra(uint32_t (&d)[22],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %27, 0; wgmma.mma_async.sync.aligned.m64n88k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21}, "
    "{%22, %23, %24, %25}, %26, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D2(20)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n96k32_f16_e5m2_e5m2(uint32_t (&d)[24],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %26, 0; wgmma.mma_async.sync.aligned.m64n96k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23}, "
    "%24, %25, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n96k32_f16_e5m2_e5m2_ra(uint32_t (&d)[24],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %29, 0; wgmma.mma_async.sync.aligned.m64n96k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23}, "
    "{%24, %25, %26, %27}, %28, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n104k32_f16_e5m2_e5m2(uint32_t (&d)[26],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %28, 0; wgmma.mma_async.sync.aligned.m64n104k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25}, "
    "%26, %27, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D2(24)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n104k32_f16_e5m2_e5m2_ra(uint32_t (&d)[26],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %31, 0; wgmma.mma_async.sync.aligned.m64n104k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25}, "
    "{%26, %27, %28, %29}, %30, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D2(24)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n112k32_f16_e5m2_e5m2(uint32_t (&d)[28],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %30, 0; wgmma.mma_async.sync.aligned.m64n112k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27}, "
    "%28, %29, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n112k32_f16_e5m2_e5m2_ra(uint32_t (&d)[28],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %33, 0; wgmma.mma_async.sync.aligned.m64n112k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27}, "
    "{%28, %29, %30, %31}, %32, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n120k32_f16_e5m2_e5m2(uint32_t (&d)[30],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %32, 0; wgmma.mma_async.sync.aligned.m64n120k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29}, "
    "%30, %31, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D2(28)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n120k32_f16_e5m2_e5m2_ra(uint32_t (&d)[30],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %35, 0; wgmma.mma_async.sync.aligned.m64n120k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29}, "
    "{%30, %31, %32, %33}, %34, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D2(28)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n128k32_f16_e5m2_e5m2(uint32_t (&d)[32],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %34, 0; wgmma.mma_async.sync.aligned.m64n128k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31}, "
    "%32, %33, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n128k32_f16_e5m2_e5m2_ra(uint32_t (&d)[32],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %37, 0; wgmma.mma_async.sync.aligned.m64n128k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31}, "
    "{%32, %33, %34, %35}, %36, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n136k32_f16_e5m2_e5m2(uint32_t (&d)[34],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %36, 0; wgmma.mma_async.sync.aligned.m64n136k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33}, "
    "%34, %35, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D2(32)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n136k32_f16_e5m2_e5m2_ra(uint32_t (&d)[34],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %39, 0; wgmma.mma_async.sync.aligned.m64n136k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33}, "
    "{%34, %35, %36, %37}, %38, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D2(32)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n144k32_f16_e5m2_e5m2(uint32_t (&d)[36],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %38, 0; wgmma.mma_async.sync.aligned.m64n144k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35}, "
    "%36, %37, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n144k32_f16_e5m2_e5m2_ra(uint32_t (&d)[36],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %41, 0; wgmma.mma_async.sync.aligned.m64n144k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35}, "
    "{%36, %37, %38, %39}, %40, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n152k32_f16_e5m2_e5m2(uint32_t (&d)[38],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %40, 0; wgmma.mma_async.sync.aligned.m64n152k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37}, "
    "%38, %39, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D2(36)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n152k32_f16_e5m2_e5m2_ra(uint32_t (&d)[38],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %43, 0; wgmma.mma_async.sync.aligned.m64n152k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37}, "
    "{%38, %39, %40, %41}, %42, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D2(36)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n160k32_f16_e5m2_e5m2(uint32_t (&d)[40],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %42, 0; wgmma.mma_async.sync.aligned.m64n160k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39}, "
    "%40, %41, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n160k32_f16_e5m2_e5m2_ra(uint32_t (&d)[40],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %45, 0; wgmma.mma_async.sync.aligned.m64n160k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39}, "
    "{%40, %41, %42, %43}, %44, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n168k32_f16_e5m2_e5m2(uint32_t (&d)[42],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %44, 0; wgmma.mma_async.sync.aligned.m64n168k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41}, "
    "%42, %43, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D2(40)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n168k32_f16_e5m2_e5m2_ra(uint32_t (&d)[42],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %47, 0; wgmma.mma_async.sync.aligned.m64n168k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41}, "
    "{%42, %43, %44, %45}, %46, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D2(40)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n176k32_f16_e5m2_e5m2(uint32_t (&d)[44],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %46, 0; wgmma.mma_async.sync.aligned.m64n176k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43}, "
    "%44, %45, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n176k32_f16_e5m2_e5m2_ra(uint32_t (&d)[44],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %49, 0; wgmma.mma_async.sync.aligned.m64n176k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43}, "
    "{%44, %45, %46, %47}, %48, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n184k32_f16_e5m2_e5m2(uint32_t (&d)[46],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %48, 0; wgmma.mma_async.sync.aligned.m64n184k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45}, "
    "%46, %47, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D2(44)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n184k32_f16_e5m2_e5m2_ra(uint32_t (&d)[46],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %51, 0; wgmma.mma_async.sync.aligned.m64n184k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45}, "
    "{%46, %47, %48, %49}, %50, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D2(44)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n192k32_f16_e5m2_e5m2(uint32_t (&d)[48],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %50, 0; wgmma.mma_async.sync.aligned.m64n192k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47}, "
    "%48, %49, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n192k32_f16_e5m2_e5m2_ra(uint32_t (&d)[48],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %53, 0; wgmma.mma_async.sync.aligned.m64n192k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47}, "
    "{%48, %49, %50, %51}, %52, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n200k32_f16_e5m2_e5m2(uint32_t (&d)[50],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %52, 0; wgmma.mma_async.sync.aligned.m64n200k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49}, "
    "%50, %51, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D2(48)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n200k32_f16_e5m2_e5m2_ra(uint32_t (&d)[50],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %55, 0; wgmma.mma_async.sync.aligned.m64n200k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49}, "
    "{%50, %51, %52, %53}, %54, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D2(48)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n208k32_f16_e5m2_e5m2(uint32_t (&d)[52],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %54, 0; wgmma.mma_async.sync.aligned.m64n208k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51}, "
    "%52, %53, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n208k32_f16_e5m2_e5m2_ra(uint32_t (&d)[52],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %57, 0; wgmma.mma_async.sync.aligned.m64n208k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51}, "
    "{%52, %53, %54, %55}, %56, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n216k32_f16_e5m2_e5m2(uint32_t (&d)[54],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %56, 0; wgmma.mma_async.sync.aligned.m64n216k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53}, "
    "%54, %55, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D2(52)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n216k32_f16_e5m2_e5m2_ra(uint32_t (&d)[54],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %59, 0; wgmma.mma_async.sync.aligned.m64n216k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53}, "
    "{%54, %55, %56, %57}, %58, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D2(52)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n224k32_f16_e5m2_e5m2(uint32_t (&d)[56],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %58, 0; wgmma.mma_async.sync.aligned.m64n224k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55}, "
    "%56, %57, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n224k32_f16_e5m2_e5m2_ra(uint32_t (&d)[56],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %61, 0; wgmma.mma_async.sync.aligned.m64n224k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55}, "
    "{%56, %57, %58, %59}, %60, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n232k32_f16_e5m2_e5m2(uint32_t (&d)[58],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %60, 0; wgmma.mma_async.sync.aligned.m64n232k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57}, "
    "%58, %59, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D2(56)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n232k32_f16_e5m2_e5m2_ra(uint32_t (&d)[58],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %63, 0; wgmma.mma_async.sync.aligned.m64n232k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57}, "
    "{%58, %59, %60, %61}, %62, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D2(56)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n240k32_f16_e5m2_e5m2(uint32_t (&d)[60],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %62, 0; wgmma.mma_async.sync.aligned.m64n240k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59}, "
    "%60, %61, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n240k32_f16_e5m2_e5m2_ra(uint32_t (&d)[60],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %65, 0; wgmma.mma_async.sync.aligned.m64n240k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59}, "
    "{%60, %61, %62, %63}, %64, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n248k32_f16_e5m2_e5m2(uint32_t (&d)[62],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %64, 0; wgmma.mma_async.sync.aligned.m64n248k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61}, "
    "%62, %63, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D2(60)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n248k32_f16_e5m2_e5m2_ra(uint32_t (&d)[62],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %67, 0; wgmma.mma_async.sync.aligned.m64n248k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61}, "
    "{%62, %63, %64, %65}, %66, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D2(60)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n256k32_f16_e5m2_e5m2(uint32_t (&d)[64],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %66, 0; wgmma.mma_async.sync.aligned.m64n256k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
    "%64, %65, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n256k32_f16_e5m2_e5m2_ra(uint32_t (&d)[64],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %69, 0; wgmma.mma_async.sync.aligned.m64n256k32.f16.e5m2.e5m2 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
    "{%64, %65, %66, %67}, %68, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

}  // namespace pallasgen::ptx

#undef PALLASGEN_D4
#undef PALLASGEN_D2
