// Written by scripts/make_wgmma.py. DO NOT EDIT.
// clang-format off
#pragma once
#include <cuda_runtime.h>

#include <cstdint>

// wgmma.mma_async, one function per instruction: d += A * B, or d = A * B when `accumulate` is 0. A is 64 x 32, from
// shared memory by the descriptor `a` or, in the _ra forms, from registers; B is 32 x N by the descriptor `b`. K is
// contiguous in both operands. Sums wrap around. All four warps of a warpgroup execute it.
#define PALLASGEN_D4(i) "+r"(d[i]), "+r"(d[i + 1]), "+r"(d[i + 2]), "+r"(d[i + 3])

namespace pallasgen::ptx {

__device__ __forceinline__ void wgmma_m64n8k32_s32_s8_s8(int32_t (&d)[4],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %6, 0; wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 "
    "{%0, %1, %2, %3}, "
    "%4, %5, p; }"
    : PALLASGEN_D4(0)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n8k32_s32_s8_s8_ra(int32_t (&d)[4],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %9, 0; wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 "
    "{%0, %1, %2, %3}, "
    "{%4, %5, %6, %7}, %8, p; }"
    : PALLASGEN_D4(0)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n16k32_s32_s8_s8(int32_t (&d)[8],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %10, 0; wgmma.mma_async.sync.aligned.m64n16k32.s32.s8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7}, "
    "%8, %9, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n16k32_s32_s8_s8_ra(int32_t (&d)[8],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %13, 0; wgmma.mma_async.sync.aligned.m64n16k32.s32.s8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7}, "
    "{%8, %9, %10, %11}, %12, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n24k32_s32_s8_s8(int32_t (&d)[12],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %14, 0; wgmma.mma_async.sync.aligned.m64n24k32.s32.s8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11}, "
    "%12, %13, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n24k32_s32_s8_s8_ra(int32_t (&d)[12],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %17, 0; wgmma.mma_async.sync.aligned.m64n24k32.s32.s8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11}, "
    "{%12, %13, %14, %15}, %16, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n32k32_s32_s8_s8(int32_t (&d)[16],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %18, 0; wgmma.mma_async.sync.aligned.m64n32k32.s32.s8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, "
    "%16, %17, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n32k32_s32_s8_s8_ra(int32_t (&d)[16],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %21, 0; wgmma.mma_async.sync.aligned.m64n32k32.s32.s8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, "
    "{%16, %17, %18, %19}, %20, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n48k32_s32_s8_s8(int32_t (&d)[24],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %26, 0; wgmma.mma_async.sync.aligned.m64n48k32.s32.s8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23}, "
    "%24, %25, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n48k32_s32_s8_s8_ra(int32_t (&d)[24],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %29, 0; wgmma.mma_async.sync.aligned.m64n48k32.s32.s8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23}, "
    "{%24, %25, %26, %27}, %28, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n64k32_s32_s8_s8(int32_t (&d)[32],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %34, 0; wgmma.mma_async.sync.aligned.m64n64k32.s32.s8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31}, "
    "%32, %33, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n64k32_s32_s8_s8_ra(int32_t (&d)[32],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %37, 0; wgmma.mma_async.sync.aligned.m64n64k32.s32.s8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31}, "
    "{%32, %33, %34, %35}, %36, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n80k32_s32_s8_s8(int32_t (&d)[40],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %42, 0; wgmma.mma_async.sync.aligned.m64n80k32.s32.s8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39}, "
    "%40, %41, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n80k32_s32_s8_s8_ra(int32_t (&d)[40],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %45, 0; wgmma.mma_async.sync.aligned.m64n80k32.s32.s8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39}, "
    "{%40, %41, %42, %43}, %44, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n96k32_s32_s8_s8(int32_t (&d)[48],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %50, 0; wgmma.mma_async.sync.aligned.m64n96k32.s32.s8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47}, "
    "%48, %49, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n96k32_s32_s8_s8_ra(int32_t (&d)[48],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %53, 0; wgmma.mma_async.sync.aligned.m64n96k32.s32.s8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47}, "
    "{%48, %49, %50, %51}, %52, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n112k32_s32_s8_s8(int32_t (&d)[56],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %58, 0; wgmma.mma_async.sync.aligned.m64n112k32.s32.s8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55}, "
    "%56, %57, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n112k32_s32_s8_s8_ra(int32_t (&d)[56],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %61, 0; wgmma.mma_async.sync.aligned.m64n112k32.s32.s8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55}, "
    "{%56, %57, %58, %59}, %60, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n128k32_s32_s8_s8(int32_t (&d)[64],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %66, 0; wgmma.mma_async.sync.aligned.m64n128k32.s32.s8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
    "%64, %65, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n128k32_s32_s8_s8_ra(int32_t (&d)[64],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %69, 0; wgmma.mma_async.sync.aligned.m64n128k32.s32.s8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
    "{%64, %65, %66, %67}, %68, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n144k32_s32_s8_s8(int32_t (&d)[72],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %74, 0; wgmma.mma_async.sync.aligned.m64n144k32.s32.s8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71}, "
    "%72, %73, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n144k32_s32_s8_s8_ra(int32_t (&d)[72],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %77, 0; wgmma.mma_async.sync.aligned.m64n144k32.s32.s8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71}, "
    "{%72, %73, %74, %75}, %76, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n160k32_s32_s8_s8(int32_t (&d)[80],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %82, 0; wgmma.mma_async.sync.aligned.m64n160k32.s32.s8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79}, "
    "%80, %81, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n160k32_s32_s8_s8_ra(int32_t (&d)[80],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %85, 0; wgmma.mma_async.sync.aligned.m64n160k32.s32.s8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79}, "
    "{%80, %81, %82, %83}, %84, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n176k32_s32_s8_s8(int32_t (&d)[88],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %90, 0; wgmma.mma_async.sync.aligned.m64n176k32.s32.s8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87}, "
    "%88, %89, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n176k32_s32_s8_s8_ra(int32_t (&d)[88],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %93, 0; wgmma.mma_async.sync.aligned.m64n176k32.s32.s8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87}, "
    "{%88, %89, %90, %91}, %92, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n192k32_s32_s8_s8(int32_t (&d)[96],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %98, 0; wgmma.mma_async.sync.aligned.m64n192k32.s32.s8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95}, "
    "%96, %97, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n192k32_s32_s8_s8_ra(int32_t (&d)[96],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %101, 0; wgmma.mma_async.sync.aligned.m64n192k32.s32.s8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95}, "
    "{%96, %97, %98, %99}, %100, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n208k32_s32_s8_s8(int32_t (&d)[104],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %106, 0; wgmma.mma_async.sync.aligned.m64n208k32.s32.s8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103}, "
    "%104, %105, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n208k32_s32_s8_s8_ra(int32_t (&d)[104],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %109, 0; wgmma.mma_async.sync.aligned.m64n208k32.s32.s8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103}, "
    "{%104, %105, %106, %107}, %108, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n224k32_s32_s8_s8(int32_t (&d)[112],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %114, 0; wgmma.mma_async.sync.aligned.m64n224k32.s32.s8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "
    "%105, %106, %107, %108, %109, %110, %111}, "
    "%112, %113, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100),
      PALLASGEN_D4(104), PALLASGEN_D4(108)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n224k32_s32_s8_s8_ra(int32_t (&d)[112],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %117, 0; wgmma.mma_async.sync.aligned.m64n224k32.s32.s8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "
    "%105, %106, %107, %108, %109, %110, %111}, "
    "{%112, %113, %114, %115}, %116, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100),
      PALLASGEN_D4(104), PALLASGEN_D4(108)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n240k32_s32_s8_s8(int32_t (&d)[120],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %122, 0; wgmma.mma_async.sync.aligned.m64n240k32.s32.s8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "
    "%105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119}, "
    "%120, %121, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100),
      PALLASGEN_D4(104), PALLASGEN_D4(108), PALLASGEN_D4(112), PALLASGEN_D4(116)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n240k32_s32_s8_s8_ra(int32_t (&d)[120],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %125, 0; wgmma.mma_async.sync.aligned.m64n240k32.s32.s8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "
    "%105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119}, "
    "{%120, %121, %122, %123}, %124, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100),
      PALLASGEN_D4(104), PALLASGEN_D4(108), PALLASGEN_D4(112), PALLASGEN_D4(116)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n256k32_s32_s8_s8(int32_t (&d)[128],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %130, 0; wgmma.mma_async.sync.aligned.m64n256k32.s32.s8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "
    "%105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, "
    "%122, %123, %124, %125, %126, %127}, "
    "%128, %129, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100),
      PALLASGEN_D4(104), PALLASGEN_D4(108), PALLASGEN_D4(112), PALLASGEN_D4(116), PALLASGEN_D4(120),
      PALLASGEN_D4(124)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n256k32_s32_s8_s8_ra(int32_t (&d)[128],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %133, 0; wgmma.mma_async.sync.aligned.m64n256k32.s32.s8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "
    "%105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, "
    "%122, %123, %124, %125, %126, %127}, "
    "{%128, %129, %130, %131}, %132, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100),
      PALLASGEN_D4(104), PALLASGEN_D4(108), PALLASGEN_D4(112), PALLASGEN_D4(116), PALLASGEN_D4(120),
      PALLASGEN_D4(124)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n8k32_s32_s8_u8(int32_t (&d)[4],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %6, 0; wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.u8 "
    "{%0, %1, %2, %3}, "
    "%4, %5, p; }"
    : PALLASGEN_D4(0)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n8k32_s32_s8_u8_ra(int32_t (&d)[4],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %9, 0; wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.u8 "
    "{%0, %1, %2, %3}, "
    "{%4, %5, %6, %7}, %8, p; }"
    : PALLASGEN_D4(0)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n16k32_s32_s8_u8(int32_t (&d)[8],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %10, 0; wgmma.mma_async.sync.aligned.m64n16k32.s32.s8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7}, "
    "%8, %9, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n16k32_s32_s8_u8_ra(int32_t (&d)[8],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %13, 0; wgmma.mma_async.sync.aligned.m64n16k32.s32.s8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7}, "
    "{%8, %9, %10, %11}, %12, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n24k32_s32_s8_u8(int32_t (&d)[12],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %14, 0; wgmma.mma_async.sync.aligned.m64n24k32.s32.s8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11}, "
    "%12, %13, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n24k32_s32_s8_u8_ra(int32_t (&d)[12],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %17, 0; wgmma.mma_async.sync.aligned.m64n24k32.s32.s8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11}, "
    "{%12, %13, %14, %15}, %16, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n32k32_s32_s8_u8(int32_t (&d)[16],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %18, 0; wgmma.mma_async.sync.aligned.m64n32k32.s32.s8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, "
    "%16, %17, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n32k32_s32_s8_u8_ra(int32_t (&d)[16],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %21, 0; wgmma.mma_async.sync.aligned.m64n32k32.s32.s8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, "
    "{%16, %17, %18, %19}, %20, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n48k32_s32_s8_u8(int32_t (&d)[24],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %26, 0; wgmma.mma_async.sync.aligned.m64n48k32.s32.s8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23}, "
    "%24, %25, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n48k32_s32_s8_u8_ra(int32_t (&d)[24],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %29, 0; wgmma.mma_async.sync.aligned.m64n48k32.s32.s8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23}, "
    "{%24, %25, %26, %27}, %28, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n64k32_s32_s8_u8(int32_t (&d)[32],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %34, 0; wgmma.mma_async.sync.aligned.m64n64k32.s32.s8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31}, "
    "%32, %33, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n64k32_s32_s8_u8_ra(int32_t (&d)[32],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %37, 0; wgmma.mma_async.sync.aligned.m64n64k32.s32.s8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31}, "
    "{%32, %33, %34, %35}, %36, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n80k32_s32_s8_u8(int32_t (&d)[40],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %42, 0; wgmma.mma_async.sync.aligned.m64n80k32.s32.s8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39}, "
    "%40, %41, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n80k32_s32_s8_u8_ra(int32_t (&d)[40],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %45, 0; wgmma.mma_async.sync.aligned.m64n80k32.s32.s8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39}, "
    "{%40, %41, %42, %43}, %44, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n96k32_s32_s8_u8(int32_t (&d)[48],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %50, 0; wgmma.mma_async.sync.aligned.m64n96k32.s32.s8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47}, "
    "%48, %49, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n96k32_s32_s8_u8_ra(int32_t (&d)[48],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %53, 0; wgmma.mma_async.sync.aligned.m64n96k32.s32.s8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47}, "
    "{%48, %49, %50, %51}, %52, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n112k32_s32_s8_u8(int32_t (&d)[56],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %58, 0; wgmma.mma_async.sync.aligned.m64n112k32.s32.s8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55}, "
    "%56, %57, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n112k32_s32_s8_u8_ra(int32_t (&d)[56],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %61, 0; wgmma.mma_async.sync.aligned.m64n112k32.s32.s8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55}, "
    "{%56, %57, %58, %59}, %60, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n128k32_s32_s8_u8(int32_t (&d)[64],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %66, 0; wgmma.mma_async.sync.aligned.m64n128k32.s32.s8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
    "%64, %65, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n128k32_s32_s8_u8_ra(int32_t (&d)[64],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %69, 0; wgmma.mma_async.sync.aligned.m64n128k32.s32.s8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
    "{%64, %65, %66, %67}, %68, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n144k32_s32_s8_u8(int32_t (&d)[72],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %74, 0; wgmma.mma_async.sync.aligned.m64n144k32.s32.s8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71}, "
    "%72, %73, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n144k32_s32_s8_u8_ra(int32_t (&d)[72],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %77, 0; wgmma.mma_async.sync.aligned.m64n144k32.s32.s8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71}, "
    "{%72, %73, %74, %75}, %76, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n160k32_s32_s8_u8(int32_t (&d)[80],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %82, 0; wgmma.mma_async.sync.aligned.m64n160k32.s32.s8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79}, "
    "%80, %81, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n160k32_s32_s8_u8_ra(int32_t (&d)[80],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %85, 0; wgmma.mma_async.sync.aligned.m64n160k32.s32.s8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79}, "
    "{%80, %81, %82, %83}, %84, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n176k32_s32_s8_u8(int32_t (&d)[88],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %90, 0; wgmma.mma_async.sync.aligned.m64n176k32.s32.s8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87}, "
    "%88, %89, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n176k32_s32_s8_u8_ra(int32_t (&d)[88],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %93, 0; wgmma.mma_async.sync.aligned.m64n176k32.s32.s8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87}, "
    "{%88, %89, %90, %91}, %92, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n192k32_s32_s8_u8(int32_t (&d)[96],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %98, 0; wgmma.mma_async.sync.aligned.m64n192k32.s32.s8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95}, "
    "%96, %97, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n192k32_s32_s8_u8_ra(int32_t (&d)[96],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %101, 0; wgmma.mma_async.sync.aligned.m64n192k32.s32.s8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95}, "
    "{%96, %97, %98, %99}, %100, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n208k32_s32_s8_u8(int32_t (&d)[104],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %106, 0; wgmma.mma_async.sync.aligned.m64n208k32.s32.s8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103}, "
    "%104, %105, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n208k32_s32_s8_u8_ra(int32_t (&d)[104],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %109, 0; wgmma.mma_async.sync.aligned.m64n208k32.s32.s8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103}, "
    "{%104, %105, %106, %107}, %108, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n224k32_s32_s8_u8(int32_t (&d)[112],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %114, 0; wgmma.mma_async.sync.aligned.m64n224k32.s32.s8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "
    "%105, %106, %107, %108, %109, %110, %111}, "
    "%112, %113, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100),
      PALLASGEN_D4(104), PALLASGEN_D4(108)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n224k32_s32_s8_u8_ra(int32_t (&d)[112],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %117, 0; wgmma.mma_async.sync.aligned.m64n224k32.s32.s8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "
    "%105, %106, %107, %108, %109, %110, %111}, "
    "{%112, %113, %114, %115}, %116, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100),
      PALLASGEN_D4(104), PALLASGEN_D4(108)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n240k32_s32_s8_u8(int32_t (&d)[120],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %122, 0; wgmma.mma_async.sync.aligned.m64n240k32.s32.s8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "
    "%105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119}, "
    "%120, %121, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100),
      PALLASGEN_D4(104), PALLASGEN_D4(108), PALLASGEN_D4(112), PALLASGEN_D4(116)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n240k32_s32_s8_u8_ra(int32_t (&d)[120],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %125, 0; wgmma.mma_async.sync.aligned.m64n240k32.s32.s8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "
    "%105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119}, "
    "{%120, %121, %122, %123}, %124, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100),
      PALLASGEN_D4(104), PALLASGEN_D4(108), PALLASGEN_D4(112), PALLASGEN_D4(116)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n256k32_s32_s8_u8(int32_t (&d)[128],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %130, 0; wgmma.mma_async.sync.aligned.m64n256k32.s32.s8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "
    "%105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, "
    "%122, %123, %124, %125, %126, %127}, "
    "%128, %129, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100),
      PALLASGEN_D4(104), PALLASGEN_D4(108), PALLASGEN_D4(112), PALLASGEN_D4(116), PALLASGEN_D4(120),
      PALLASGEN_D4(124)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n256k32_s32_s8_u8_ra(int32_t (&d)[128],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %133, 0; wgmma.mma_async.sync.aligned.m64n256k32.s32.s8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "
    "%105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, "
    "%122, %123, %124, %125, %126, %127}, "
    "{%128, %129, %130, %131}, %132, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100),
      PALLASGEN_D4(104), PALLASGEN_D4(108), PALLASGEN_D4(112), PALLASGEN_D4(116), PALLASGEN_D4(120),
      PALLASGEN_D4(124)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n8k32_s32_u8_s8(int32_t (&d)[4],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %6, 0; wgmma.mma_async.sync.aligned.m64n8k32.s32.u8.s8 "
    "{%0, %1, %2, %3}, "
    "%4, %5, p; }"
    : PALLASGEN_D4(0)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n8k32_s32_u8_s8_ra(int32_t (&d)[4],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %9, 0; wgmma.mma_async.sync.aligned.m64n8k32.s32.u8.s8 "
    "{%0, %1, %2, %3}, "
    "{%4, %5, %6, %7}, %8, p; }"
    : PALLASGEN_D4(0)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n16k32_s32_u8_s8(int32_t (&d)[8],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %10, 0; wgmma.mma_async.sync.aligned.m64n16k32.s32.u8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7}, "
    "%8, %9, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n16k32_s32_u8_s8_ra(int32_t (&d)[8],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %13, 0; wgmma.mma_async.sync.aligned.m64n16k32.s32.u8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7}, "
    "{%8, %9, %10, %11}, %12, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n24k32_s32_u8_s8(int32_t (&d)[12],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %14, 0; wgmma.mma_async.sync.aligned.m64n24k32.s32.u8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11}, "
    "%12, %13, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n24k32_s32_u8_s8_ra(int32_t (&d)[12],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %17, 0; wgmma.mma_async.sync.aligned.m64n24k32.s32.u8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11}, "
    "{%12, %13, %14, %15}, %16, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n32k32_s32_u8_s8(int32_t (&d)[16],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %18, 0; wgmma.mma_async.sync.aligned.m64n32k32.s32.u8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, "
    "%16, %17, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n32k32_s32_u8_s8_ra(int32_t (&d)[16],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %21, 0; wgmma.mma_async.sync.aligned.m64n32k32.s32.u8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, "
    "{%16, %17, %18, %19}, %20, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n48k32_s32_u8_s8(int32_t (&d)[24],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %26, 0; wgmma.mma_async.sync.aligned.m64n48k32.s32.u8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23}, "
    "%24, %25, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n48k32_s32_u8_s8_ra(int32_t (&d)[24],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %29, 0; wgmma.mma_async.sync.aligned.m64n48k32.s32.u8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23}, "
    "{%24, %25, %26, %27}, %28, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n64k32_s32_u8_s8(int32_t (&d)[32],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %34, 0; wgmma.mma_async.sync.aligned.m64n64k32.s32.u8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31}, "
    "%32, %33, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n64k32_s32_u8_s8_ra(int32_t (&d)[32],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %37, 0; wgmma.mma_async.sync.aligned.m64n64k32.s32.u8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31}, "
    "{%32, %33, %34, %35}, %36, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n80k32_s32_u8_s8(int32_t (&d)[40],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %42, 0; wgmma.mma_async.sync.aligned.m64n80k32.s32.u8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39}, "
    "%40, %41, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n80k32_s32_u8_s8_ra(int32_t (&d)[40],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %45, 0; wgmma.mma_async.sync.aligned.m64n80k32.s32.u8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39}, "
    "{%40, %41, %42, %43}, %44, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n96k32_s32_u8_s8(int32_t (&d)[48],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %50, 0; wgmma.mma_async.sync.aligned.m64n96k32.s32.u8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47}, "
    "%48, %49, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n96k32_s32_u8_s8_ra(int32_t (&d)[48],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %53, 0; wgmma.mma_async.sync.aligned.m64n96k32.s32.u8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47}, "
    "{%48, %49, %50, %51}, %52, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n112k32_s32_u8_s8(int32_t (&d)[56],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %58, 0; wgmma.mma_async.sync.aligned.m64n112k32.s32.u8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55}, "
    "%56, %57, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n112k32_s32_u8_s8_ra(int32_t (&d)[56],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %61, 0; wgmma.mma_async.sync.aligned.m64n112k32.s32.u8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55}, "
    "{%56, %57, %58, %59}, %60, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n128k32_s32_u8_s8(int32_t (&d)[64],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %66, 0; wgmma.mma_async.sync.aligned.m64n128k32.s32.u8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
    "%64, %65, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n128k32_s32_u8_s8_ra(int32_t (&d)[64],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %69, 0; wgmma.mma_async.sync.aligned.m64n128k32.s32.u8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
    "{%64, %65, %66, %67}, %68, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n144k32_s32_u8_s8(int32_t (&d)[72],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %74, 0; wgmma.mma_async.sync.aligned.m64n144k32.s32.u8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71}, "
    "%72, %73, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n144k32_s32_u8_s8_ra(int32_t (&d)[72],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %77, 0; wgmma.mma_async.sync.aligned.m64n144k32.s32.u8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71}, "
    "{%72, %73, %74, %75}, %76, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n160k32_s32_u8_s8(int32_t (&d)[80],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %82, 0; wgmma.mma_async.sync.aligned.m64n160k32.s32.u8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79}, "
    "%80, %81, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n160k32_s32_u8_s8_ra(int32_t (&d)[80],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %85, 0; wgmma.mma_async.sync.aligned.m64n160k32.s32.u8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79}, "
    "{%80, %81, %82, %83}, %84, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n176k32_s32_u8_s8(int32_t (&d)[88],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %90, 0; wgmma.mma_async.sync.aligned.m64n176k32.s32.u8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87}, "
    "%88, %89, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n176k32_s32_u8_s8_ra(int32_t (&d)[88],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %93, 0; wgmma.mma_async.sync.aligned.m64n176k32.s32.u8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87}, "
    "{%88, %89, %90, %91}, %92, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n192k32_s32_u8_s8(int32_t (&d)[96],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %98, 0; wgmma.mma_async.sync.aligned.m64n192k32.s32.u8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95}, "
    "%96, %97, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n192k32_s32_u8_s8_ra(int32_t (&d)[96],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %101, 0; wgmma.mma_async.sync.aligned.m64n192k32.s32.u8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95}, "
    "{%96, %97, %98, %99}, %100, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n208k32_s32_u8_s8(int32_t (&d)[104],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %106, 0; wgmma.mma_async.sync.aligned.m64n208k32.s32.u8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103}, "
    "%104, %105, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n208k32_s32_u8_s8_ra(int32_t (&d)[104],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %109, 0; wgmma.mma_async.sync.aligned.m64n208k32.s32.u8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103}, "
    "{%104, %105, %106, %107}, %108, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n224k32_s32_u8_s8(int32_t (&d)[112],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %114, 0; wgmma.mma_async.sync.aligned.m64n224k32.s32.u8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "
    "%105, %106, %107, %108, %109, %110, %111}, "
    "%112, %113, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100),
      PALLASGEN_D4(104), PALLASGEN_D4(108)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n224k32_s32_u8_s8_ra(int32_t (&d)[112],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %117, 0; wgmma.mma_async.sync.aligned.m64n224k32.s32.u8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "
    "%105, %106, %107, %108, %109, %110, %111}, "
    "{%112, %113, %114, %115}, %116, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100),
      PALLASGEN_D4(104), PALLASGEN_D4(108)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n240k32_s32_u8_s8(int32_t (&d)[120],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %122, 0; wgmma.mma_async.sync.aligned.m64n240k32.s32.u8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "
    "%105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119}, "
    "%120, %121, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100),
      PALLASGEN_D4(104), PALLASGEN_D4(108), PALLASGEN_D4(112), PALLASGEN_D4(116)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n240k32_s32_u8_s8_ra(int32_t (&d)[120],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %125, 0; wgmma.mma_async.sync.aligned.m64n240k32.s32.u8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "
    "%105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119}, "
    "{%120, %121, %122, %123}, %124, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100),
      PALLASGEN_D4(104), PALLASGEN_D4(108), PALLASGEN_D4(112), PALLASGEN_D4(116)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n256k32_s32_u8_s8(int32_t (&d)[128],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %130, 0; wgmma.mma_async.sync.aligned.m64n256k32.s32.u8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "
    "%105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, "
    "%122, %123, %124, %125, %126, %127}, "
    "%128, %129, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100),
      PALLASGEN_D4(104), PALLASGEN_D4(108), PALLASGEN_D4(112), PALLASGEN_D4(116), PALLASGEN_D4(120),
      PALLASGEN_D4(124)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n256k32_s32_u8_s8_ra(int32_t (&d)[128],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %133, 0; wgmma.mma_async.sync.aligned.m64n256k32.s32.u8.s8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "
    "%105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, "
    "%122, %123, %124, %125, %126, %127}, "
    "{%128, %129, %130, %131}, %132, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100),
      PALLASGEN_D4(104), PALLASGEN_D4(108), PALLASGEN_D4(112), PALLASGEN_D4(116), PALLASGEN_D4(120),
      PALLASGEN_D4(124)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n8k32_s32_u8_u8(int32_t (&d)[4],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %6, 0; wgmma.mma_async.sync.aligned.m64n8k32.s32.u8.u8 "
    "{%0, %1, %2, %3}, "
    "%4, %5, p; }"
    : PALLASGEN_D4(0)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n8k32_s32_u8_u8_ra(int32_t (&d)[4],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %9, 0; wgmma.mma_async.sync.aligned.m64n8k32.s32.u8.u8 "
    "{%0, %1, %2, %3}, "
    "{%4, %5, %6, %7}, %8, p; }"
    : PALLASGEN_D4(0)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n16k32_s32_u8_u8(int32_t (&d)[8],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %10, 0; wgmma.mma_async.sync.aligned.m64n16k32.s32.u8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7}, "
    "%8, %9, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n16k32_s32_u8_u8_ra(int32_t (&d)[8],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %13, 0; wgmma.mma_async.sync.aligned.m64n16k32.s32.u8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7}, "
    "{%8, %9, %10, %11}, %12, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n24k32_s32_u8_u8(int32_t (&d)[12],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %14, 0; wgmma.mma_async.sync.aligned.m64n24k32.s32.u8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11}, "
    "%12, %13, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n24k32_s32_u8_u8_ra(int32_t (&d)[12],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %17, 0; wgmma.mma_async.sync.aligned.m64n24k32.s32.u8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11}, "
    "{%12, %13, %14, %15}, %16, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n32k32_s32_u8_u8(int32_t (&d)[16],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %18, 0; wgmma.mma_async.sync.aligned.m64n32k32.s32.u8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, "
    "%16, %17, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n32k32_s32_u8_u8_ra(int32_t (&d)[16],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %21, 0; wgmma.mma_async.sync.aligned.m64n32k32.s32.u8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, "
    "{%16, %17, %18, %19}, %20, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n48k32_s32_u8_u8(int32_t (&d)[24],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %26, 0; wgmma.mma_async.sync.aligned.m64n48k32.s32.u8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23}, "
    "%24, %25, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n48k32_s32_u8_u8_ra(int32_t (&d)[24],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %29, 0; wgmma.mma_async.sync.aligned.m64n48k32.s32.u8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23}, "
    "{%24, %25, %26, %27}, %28, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n64k32_s32_u8_u8(int32_t (&d)[32],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %34, 0; wgmma.mma_async.sync.aligned.m64n64k32.s32.u8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31}, "
    "%32, %33, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n64k32_s32_u8_u8_ra(int32_t (&d)[32],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %37, 0; wgmma.mma_async.sync.aligned.m64n64k32.s32.u8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31}, "
    "{%32, %33, %34, %35}, %36, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n80k32_s32_u8_u8(int32_t (&d)[40],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %42, 0; wgmma.mma_async.sync.aligned.m64n80k32.s32.u8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39}, "
    "%40, %41, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n80k32_s32_u8_u8_ra(int32_t (&d)[40],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %45, 0; wgmma.mma_async.sync.aligned.m64n80k32.s32.u8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39}, "
    "{%40, %41, %42, %43}, %44, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n96k32_s32_u8_u8(int32_t (&d)[48],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %50, 0; wgmma.mma_async.sync.aligned.m64n96k32.s32.u8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47}, "
    "%48, %49, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n96k32_s32_u8_u8_ra(int32_t (&d)[48],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %53, 0; wgmma.mma_async.sync.aligned.m64n96k32.s32.u8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47}, "
    "{%48, %49, %50, %51}, %52, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n112k32_s32_u8_u8(int32_t (&d)[56],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %58, 0; wgmma.mma_async.sync.aligned.m64n112k32.s32.u8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55}, "
    "%56, %57, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n112k32_s32_u8_u8_ra(int32_t (&d)[56],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %61, 0; wgmma.mma_async.sync.aligned.m64n112k32.s32.u8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55}, "
    "{%56, %57, %58, %59}, %60, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n128k32_s32_u8_u8(int32_t (&d)[64],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %66, 0; wgmma.mma_async.sync.aligned.m64n128k32.s32.u8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
    "%64, %65, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n128k32_s32_u8_u8_ra(int32_t (&d)[64],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %69, 0; wgmma.mma_async.sync.aligned.m64n128k32.s32.u8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
    "{%64, %65, %66, %67}, %68, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n144k32_s32_u8_u8(int32_t (&d)[72],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %74, 0; wgmma.mma_async.sync.aligned.m64n144k32.s32.u8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71}, "
    "%72, %73, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n144k32_s32_u8_u8_ra(int32_t (&d)[72],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %77, 0; wgmma.mma_async.sync.aligned.m64n144k32.s32.u8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71}, "
    "{%72, %73, %74, %75}, %76, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n160k32_s32_u8_u8(int32_t (&d)[80],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %82, 0; wgmma.mma_async.sync.aligned.m64n160k32.s32.u8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79}, "
    "%80, %81, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n160k32_s32_u8_u8_ra(int32_t (&d)[80],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %85, 0; wgmma.mma_async.sync.aligned.m64n160k32.s32.u8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79}, "
    "{%80, %81, %82, %83}, %84, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n176k32_s32_u8_u8(int32_t (&d)[88],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %90, 0; wgmma.mma_async.sync.aligned.m64n176k32.s32.u8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87}, "
    "%88, %89, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n176k32_s32_u8_u8_ra(int32_t (&d)[88],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %93, 0; wgmma.mma_async.sync.aligned.m64n176k32.s32.u8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87}, "
    "{%88, %89, %90, %91}, %92, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n192k32_s32_u8_u8(int32_t (&d)[96],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %98, 0; wgmma.mma_async.sync.aligned.m64n192k32.s32.u8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95}, "
    "%96, %97, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n192k32_s32_u8_u8_ra(int32_t (&d)[96],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %101, 0; wgmma.mma_async.sync.aligned.m64n192k32.s32.u8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95}, "
    "{%96, %97, %98, %99}, %100, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n208k32_s32_u8_u8(int32_t (&d)[104],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %106, 0; wgmma.mma_async.sync.aligned.m64n208k32.s32.u8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103}, "
    "%104, %105, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n208k32_s32_u8_u8_ra(int32_t (&d)[104],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %109, 0; wgmma.mma_async.sync.aligned.m64n208k32.s32.u8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103}, "
    "{%104, %105, %106, %107}, %108, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n224k32_s32_u8_u8(int32_t (&d)[112],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %114, 0; wgmma.mma_async.sync.aligned.m64n224k32.s32.u8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "
    "%105, %106, %107, %108, %109, %110, %111}, "
    "%112, %113, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100),
      PALLASGEN_D4(104), PALLASGEN_D4(108)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n224k32_s32_u8_u8_ra(int32_t (&d)[112],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %117, 0; wgmma.mma_async.sync.aligned.m64n224k32.s32.u8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "
    "%105, %106, %107, %108, %109, %110, %111}, "
    "{%112, %113, %114, %115}, %116, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100),
      PALLASGEN_D4(104), PALLASGEN_D4(108)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n240k32_s32_u8_u8(int32_t (&d)[120],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %122, 0; wgmma.mma_async.sync.aligned.m64n240k32.s32.u8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "
    "%105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119}, "
    "%120, %121, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100),
      PALLASGEN_D4(104), PALLASGEN_D4(108), PALLASGEN_D4(112), PALLASGEN_D4(116)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n240k32_s32_u8_u8_ra(int32_t (&d)[120],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %125, 0; wgmma.mma_async.sync.aligned.m64n240k32.s32.u8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "
    "%105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119}, "
    "{%120, %121, %122, %123}, %124, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100),
      PALLASGEN_D4(104), PALLASGEN_D4(108), PALLASGEN_D4(112), PALLASGEN_D4(116)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n256k32_s32_u8_u8(int32_t (&d)[128],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %130, 0; wgmma.mma_async.sync.aligned.m64n256k32.s32.u8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "
    "%105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, "
    "%122, %123, %124, %125, %126, %127}, "
    "%128, %129, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100),
      PALLASGEN_D4(104), PALLASGEN_D4(108), PALLASGEN_D4(112), PALLASGEN_D4(116), PALLASGEN_D4(120),
      PALLASGEN_D4(124)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n256k32_s32_u8_u8_ra(int32_t (&d)[128],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %133, 0; wgmma.mma_async.sync.aligned.m64n256k32.s32.u8.u8 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "
    "%105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, "
    "%122, %123, %124, %125, %126, %127}, "
    "{%128, %129, %130, %131}, %132, p; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100),
      PALLASGEN_D4(104), PALLASGEN_D4(108), PALLASGEN_D4(112), PALLASGEN_D4(116), PALLASGEN_D4(120),
      PALLASGEN_D4(124)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

}  // namespace pallasgen::ptx

#undef PALLASGEN_D4
