// Written by scripts/make_wgmma.py. DO NOT EDIT.
// clang-format off
#pragma once
#include <cuda_runtime.h>
#include <pallasgen/emulator/instructions.h>

#include <cstdint>

// wgmma.mma_async, one function per instruction: d += A * B, or d = A * B when `accumulate` is 0. A is 64 x 32, from
// shared memory by the descriptor `a` or, in the _ra forms, from registers; B is 32 x N by the descriptor `b`. K is
// contiguous in both operands. Sums wrap around. All four warps of a warpgroup execute it.
#define PALLASGEN_WGMMA(N, SIZE, NAME, KA, KB) \
  __device__ __forceinline__ void wgmma_m64n##N##k32_s32_##NAME(int32_t (&d)[SIZE], uint64_t a, \
      uint64_t b, int accumulate) { \
    emulator::wgmma({d, N, emulator::AccumulatorType::kS32, emulator::OperandType::KA, emulator::OperandType::KB, \
                     false, false, a, b, nullptr, accumulate}); \
  } \
  __device__ __forceinline__ void wgmma_m64n##N##k32_s32_##NAME##_ra(int32_t (&d)[SIZE], \
      emulator::OperandRegister a0, emulator::OperandRegister a1, emulator::OperandRegister a2, \
      emulator::OperandRegister a3, uint64_t b, int accumulate) { \
    const emulator::OperandRegister a[] = {a0, a1, a2, a3}; \
    emulator::wgmma({d, N, emulator::AccumulatorType::kS32, emulator::OperandType::KA, emulator::OperandType::KB, \
                     false, false, 0, b, a, accumulate}); \
  }

