// Written by scripts/make_wgmma.py. DO NOT EDIT.
// clang-format off
#pragma once
#include <cuda_runtime.h>
#include <pallasgen/emulator/instructions.h>

#include <cstdint>

// wgmma.mma_async, one function per instruction: d += A * B, or d = A * B when `accumulate` is 0. A is 64 x 32, from
// shared memory by the descriptor `a` or, in the _ra forms, from registers; B is 32 x N by the descriptor `b`. K is
// contiguous in both operands. A register of d holds two f16 values, neighbours in a row, the first in its low half.
// All four warps of a warpgroup execute it.
#define PALLASGEN_WGMMA(N, SIZE, NAME, KA, KB) \
  __device__ __forceinline__ void wgmma_m64n##N##k32_f16_##NAME(uint32_t (&d)[SIZE], uint64_t a, \
      uint64_t b, int accumulate) { \
    emulator::wgmma({d, N, emulator::AccumulatorType::kF16, emulator::OperandType::KA, emulator::OperandType::KB, \
                     false, false, a, b, nullptr, accumulate}); \
  } \
  __device__ __forceinline__ void wgmma_m64n##N##k32_f16_##NAME##_ra(uint32_t (&d)[SIZE], \
      emulator::OperandRegister a0, emulator::OperandRegister a1, emulator::OperandRegister a2, \
      emulator::OperandRegister a3, uint64_t b, int accumulate) { \
    const emulator::OperandRegister a[] = {a0, a1, a2, a3}; \
    emulator::wgmma({d, N, emulator::AccumulatorType::kF16, emulator::OperandType::KA, emulator::OperandType::KB, \
                     false, false, 0, b, a, accumulate}); \
  }

namespace pallasgen::ptx {

PALLASGEN_WGMMA(8, 2, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(16, 4, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(24, 6, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(32, 8, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(40, 10, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(48, 12, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(56, 14, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(64, 16, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(72, 18, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(80, 20, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(88, 22, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(96, 24, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(104, 26, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(112, 28, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(120, 30, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(128, 32, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(136, 34, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(144, 36, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(152, 38, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(160, 40, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(168, 42, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(176, 44, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(184, 46, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(192, 48, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(200, 50, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(208, 52, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(216, 54, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(224, 56, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(232, 58, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(240, 60, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(248, 62, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(256, 64, e4m3_e4m3, kE4m3, kE4m3)
PALLASGEN_WGMMA(8, 2, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(16, 4, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(24, 6, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(32, 8, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(40, 10, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(48, 12, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(56, 14, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(64, 16, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(72, 18, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(80, 20, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(88, 22, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(96, 24, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(104, 26, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(112, 28, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(120, 30, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(128, 32, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(136, 34, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(144, 36, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(152, 38, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(160, 40, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(168, 42, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(176, 44, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(184, 46, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(192, 48, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(200, 50, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(208, 52, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(216, 54, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(224, 56, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(232, 58, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(240, 60, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(248, 62, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(256, 64, e4m3_e5m2, kE4m3, kE5m2)
PALLASGEN_WGMMA(8, 2, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(16, 4, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(24, 6, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(32, 8, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(40, 10, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(48, 12, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(56, 14, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(64, 16, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(72, 18, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(80, 20, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(88, 22, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(96, 24, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(104, 26, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(112, 28, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(120, 30, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(128, 32, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(136, 34, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(144, 36, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(152, 38, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(160, 40, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(168, 42, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(176, 44, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(184, 46, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(192, 48, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(200, 50, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(208, 52, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(216, 54, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(224, 56, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(232, 58, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(240, 60, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(248, 62, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(256, 64, e5m2_e4m3, kE5m2, kE4m3)
PALLASGEN_WGMMA(8, 2, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(16, 4, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(24, 6, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(32, 8, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(40, 10, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(48, 12, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(56, 14, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(64, 16, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(72, 18, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(80, 20, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(88, 22, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(96, 24, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(104, 26, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(112, 28, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(120, 30, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(128, 32, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(136, 34, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(144, 36, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(152, 38, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(160, 40, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(168, 42, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(176, 44, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(184, 46, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(192, 48, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(200, 50, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(208, 52, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(216, 54, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(224, 56, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(232, 58, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(240, 60, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(248, 62, e5m2_e5m2, kE5m2, kE5m2)
PALLASGEN_WGMMA(256, 64, e5m2_e5m2, kE5m2, kE5m2)

}  // namespace pallasgen::ptx

#undef PALLASGEN_WGMMA
