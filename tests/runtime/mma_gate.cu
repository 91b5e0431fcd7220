// Every function of ptx/mma.cuh for nvcc; gate.py reads the messages of ptxas.
#include <pallasgen/ptx/mma.cuh>

#define PALLASGEN_KERNEL(NAME, D, SIZE_D, T, SIZE_A, SIZE_B)                 \
  __global__ void kernel_##NAME(D* d, const T* a, const T* b) {              \
    D sums[SIZE_D];                                                          \
    T left[SIZE_A], right[SIZE_B];                                           \
    for (int i = 0; i < SIZE_D; ++i) sums[i] = d[threadIdx.x * SIZE_D + i];  \
    for (int i = 0; i < SIZE_A; ++i) left[i] = a[threadIdx.x * SIZE_A + i];  \
    for (int i = 0; i < SIZE_B; ++i) right[i] = b[threadIdx.x * SIZE_B + i]; \
    pallasgen::ptx::NAME(sums, left, right);                                 \
    for (int i = 0; i < SIZE_D; ++i) d[threadIdx.x * SIZE_D + i] = sums[i];  \
  }
PALLASGEN_KERNEL(mma_m16n8k8_f32_f16, float, 4, uint32_t, 2, 1)
PALLASGEN_KERNEL(mma_m16n8k16_f32_f16, float, 4, uint32_t, 4, 2)
PALLASGEN_KERNEL(mma_m16n8k8_f32_bf16, float, 4, uint32_t, 2, 1)
PALLASGEN_KERNEL(mma_m16n8k16_f32_bf16, float, 4, uint32_t, 4, 2)
PALLASGEN_KERNEL(mma_m16n8k8_f16_f16, uint32_t, 2, uint32_t, 2, 1)
PALLASGEN_KERNEL(mma_m16n8k16_f16_f16, uint32_t, 2, uint32_t, 4, 2)
PALLASGEN_KERNEL(mma_m16n8k4_f32_tf32, float, 4, uint32_t, 2, 1)
PALLASGEN_KERNEL(mma_m16n8k8_f32_tf32, float, 4, uint32_t, 4, 2)
PALLASGEN_KERNEL(mma_m16n8k32_f32_e4m3_e4m3, float, 4, uint32_t, 4, 2)
PALLASGEN_KERNEL(mma_m16n8k32_f32_e4m3_e5m2, float, 4, uint32_t, 4, 2)
PALLASGEN_KERNEL(mma_m16n8k32_f32_e5m2_e4m3, float, 4, uint32_t, 4, 2)
PALLASGEN_KERNEL(mma_m16n8k32_f32_e5m2_e5m2, float, 4, uint32_t, 4, 2)
PALLASGEN_KERNEL(mma_m8n8k16_s32_s8_s8, int32_t, 2, uint32_t, 1, 1)
PALLASGEN_KERNEL(mma_m16n8k16_s32_s8_s8, int32_t, 4, uint32_t, 2, 1)
PALLASGEN_KERNEL(mma_m16n8k32_s32_s8_s8, int32_t, 4, uint32_t, 4, 2)
PALLASGEN_KERNEL(mma_m8n8k16_s32_s8_u8, int32_t, 2, uint32_t, 1, 1)
PALLASGEN_KERNEL(mma_m16n8k16_s32_s8_u8, int32_t, 4, uint32_t, 2, 1)
PALLASGEN_KERNEL(mma_m16n8k32_s32_s8_u8, int32_t, 4, uint32_t, 4, 2)
PALLASGEN_KERNEL(mma_m8n8k16_s32_u8_s8, int32_t, 2, uint32_t, 1, 1)
PALLASGEN_KERNEL(mma_m16n8k16_s32_u8_s8, int32_t, 4, uint32_t, 2, 1)
PALLASGEN_KERNEL(mma_m16n8k32_s32_u8_s8, int32_t, 4, uint32_t, 4, 2)
PALLASGEN_KERNEL(mma_m8n8k16_s32_u8_u8, int32_t, 2, uint32_t, 1, 1)
PALLASGEN_KERNEL(mma_m16n8k16_s32_u8_u8, int32_t, 4, uint32_t, 2, 1)
PALLASGEN_KERNEL(mma_m16n8k32_s32_u8_u8, int32_t, 4, uint32_t, 4, 2)
PALLASGEN_KERNEL(mma_m8n8k4_f64, double, 2, double, 1, 1)