namespace pallasgen::ptx {

PALLASGEN_WGMMA(8, 4, s8_s8, kS8, kS8)
PALLASGEN_WGMMA(16, 8, s8_s8, kS8, kS8)
PALLASGEN_WGMMA(24, 12, s8_s8, kS8, kS8)
PALLASGEN_WGMMA(32, 16, s8_s8, kS8, kS8)
PALLASGEN_WGMMA(48, 24, s8_s8, kS8, kS8)
PALLASGEN_WGMMA(64, 32, s8_s8, kS8, kS8)
PALLASGEN_WGMMA(80, 40, s8_s8, kS8, kS8)
PALLASGEN_WGMMA(96, 48, s8_s8, kS8, kS8)
PALLASGEN_WGMMA(112, 56, s8_s8, kS8, kS8)
PALLASGEN_WGMMA(128, 64, s8_s8, kS8, kS8)
PALLASGEN_WGMMA(144, 72, s8_s8, kS8, kS8)
PALLASGEN_WGMMA(160, 80, s8_s8, kS8, kS8)
PALLASGEN_WGMMA(176, 88, s8_s8, kS8, kS8)
PALLASGEN_WGMMA(192, 96, s8_s8, kS8, kS8)
PALLASGEN_WGMMA(208, 104, s8_s8, kS8, kS8)
PALLASGEN_WGMMA(224, 112, s8_s8, kS8, kS8)
PALLASGEN_WGMMA(240, 120, s8_s8, kS8, kS8)
PALLASGEN_WGMMA(256, 128, s8_s8, kS8, kS8)
PALLASGEN_WGMMA(8, 4, s8_u8, kS8, kU8)
PALLASGEN_WGMMA(16, 8, s8_u8, kS8, kU8)
PALLASGEN_WGMMA(24, 12, s8_u8, kS8, kU8)
PALLASGEN_WGMMA(32, 16, s8_u8, kS8, kU8)
PALLASGEN_WGMMA(48, 24, s8_u8, kS8, kU8)
PALLASGEN_WGMMA(64, 32, s8_u8, kS8, kU8)
PALLASGEN_WGMMA(80, 40, s8_u8, kS8, kU8)
PALLASGEN_WGMMA(96, 48, s8_u8, kS8, kU8)
PALLASGEN_WGMMA(112, 56, s8_u8, kS8, kU8)
PALLASGEN_WGMMA(128, 64, s8_u8, kS8, kU8)
PALLASGEN_WGMMA(144, 72, s8_u8, kS8, kU8)
PALLASGEN_WGMMA(160, 80, s8_u8, kS8, kU8)
PALLASGEN_WGMMA(176, 88, s8_u8, kS8, kU8)
PALLASGEN_WGMMA(192, 96, s8_u8, kS8, kU8)
PALLASGEN_WGMMA(208, 104, s8_u8, kS8, kU8)
PALLASGEN_WGMMA(224, 112, s8_u8, kS8, kU8)
PALLASGEN_WGMMA(240, 120, s8_u8, kS8, kU8)
PALLASGEN_WGMMA(256, 128, s8_u8, kS8, kU8)
PALLASGEN_WGMMA(8, 4, u8_s8, kU8, kS8)
PALLASGEN_WGMMA(16, 8, u8_s8, kU8, kS8)
PALLASGEN_WGMMA(24, 12, u8_s8, kU8, kS8)
PALLASGEN_WGMMA(32, 16, u8_s8, kU8, kS8)
PALLASGEN_WGMMA(48, 24, u8_s8, kU8, kS8)
PALLASGEN_WGMMA(64, 32, u8_s8, kU8, kS8)
PALLASGEN_WGMMA(80, 40, u8_s8, kU8, kS8)
PALLASGEN_WGMMA(96, 48, u8_s8, kU8, kS8)
PALLASGEN_WGMMA(112, 56, u8_s8, kU8, kS8)
PALLASGEN_WGMMA(128, 64, u8_s8, kU8, kS8)
PALLASGEN_WGMMA(144, 72, u8_s8, kU8, kS8)
PALLASGEN_WGMMA(160, 80, u8_s8, kU8, kS8)
PALLASGEN_WGMMA(176, 88, u8_s8, kU8, kS8)
PALLASGEN_WGMMA(192, 96, u8_s8, kU8, kS8)
PALLASGEN_WGMMA(208, 104, u8_s8, kU8, kS8)
PALLASGEN_WGMMA(224, 112, u8_s8, kU8, kS8)
PALLASGEN_WGMMA(240, 120, u8_s8, kU8, kS8)
PALLASGEN_WGMMA(256, 128, u8_s8, kU8, kS8)
PALLASGEN_WGMMA(8, 4, u8_u8, kU8, kU8)
PALLASGEN_WGMMA(16, 8, u8_u8, kU8, kU8)
PALLASGEN_WGMMA(24, 12, u8_u8, kU8, kU8)
PALLASGEN_WGMMA(32, 16, u8_u8, kU8, kU8)
PALLASGEN_WGMMA(48, 24, u8_u8, kU8, kU8)
PALLASGEN_WGMMA(64, 32, u8_u8, kU8, kU8)
PALLASGEN_WGMMA(80, 40, u8_u8, kU8, kU8)
PALLASGEN_WGMMA(96, 48, u8_u8, kU8, kU8)
PALLASGEN_WGMMA(112, 56, u8_u8, kU8, kU8)
PALLASGEN_WGMMA(128, 64, u8_u8, kU8, kU8)
PALLASGEN_WGMMA(144, 72, u8_u8, kU8, kU8)
PALLASGEN_WGMMA(160, 80, u8_u8, kU8, kU8)
PALLASGEN_WGMMA(176, 88, u8_u8, kU8, kU8)
PALLASGEN_WGMMA(192, 96, u8_u8, kU8, kU8)
PALLASGEN_WGMMA(208, 104, u8_u8, kU8, kU8)
PALLASGEN_WGMMA(224, 112, u8_u8, kU8, kU8)
PALLASGEN_WGMMA(240, 120, u8_u8, kU8, kU8)
PALLASGEN_WGMMA(256, 128, u8_u8, kU8, kU8)

}  // namespace pallasgen::ptx

#undef PALLASGEN_WGMMA
