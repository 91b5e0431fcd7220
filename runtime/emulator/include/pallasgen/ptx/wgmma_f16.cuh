// Written by scripts/make_wgmma.py. DO NOT EDIT.
// clang-format off
#pragma once
#include <cuda_runtime.h>
#include <pallasgen/emulator/instructions.h>

#include <cstdint>

// wgmma.mma_async, one function per instruction: d += A * B, or d = A * B when `accumulate` is 0. A is 64 x 16, from
// shared memory by the descriptor `a` or, in the _ra forms, from registers; B is 16 x N by the descriptor `b`. TransA
// and TransB are 1 for operands whose M or N is contiguous, 0 where K is. All four warps of a warpgroup execute it.
#define PALLASGEN_WGMMA(N, SIZE, NAME, KA, KB) \
  template <int TransA, int TransB> \
  __device__ __forceinline__ void wgmma_m64n##N##k16_f32_##NAME(float (&d)[SIZE], uint64_t a, \
      uint64_t b, int accumulate) { \
    emulator::wgmma({d, N, emulator::AccumulatorType::kF32, emulator::OperandType::KA, emulator::OperandType::KB, \
                     TransA != 0, TransB != 0, a, b, nullptr, accumulate}); \
  } \
  template <int TransB> \
  __device__ __forceinline__ void wgmma_m64n##N##k16_f32_##NAME##_ra(float (&d)[SIZE], \
      emulator::OperandRegister a0, emulator::OperandRegister a1, emulator::OperandRegister a2, \
      emulator::OperandRegister a3, uint64_t b, int accumulate) { \
    const emulator::OperandRegister a[] = {a0, a1, a2, a3}; \
    emulator::wgmma({d, N, emulator::AccumulatorType::kF32, emulator::OperandType::KA, emulator::OperandType::KB, \
                     false, TransB != 0, 0, b, a, accumulate}); \
  }

namespace pallasgen::ptx {

PALLASGEN_WGMMA(8, 4, bf16, kBf16, kBf16)
PALLASGEN_WGMMA(16, 8, bf16, kBf16, kBf16)
PALLASGEN_WGMMA(24, 12, bf16, kBf16, kBf16)
PALLASGEN_WGMMA(32, 16, bf16, kBf16, kBf16)
PALLASGEN_WGMMA(40, 20, bf16, kBf16, kBf16)
PALLASGEN_WGMMA(48, 24, bf16, kBf16, kBf16)
PALLASGEN_WGMMA(56, 28, bf16, kBf16, kBf16)
PALLASGEN_WGMMA(64, 32, bf16, kBf16, kBf16)
PALLASGEN_WGMMA(72, 36, bf16, kBf16, kBf16)
PALLASGEN_WGMMA(80, 40, bf16, kBf16, kBf16)
PALLASGEN_WGMMA(88, 44, bf16, kBf16, kBf16)
PALLASGEN_WGMMA(96, 48, bf16, kBf16, kBf16)
PALLASGEN_WGMMA(104, 52, bf16, kBf16, kBf16)
PALLASGEN_WGMMA(112, 56, bf16, kBf16, kBf16)
PALLASGEN_WGMMA(120, 60, bf16, kBf16, kBf16)
PALLASGEN_WGMMA(128, 64, bf16, kBf16, kBf16)
PALLASGEN_WGMMA(136, 68, bf16, kBf16, kBf16)
PALLASGEN_WGMMA(144, 72, bf16, kBf16, kBf16)
PALLASGEN_WGMMA(152, 76, bf16, kBf16, kBf16)
PALLASGEN_WGMMA(160, 80, bf16, kBf16, kBf16)
PALLASGEN_WGMMA(168, 84, bf16, kBf16, kBf16)
PALLASGEN_WGMMA(176, 88, bf16, kBf16, kBf16)
PALLASGEN_WGMMA(184, 92, bf16, kBf16, kBf16)
PALLASGEN_WGMMA(192, 96, bf16, kBf16, kBf16)
PALLASGEN_WGMMA(200, 100, bf16, kBf16, kBf16)
PALLASGEN_WGMMA(208, 104, bf16, kBf16, kBf16)
PALLASGEN_WGMMA(216, 108, bf16, kBf16, kBf16)
PALLASGEN_WGMMA(224, 112, bf16, kBf16, kBf16)
PALLASGEN_WGMMA(232, 116, bf16, kBf16, kBf16)
PALLASGEN_WGMMA(240, 120, bf16, kBf16, kBf16)
PALLASGEN_WGMMA(248, 124, bf16, kBf16, kBf16)
PALLASGEN_WGMMA(256, 128, bf16, kBf16, kBf16)
PALLASGEN_WGMMA(8, 4, f16, kF16, kF16)
PALLASGEN_WGMMA(16, 8, f16, kF16, kF16)
PALLASGEN_WGMMA(24, 12, f16, kF16, kF16)
PALLASGEN_WGMMA(32, 16, f16, kF16, kF16)
PALLASGEN_WGMMA(40, 20, f16, kF16, kF16)
PALLASGEN_WGMMA(48, 24, f16, kF16, kF16)
PALLASGEN_WGMMA(56, 28, f16, kF16, kF16)
PALLASGEN_WGMMA(64, 32, f16, kF16, kF16)
PALLASGEN_WGMMA(72, 36, f16, kF16, kF16)
PALLASGEN_WGMMA(80, 40, f16, kF16, kF16)
PALLASGEN_WGMMA(88, 44, f16, kF16, kF16)
PALLASGEN_WGMMA(96, 48, f16, kF16, kF16)
PALLASGEN_WGMMA(104, 52, f16, kF16, kF16)
PALLASGEN_WGMMA(112, 56, f16, kF16, kF16)
PALLASGEN_WGMMA(120, 60, f16, kF16, kF16)
PALLASGEN_WGMMA(128, 64, f16, kF16, kF16)
PALLASGEN_WGMMA(136, 68, f16, kF16, kF16)
PALLASGEN_WGMMA(144, 72, f16, kF16, kF16)
PALLASGEN_WGMMA(152, 76, f16, kF16, kF16)
PALLASGEN_WGMMA(160, 80, f16, kF16, kF16)
PALLASGEN_WGMMA(168, 84, f16, kF16, kF16)
PALLASGEN_WGMMA(176, 88, f16, kF16, kF16)
PALLASGEN_WGMMA(184, 92, f16, kF16, kF16)
PALLASGEN_WGMMA(192, 96, f16, kF16, kF16)
PALLASGEN_WGMMA(200, 100, f16, kF16, kF16)
PALLASGEN_WGMMA(208, 104, f16, kF16, kF16)
PALLASGEN_WGMMA(216, 108, f16, kF16, kF16)
PALLASGEN_WGMMA(224, 112, f16, kF16, kF16)
PALLASGEN_WGMMA(232, 116, f16, kF16, kF16)
PALLASGEN_WGMMA(240, 120, f16, kF16, kF16)
PALLASGEN_WGMMA(248, 124, f16, kF16, kF16)
PALLASGEN_WGMMA(256, 128, f16, kF16, kF16)

}  // namespace pallasgen::ptx

#undef PALLASGEN_WGMMA
