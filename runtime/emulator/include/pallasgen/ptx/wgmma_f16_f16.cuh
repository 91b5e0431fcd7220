// Written by scripts/make_wgmma.py. DO NOT EDIT.
// clang-format off
#pragma once
#include <cuda_runtime.h>
#include <pallasgen/emulator/instructions.h>

#include <cstdint>

// wgmma.mma_async, one function per instruction: d += A * B, or d = A * B when `accumulate` is 0. A is 64 x 16, from
// shared memory by the descriptor `a` or, in the _ra forms, from registers; B is 16 x N by the descriptor `b`. TransA
// and TransB are 1 for operands whose M or N is contiguous, 0 where K is. A register of d holds two f16 values,
// neighbours in a row, the first in its low half. All four warps of a warpgroup execute it.
#define PALLASGEN_WGMMA(N, SIZE, NAME, KA, KB) \
  template <int TransA, int TransB> \
  __device__ __forceinline__ void wgmma_m64n##N##k16_f16_##NAME(uint32_t (&d)[SIZE], uint64_t a, \
      uint64_t b, int accumulate) { \
    emulator::wgmma({d, N, emulator::AccumulatorType::kF16, emulator::OperandType::KA, emulator::OperandType::KB, \
                     TransA != 0, TransB != 0, a, b, nullptr, accumulate}); \
  } \
  template <int TransB> \
  __device__ __forceinline__ void wgmma_m64n##N##k16_f16_##NAME##_ra(uint32_t (&d)[SIZE], \
      emulator::OperandRegister a0, emulator::OperandRegister a1, emulator::OperandRegister a2, \
      emulator::OperandRegister a3, uint64_t b, int accumulate) { \
    const emulator::OperandRegister a[] = {a0, a1, a2, a3}; \
    emulator::wgmma({d, N, emulator::AccumulatorType::kF16, emulator::OperandType::KA, emulator::OperandType::KB, \
                     false, TransB != 0, 0, b, a, accumulate}); \
  }

namespace pallasgen::ptx {

PALLASGEN_WGMMA(8, 2, f16, kF16, kF16)
PALLASGEN_WGMMA(16, 4, f16, kF16, kF16)
PALLASGEN_WGMMA(24, 6, f16, kF16, kF16)
PALLASGEN_WGMMA(32, 8, f16, kF16, kF16)
PALLASGEN_WGMMA(40, 10, f16, kF16, kF16)
PALLASGEN_WGMMA(48, 12, f16, kF16, kF16)
PALLASGEN_WGMMA(56, 14, f16, kF16, kF16)
PALLASGEN_WGMMA(64, 16, f16, kF16, kF16)
PALLASGEN_WGMMA(72, 18, f16, kF16, kF16)
PALLASGEN_WGMMA(80, 20, f16, kF16, kF16)
PALLASGEN_WGMMA(88, 22, f16, kF16, kF16)
PALLASGEN_WGMMA(96, 24, f16, kF16, kF16)
PALLASGEN_WGMMA(104, 26, f16, kF16, kF16)
PALLASGEN_WGMMA(112, 28, f16, kF16, kF16)
PALLASGEN_WGMMA(120, 30, f16, kF16, kF16)
PALLASGEN_WGMMA(128, 32, f16, kF16, kF16)
PALLASGEN_WGMMA(136, 34, f16, kF16, kF16)
PALLASGEN_WGMMA(144, 36, f16, kF16, kF16)
PALLASGEN_WGMMA(152, 38, f16, kF16, kF16)
PALLASGEN_WGMMA(160, 40, f16, kF16, kF16)
PALLASGEN_WGMMA(168, 42, f16, kF16, kF16)
PALLASGEN_WGMMA(176, 44, f16, kF16, kF16)
PALLASGEN_WGMMA(184, 46, f16, kF16, kF16)
PALLASGEN_WGMMA(192, 48, f16, kF16, kF16)
PALLASGEN_WGMMA(200, 50, f16, kF16, kF16)
PALLASGEN_WGMMA(208, 52, f16, kF16, kF16)
PALLASGEN_WGMMA(216, 54, f16, kF16, kF16)
PALLASGEN_WGMMA(224, 56, f16, kF16, kF16)
PALLASGEN_WGMMA(232, 58, f16, kF16, kF16)
PALLASGEN_WGMMA(240, 60, f16, kF16, kF16)
PALLASGEN_WGMMA(248, 62, f16, kF16, kF16)
PALLASGEN_WGMMA(256, 64, f16, kF16, kF16)

}  // namespace pallasgen::ptx

#undef PALLASGEN_WGMMA
