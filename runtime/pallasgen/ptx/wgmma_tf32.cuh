// Written by scripts/make_wgmma.py. DO NOT EDIT.
// clang-format off
#pragma once
#include <cuda_runtime.h>

#include <cstdint>

// wgmma.mma_async, one function per instruction: d += A * B, or d = A * B when `accumulate` is 0. A is 64 x 8, from
// shared memory by the descriptor `a` or, in the _ra forms, from registers; B is 8 x N by the descriptor `b`. K is
// contiguous in both operands. All four warps of a warpgroup execute it.
#define PALLASGEN_D4(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])

namespace pallasgen::ptx {

__device__ __forceinline__ void wgmma_m64n8k8_f32_tf32(float (&d)[4],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %6, 0; wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3}, "
    "%4, %5, p, 1, 1; }"
    : PALLASGEN_D4(0)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n8k8_f32_tf32_ra(float (&d)[4],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %9, 0; wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3}, "
    "{%4, %5, %6, %7}, %8, p, 1, 1; }"
    : PALLASGEN_D4(0)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n16k8_f32_tf32(float (&d)[8],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %10, 0; wgmma.mma_async.sync.aligned.m64n16k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7}, "
    "%8, %9, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n16k8_f32_tf32_ra(float (&d)[8],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %13, 0; wgmma.mma_async.sync.aligned.m64n16k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7}, "
    "{%8, %9, %10, %11}, %12, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n24k8_f32_tf32(float (&d)[12],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %14, 0; wgmma.mma_async.sync.aligned.m64n24k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11}, "
    "%12, %13, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n24k8_f32_tf32_ra(float (&d)[12],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %17, 0; wgmma.mma_async.sync.aligned.m64n24k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11}, "
    "{%12, %13, %14, %15}, %16, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n32k8_f32_tf32(float (&d)[16],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %18, 0; wgmma.mma_async.sync.aligned.m64n32k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, "
    "%16, %17, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n32k8_f32_tf32_ra(float (&d)[16],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %21, 0; wgmma.mma_async.sync.aligned.m64n32k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, "
    "{%16, %17, %18, %19}, %20, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n40k8_f32_tf32(float (&d)[20],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %22, 0; wgmma.mma_async.sync.aligned.m64n40k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19}, "
    "%20, %21, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n40k8_f32_tf32_ra(float (&d)[20],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %25, 0; wgmma.mma_async.sync.aligned.m64n40k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19}, "
    "{%20, %21, %22, %23}, %24, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n48k8_f32_tf32(float (&d)[24],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %26, 0; wgmma.mma_async.sync.aligned.m64n48k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23}, "
    "%24, %25, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n48k8_f32_tf32_ra(float (&d)[24],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %29, 0; wgmma.mma_async.sync.aligned.m64n48k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23}, "
    "{%24, %25, %26, %27}, %28, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n56k8_f32_tf32(float (&d)[28],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %30, 0; wgmma.mma_async.sync.aligned.m64n56k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27}, "
    "%28, %29, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n56k8_f32_tf32_ra(float (&d)[28],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %33, 0; wgmma.mma_async.sync.aligned.m64n56k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27}, "
    "{%28, %29, %30, %31}, %32, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n64k8_f32_tf32(float (&d)[32],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %34, 0; wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31}, "
    "%32, %33, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n64k8_f32_tf32_ra(float (&d)[32],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %37, 0; wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31}, "
    "{%32, %33, %34, %35}, %36, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n72k8_f32_tf32(float (&d)[36],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %38, 0; wgmma.mma_async.sync.aligned.m64n72k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35}, "
    "%36, %37, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n72k8_f32_tf32_ra(float (&d)[36],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %41, 0; wgmma.mma_async.sync.aligned.m64n72k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35}, "
    "{%36, %37, %38, %39}, %40, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n80k8_f32_tf32(float (&d)[40],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %42, 0; wgmma.mma_async.sync.aligned.m64n80k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39}, "
    "%40, %41, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n80k8_f32_tf32_ra(float (&d)[40],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %45, 0; wgmma.mma_async.sync.aligned.m64n80k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39}, "
    "{%40, %41, %42, %43}, %44, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n88k8_f32_tf32(float (&d)[44],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %46, 0; wgmma.mma_async.sync.aligned.m64n88k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43}, "
    "%44, %45, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n88k8_f32_tf32_ra(float (&d)[44],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %49, 0; wgmma.mma_async.sync.aligned.m64n88k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43}, "
    "{%44, %45, %46, %47}, %48, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n96k8_f32_tf32(float (&d)[48],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %50, 0; wgmma.mma_async.sync.aligned.m64n96k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47}, "
    "%48, %49, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n96k8_f32_tf32_ra(float (&d)[48],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %53, 0; wgmma.mma_async.sync.aligned.m64n96k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47}, "
    "{%48, %49, %50, %51}, %52, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n104k8_f32_tf32(float (&d)[52],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %54, 0; wgmma.mma_async.sync.aligned.m64n104k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51}, "
    "%52, %53, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n104k8_f32_tf32_ra(float (&d)[52],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %57, 0; wgmma.mma_async.sync.aligned.m64n104k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51}, "
    "{%52, %53, %54, %55}, %56, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n112k8_f32_tf32(float (&d)[56],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %58, 0; wgmma.mma_async.sync.aligned.m64n112k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55}, "
    "%56, %57, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n112k8_f32_tf32_ra(float (&d)[56],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %61, 0; wgmma.mma_async.sync.aligned.m64n112k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55}, "
    "{%56, %57, %58, %59}, %60, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n120k8_f32_tf32(float (&d)[60],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %62, 0; wgmma.mma_async.sync.aligned.m64n120k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59}, "
    "%60, %61, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n120k8_f32_tf32_ra(float (&d)[60],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %65, 0; wgmma.mma_async.sync.aligned.m64n120k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59}, "
    "{%60, %61, %62, %63}, %64, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n128k8_f32_tf32(float (&d)[64],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %66, 0; wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
    "%64, %65, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n128k8_f32_tf32_ra(float (&d)[64],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %69, 0; wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
    "{%64, %65, %66, %67}, %68, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n136k8_f32_tf32(float (&d)[68],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %70, 0; wgmma.mma_async.sync.aligned.m64n136k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67}, "
    "%68, %69, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n136k8_f32_tf32_ra(float (&d)[68],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %73, 0; wgmma.mma_async.sync.aligned.m64n136k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67}, "
    "{%68, %69, %70, %71}, %72, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n144k8_f32_tf32(float (&d)[72],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %74, 0; wgmma.mma_async.sync.aligned.m64n144k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71}, "
    "%72, %73, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n144k8_f32_tf32_ra(float (&d)[72],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %77, 0; wgmma.mma_async.sync.aligned.m64n144k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71}, "
    "{%72, %73, %74, %75}, %76, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n152k8_f32_tf32(float (&d)[76],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %78, 0; wgmma.mma_async.sync.aligned.m64n152k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75}, "
    "%76, %77, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n152k8_f32_tf32_ra(float (&d)[76],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %81, 0; wgmma.mma_async.sync.aligned.m64n152k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75}, "
    "{%76, %77, %78, %79}, %80, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n160k8_f32_tf32(float (&d)[80],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %82, 0; wgmma.mma_async.sync.aligned.m64n160k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79}, "
    "%80, %81, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n160k8_f32_tf32_ra(float (&d)[80],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %85, 0; wgmma.mma_async.sync.aligned.m64n160k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79}, "
    "{%80, %81, %82, %83}, %84, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n168k8_f32_tf32(float (&d)[84],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %86, 0; wgmma.mma_async.sync.aligned.m64n168k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83}, "
    "%84, %85, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n168k8_f32_tf32_ra(float (&d)[84],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %89, 0; wgmma.mma_async.sync.aligned.m64n168k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83}, "
    "{%84, %85, %86, %87}, %88, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n176k8_f32_tf32(float (&d)[88],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %90, 0; wgmma.mma_async.sync.aligned.m64n176k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87}, "
    "%88, %89, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n176k8_f32_tf32_ra(float (&d)[88],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %93, 0; wgmma.mma_async.sync.aligned.m64n176k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87}, "
    "{%88, %89, %90, %91}, %92, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n184k8_f32_tf32(float (&d)[92],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %94, 0; wgmma.mma_async.sync.aligned.m64n184k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91}, "
    "%92, %93, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n184k8_f32_tf32_ra(float (&d)[92],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %97, 0; wgmma.mma_async.sync.aligned.m64n184k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91}, "
    "{%92, %93, %94, %95}, %96, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n192k8_f32_tf32(float (&d)[96],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %98, 0; wgmma.mma_async.sync.aligned.m64n192k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95}, "
    "%96, %97, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n192k8_f32_tf32_ra(float (&d)[96],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %101, 0; wgmma.mma_async.sync.aligned.m64n192k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95}, "
    "{%96, %97, %98, %99}, %100, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n200k8_f32_tf32(float (&d)[100],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %102, 0; wgmma.mma_async.sync.aligned.m64n200k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99}, "
    "%100, %101, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n200k8_f32_tf32_ra(float (&d)[100],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %105, 0; wgmma.mma_async.sync.aligned.m64n200k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99}, "
    "{%100, %101, %102, %103}, %104, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n208k8_f32_tf32(float (&d)[104],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %106, 0; wgmma.mma_async.sync.aligned.m64n208k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103}, "
    "%104, %105, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n208k8_f32_tf32_ra(float (&d)[104],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %109, 0; wgmma.mma_async.sync.aligned.m64n208k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103}, "
    "{%104, %105, %106, %107}, %108, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n216k8_f32_tf32(float (&d)[108],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %110, 0; wgmma.mma_async.sync.aligned.m64n216k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "
    "%105, %106, %107}, "
    "%108, %109, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100),
      PALLASGEN_D4(104)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n216k8_f32_tf32_ra(float (&d)[108],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %113, 0; wgmma.mma_async.sync.aligned.m64n216k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "
    "%105, %106, %107}, "
    "{%108, %109, %110, %111}, %112, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100),
      PALLASGEN_D4(104)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n224k8_f32_tf32(float (&d)[112],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %114, 0; wgmma.mma_async.sync.aligned.m64n224k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "
    "%105, %106, %107, %108, %109, %110, %111}, "
    "%112, %113, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100),
      PALLASGEN_D4(104), PALLASGEN_D4(108)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n224k8_f32_tf32_ra(float (&d)[112],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %117, 0; wgmma.mma_async.sync.aligned.m64n224k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "
    "%105, %106, %107, %108, %109, %110, %111}, "
    "{%112, %113, %114, %115}, %116, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100),
      PALLASGEN_D4(104), PALLASGEN_D4(108)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n232k8_f32_tf32(float (&d)[116],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %118, 0; wgmma.mma_async.sync.aligned.m64n232k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "
    "%105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115}, "
    "%116, %117, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100),
      PALLASGEN_D4(104), PALLASGEN_D4(108), PALLASGEN_D4(112)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n232k8_f32_tf32_ra(float (&d)[116],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %121, 0; wgmma.mma_async.sync.aligned.m64n232k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "
    "%105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115}, "
    "{%116, %117, %118, %119}, %120, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100),
      PALLASGEN_D4(104), PALLASGEN_D4(108), PALLASGEN_D4(112)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n240k8_f32_tf32(float (&d)[120],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %122, 0; wgmma.mma_async.sync.aligned.m64n240k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "
    "%105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119}, "
    "%120, %121, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100),
      PALLASGEN_D4(104), PALLASGEN_D4(108), PALLASGEN_D4(112), PALLASGEN_D4(116)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n240k8_f32_tf32_ra(float (&d)[120],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %125, 0; wgmma.mma_async.sync.aligned.m64n240k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "
    "%105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119}, "
    "{%120, %121, %122, %123}, %124, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100),
      PALLASGEN_D4(104), PALLASGEN_D4(108), PALLASGEN_D4(112), PALLASGEN_D4(116)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n248k8_f32_tf32(float (&d)[124],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %126, 0; wgmma.mma_async.sync.aligned.m64n248k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "
    "%105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, "
    "%122, %123}, "
    "%124, %125, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100),
      PALLASGEN_D4(104), PALLASGEN_D4(108), PALLASGEN_D4(112), PALLASGEN_D4(116), PALLASGEN_D4(120)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n248k8_f32_tf32_ra(float (&d)[124],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %129, 0; wgmma.mma_async.sync.aligned.m64n248k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "
    "%105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, "
    "%122, %123}, "
    "{%124, %125, %126, %127}, %128, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100),
      PALLASGEN_D4(104), PALLASGEN_D4(108), PALLASGEN_D4(112), PALLASGEN_D4(116), PALLASGEN_D4(120)
    : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n256k8_f32_tf32(float (&d)[128],
    uint64_t a, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %130, 0; wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "
    "%105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, "
    "%122, %123, %124, %125, %126, %127}, "
    "%128, %129, p, 1, 1; }"
    : PALLASGEN_D4(0), PALLASGEN_D4(4), PALLASGEN_D4(8), PALLASGEN_D4(12), PALLASGEN_D4(16), PALLASGEN_D4(20),
      PALLASGEN_D4(24), PALLASGEN_D4(28), PALLASGEN_D4(32), PALLASGEN_D4(36), PALLASGEN_D4(40),
      PALLASGEN_D4(44), PALLASGEN_D4(48), PALLASGEN_D4(52), PALLASGEN_D4(56), PALLASGEN_D4(60),
      PALLASGEN_D4(64), PALLASGEN_D4(68), PALLASGEN_D4(72), PALLASGEN_D4(76), PALLASGEN_D4(80),
      PALLASGEN_D4(84), PALLASGEN_D4(88), PALLASGEN_D4(92), PALLASGEN_D4(96), PALLASGEN_D4(100),
      PALLASGEN_D4(104), PALLASGEN_D4(108), PALLASGEN_D4(112), PALLASGEN_D4(116), PALLASGEN_D4(120),
      PALLASGEN_D4(124)
    : "l"(a), "l"(b), "r"(accumulate));
}

__device__ __forceinline__ void wgmma_m64n256k8_f32_tf32_ra(float (&d)[128],
    uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %133, 0; wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32 "
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
    "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
    "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
    "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "
    "%105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, "
    "%122, %123, %124, %125, %126, %127}, "
    "{%128, %129, %130, %131}, %132, p, 1, 1; }"
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
