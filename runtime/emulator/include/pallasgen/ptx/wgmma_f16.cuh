#pragma once
#include <cuda_runtime.h>
#include <pallasgen/emulator/instructions.h>

#include <cstdint>

// wgmma.mma_async for f16 and bf16 operands at every legal N, one pair of functions per N and type: A by descriptor,
// and
// (_ra) A from registers.
#define PALLASGEN_WGMMA(N, T, TYPE)                                                                            \
  template <int TransA, int TransB>                                                                            \
  __device__ __forceinline__ void wgmma_m64n##N##k16_f32_##T(float(&d)[N / 2], uint64_t a, uint64_t b,         \
                                                             int accumulate) {                                 \
    emulator::wgmma({d, N, emulator::OperandType::TYPE, TransA != 0, TransB != 0, a, b, nullptr, accumulate}); \
  }                                                                                                            \
  template <int TransB>                                                                                        \
  __device__ __forceinline__ void wgmma_m64n##N##k16_f32_##T##_ra(                                             \
      float(&d)[N / 2], uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b, int accumulate) {      \
    const uint32_t a[] = {a0, a1, a2, a3};                                                                     \
    emulator::wgmma({d, N, emulator::OperandType::TYPE, false, TransB != 0, 0, b, a, accumulate});             \
  }
#define PALLASGEN_WGMMA_64(T, TYPE, N0, N1, N2, N3, N4, N5, N6, N7) \
  PALLASGEN_WGMMA(N0, T, TYPE)                                      \
  PALLASGEN_WGMMA(N1, T, TYPE)                                      \
  PALLASGEN_WGMMA(N2, T, TYPE)                                      \
  PALLASGEN_WGMMA(N3, T, TYPE)                                      \
  PALLASGEN_WGMMA(N4, T, TYPE)                                      \
  PALLASGEN_WGMMA(N5, T, TYPE)                                      \
  PALLASGEN_WGMMA(N6, T, TYPE)                                      \
  PALLASGEN_WGMMA(N7, T, TYPE)
#define PALLASGEN_WGMMA_ALL(T, TYPE)                                  \
  PALLASGEN_WGMMA_64(T, TYPE, 8, 16, 24, 32, 40, 48, 56, 64)          \
  PALLASGEN_WGMMA_64(T, TYPE, 72, 80, 88, 96, 104, 112, 120, 128)     \
  PALLASGEN_WGMMA_64(T, TYPE, 136, 144, 152, 160, 168, 176, 184, 192) \
  PALLASGEN_WGMMA_64(T, TYPE, 200, 208, 216, 224, 232, 240, 248, 256)

namespace pallasgen::ptx {

PALLASGEN_WGMMA_ALL(bf16, kBf16)
PALLASGEN_WGMMA_ALL(f16, kF16)

}  // namespace pallasgen::ptx

#undef PALLASGEN_WGMMA_ALL
#undef PALLASGEN_WGMMA_64
#undef PALLASGEN_WGMMA
