// Written by scripts/make_wgmma.py. DO NOT EDIT.
// clang-format off
#pragma once
#include <cuda_runtime.h>
#include <pallasgen/emulator/instructions.h>

#include <cstdint>

// wgmma.mma_async, one function per instruction: d += A * B, or d = A * B when `accumulate` is 0. A is 64 x 32, from
// shared memory by the descriptor `a` or, in the _ra forms, from registers; B is 32 x N by the descriptor `b`. K is
// contiguous in both operands. All four warps of a warpgroup execute it.
#define PALLASGEN_WGMMA(N, SIZE, NAME, KA, KB) \
  __device__ __forceinline__ void wgmma_m64n##N##k32_f32_##NAME(float (&d)[SIZE], uint64_t a, \
      uint64_t b, int accumulate) { \
    emulator::wgmma({d, N, emulator::AccumulatorType::kF32, emulator::OperandType::KA, emulator::OperandType::KB, \
                     false, false, a, b, nullptr, accumulate}); \
  } \
  __device__ __forceinline__ void wgmma_m64n##N##k32_f32_##NAME##_ra(float (&d)[SIZE], \
      emulator::OperandRegister a0, emulator::OperandRegister a1, emulator::OperandRegister a2, \
      emulator::OperandRegister a3, uint64_t b, int accumulate) { \
    const emulator::OperandRegister a[] = {a0, a1, a2, a3}; \
    emulator::wgmma({d, N, emulator::AccumulatorType::kF32, emulator::OperandType::KA, emulator::OperandType::KB, \
                     false, false, 0, b, a, accumulate}); \
  }

namespace pallasgen::ptx {

PALLASGEN_WGMMA(8, 4, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(16, 8, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(24, 12, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(32, 16, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(40, 20, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(48, 24, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(56, 28, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(64, 32, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(72, 36, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(80, 40, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(88, 44, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(96, 48, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(104, 52, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(112, 56, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(120, 60, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(128, 64, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(136, 68, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(144, 72, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(152, 76, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(160, 80, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(168, 84, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(176, 88, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(184, 92, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(192, 96, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(200, 100, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(208, 104, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(216, 108, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(224, 112, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(232, 116, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(240, 120, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(248, 124, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(256, 128, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(8, 4, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(16, 8, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(24, 12, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(32, 16, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(40, 20, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(48, 24, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(56, 28, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(64, 32, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(72, 36, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(80, 40, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(88, 44, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(96, 48, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(104, 52, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(112, 56, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(120, 60, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(128, 64, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(136, 68, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(144, 72, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(152, 76, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(160, 80, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(168, 84, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(176, 88, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(184, 92, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(192, 96, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(200, 100, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(208, 104, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(216, 108, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(224, 112, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(232, 116, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(240, 120, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(248, 124, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(256, 128, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(8, 4, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(16, 8, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(24, 12, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(32, 16, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(40, 20, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(48, 24, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(56, 28, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(64, 32, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(72, 36, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(80, 40, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(88, 44, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(96, 48, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(104, 52, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(112, 56, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(120, 60, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(128, 64, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(136, 68, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(144, 72, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(152, 76, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(160, 80, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(168, 84, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(176, 88, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(184, 92, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(192, 96, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(200, 100, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(208, 104, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(216, 108, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(224, 112, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(232, 116, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(240, 120, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(248, 124, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(256, 128, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(8, 4, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(16, 8, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(24, 12, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(32, 16, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(40, 20, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(48, 24, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(56, 28, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(64, 32, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(72, 36, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(80, 40, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(88, 44, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(96, 48, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(104, 52, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(112, 56, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(120, 60, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(128, 64, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(136, 68, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(144, 72, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(152, 76, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(160, 80, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(168, 84, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(176, 88, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(184, 92, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(192, 96, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(200, 100, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(208, 104, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(216, 108, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(224, 112, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(232, 116, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(240, 120, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(248, 124, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(256, 128, e5m2_e5m2, kE5m2, kE5m2)

}  // namespace pallasgen::ptx

#undef PALLASGEN_WGMMA
