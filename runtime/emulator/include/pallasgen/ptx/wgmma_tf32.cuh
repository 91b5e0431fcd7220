// Written by scripts/make_wgmma.py. DO NOT EDIT.
// clang-format off
#pragma once
#include <cuda_runtime.h>
#include <pallasgen/emulator/instructions.h>

#include <cstdint>

// wgmma.mma_async, one function per instruction: d += A * B, or d = A * B when `accumulate` is 0. A is 64 x 8, from
// shared memory by the descriptor `a` or, in the _ra forms, from registers; B is 8 x N by the descriptor `b`. K is
// contiguous in both operands. All four warps of a warpgroup execute it.
#define PALLASGEN_WGMMA(N, SIZE, NAME, KA, KB) \
  __device__ __forceinline__ void wgmma_m64n##N##k8_f32_##NAME(float (&d)[SIZE], uint64_t a, \
      uint64_t b, int accumulate) { \
    emulator::wgmma({d, N, emulator::AccumulatorType::kF32, emulator::OperandType::KA, emulator::OperandType::KB, \
                     false, false, a, b, nullptr, accumulate}); \
  } \
  __device__ __forceinline__ void wgmma_m64n##N##k8_f32_##NAME##_ra(float (&d)[SIZE], \
      emulator::OperandRegister a0, emulator::OperandRegister a1, emulator::OperandRegister a2, \
      emulator::OperandRegister a3, uint64_t b, int accumulate) { \
    const emulator::OperandRegister a[] = {a0, a1, a2, a3}; \
    emulator::wgmma({d, N, emulator::AccumulatorType::kF32, emulator::OperandType::KA, emulator::OperandType::KB, \
                     false, false, 0, b, a, accumulate}); \
  }

namespace pallasgen::ptx {

PALLASGEN_WGMMA(8, 4, tf32, kTf32, kTf32)
PALLASGEN_WGMMA(16, 8, tf32, kTf32, kTf32)
PALLASGEN_WGMMA(24, 12, tf32, kTf32, kTf32)
PALLASGEN_WGMMA(32, 16, tf32, kTf32, kTf32)
PALLASGEN_WGMMA(40, 20, tf32, kTf32, kTf32)
PALLASGEN_WGMMA(48, 24, tf32, kTf32, kTf32)
PALLASGEN_WGMMA(56, 28, tf32, kTf32, kTf32)
PALLASGEN_WGMMA(64, 32, tf32, kTf32, kTf32)
PALLASGEN_WGMMA(72, 36, tf32, kTf32, kTf32)
PALLASGEN_WGMMA(80, 40, tf32, kTf32, kTf32)
PALLASGEN_WGMMA(88, 44, tf32, kTf32, kTf32)
PALLASGEN_WGMMA(96, 48, tf32, kTf32, kTf32)
PALLASGEN_WGMMA(104, 52, tf32, kTf32, kTf32)
PALLASGEN_WGMMA(112, 56, tf32, kTf32, kTf32)
PALLASGEN_WGMMA(120, 60, tf32, kTf32, kTf32)
PALLASGEN_WGMMA(128, 64, tf32, kTf32, kTf32)
PALLASGEN_WGMMA(136, 68, tf32, kTf32, kTf32)
PALLASGEN_WGMMA(144, 72, tf32, kTf32, kTf32)
PALLASGEN_WGMMA(152, 76, tf32, kTf32, kTf32)
PALLASGEN_WGMMA(160, 80, tf32, kTf32, kTf32)
PALLASGEN_WGMMA(168, 84, tf32, kTf32, kTf32)
PALLASGEN_WGMMA(176, 88, tf32, kTf32, kTf32)
PALLASGEN_WGMMA(184, 92, tf32, kTf32, kTf32)
PALLASGEN_WGMMA(192, 96, tf32, kTf32, kTf32)
PALLASGEN_WGMMA(200, 100, tf32, kTf32, kTf32)
PALLASGEN_WGMMA(208, 104, tf32, kTf32, kTf32)
PALLASGEN_WGMMA(216, 108, tf32, kTf32, kTf32)
PALLASGEN_WGMMA(224, 112, tf32, kTf32, kTf32)
PALLASGEN_WGMMA(232, 116, tf32, kTf32, kTf32)
PALLASGEN_WGMMA(240, 120, tf32, kTf32, kTf32)
PALLASGEN_WGMMA(248, 124, tf32, kTf32, kTf32)
PALLASGEN_WGMMA(256, 128, tf32, kTf32, kTf32)

}  // namespace pallasgen::ptx

#undef PALLASGEN_WGMMA
