#pragma once
#include <cuda_runtime.h>
#include <pallasgen/emulator/instructions.h>

#include <cstdint>

namespace pallasgen::ptx {

__device__ __forceinline__ void mma_m16n8k8_f32_f16(float (&d)[4], const uint32_t (&a)[2], const uint32_t (&b)[1]) {
  emulator::mma({"mma.m16n8k8.f32.f16.f16", 16, 8, emulator::AccumulatorType::kF32, emulator::OperandType::kF16,
                 emulator::OperandType::kF16, d, a, b});
}

__device__ __forceinline__ void mma_m16n8k16_f32_f16(float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
  emulator::mma({"mma.m16n8k16.f32.f16.f16", 16, 16, emulator::AccumulatorType::kF32, emulator::OperandType::kF16,
                 emulator::OperandType::kF16, d, a, b});
}

__device__ __forceinline__ void mma_m16n8k8_f32_bf16(float (&d)[4], const uint32_t (&a)[2], const uint32_t (&b)[1]) {
  emulator::mma({"mma.m16n8k8.f32.bf16.bf16", 16, 8, emulator::AccumulatorType::kF32, emulator::OperandType::kBf16,
                 emulator::OperandType::kBf16, d, a, b});
}

__device__ __forceinline__ void mma_m16n8k16_f32_bf16(float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
  emulator::mma({"mma.m16n8k16.f32.bf16.bf16", 16, 16, emulator::AccumulatorType::kF32, emulator::OperandType::kBf16,
                 emulator::OperandType::kBf16, d, a, b});
}

__device__ __forceinline__ void mma_m16n8k8_f16_f16(uint32_t (&d)[2], const uint32_t (&a)[2], const uint32_t (&b)[1]) {
  emulator::mma({"mma.m16n8k8.f16.f16.f16", 16, 8, emulator::AccumulatorType::kF16, emulator::OperandType::kF16,
                 emulator::OperandType::kF16, d, a, b});
}

__device__ __forceinline__ void mma_m16n8k16_f16_f16(uint32_t (&d)[2], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
  emulator::mma({"mma.m16n8k16.f16.f16.f16", 16, 16, emulator::AccumulatorType::kF16, emulator::OperandType::kF16,
                 emulator::OperandType::kF16, d, a, b});
}

__device__ __forceinline__ void mma_m16n8k4_f32_tf32(float (&d)[4], const uint32_t (&a)[2], const uint32_t (&b)[1]) {
  emulator::mma({"mma.m16n8k4.f32.tf32.tf32", 16, 4, emulator::AccumulatorType::kF32, emulator::OperandType::kTf32,
                 emulator::OperandType::kTf32, d, a, b});
}

__device__ __forceinline__ void mma_m16n8k8_f32_tf32(float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
  emulator::mma({"mma.m16n8k8.f32.tf32.tf32", 16, 8, emulator::AccumulatorType::kF32, emulator::OperandType::kTf32,
                 emulator::OperandType::kTf32, d, a, b});
}

__device__ __forceinline__ void mma_m16n8k32_f32_e4m3_e4m3(float (&d)[4], const uint32_t (&a)[4],
                                                           const uint32_t (&b)[2]) {
  emulator::mma({"mma.m16n8k32.f32.e4m3.e4m3", 16, 32, emulator::AccumulatorType::kF32, emulator::OperandType::kE4m3,
                 emulator::OperandType::kE4m3, d, a, b});
}

__device__ __forceinline__ void mma_m16n8k32_f32_e4m3_e5m2(float (&d)[4], const uint32_t (&a)[4],
                                                           const uint32_t (&b)[2]) {
  emulator::mma({"mma.m16n8k32.f32.e4m3.e5m2", 16, 32, emulator::AccumulatorType::kF32, emulator::OperandType::kE4m3,
                 emulator::OperandType::kE5m2, d, a, b});
}

__device__ __forceinline__ void mma_m16n8k32_f32_e5m2_e4m3(float (&d)[4], const uint32_t (&a)[4],
                                                           const uint32_t (&b)[2]) {
  emulator::mma({"mma.m16n8k32.f32.e5m2.e4m3", 16, 32, emulator::AccumulatorType::kF32, emulator::OperandType::kE5m2,
                 emulator::OperandType::kE4m3, d, a, b});
}

__device__ __forceinline__ void mma_m16n8k32_f32_e5m2_e5m2(float (&d)[4], const uint32_t (&a)[4],
                                                           const uint32_t (&b)[2]) {
  emulator::mma({"mma.m16n8k32.f32.e5m2.e5m2", 16, 32, emulator::AccumulatorType::kF32, emulator::OperandType::kE5m2,
                 emulator::OperandType::kE5m2, d, a, b});
}

__device__ __forceinline__ void mma_m8n8k16_s32_s8_s8(int32_t (&d)[2], const uint32_t (&a)[1], const uint32_t (&b)[1]) {
  emulator::mma({"mma.m8n8k16.s32.s8.s8", 8, 16, emulator::AccumulatorType::kS32, emulator::OperandType::kS8,
                 emulator::OperandType::kS8, d, a, b});
}

__device__ __forceinline__ void mma_m16n8k16_s32_s8_s8(int32_t (&d)[4], const uint32_t (&a)[2],
                                                       const uint32_t (&b)[1]) {
  emulator::mma({"mma.m16n8k16.s32.s8.s8", 16, 16, emulator::AccumulatorType::kS32, emulator::OperandType::kS8,
                 emulator::OperandType::kS8, d, a, b});
}

__device__ __forceinline__ void mma_m16n8k32_s32_s8_s8(int32_t (&d)[4], const uint32_t (&a)[4],
                                                       const uint32_t (&b)[2]) {
  emulator::mma({"mma.m16n8k32.s32.s8.s8", 16, 32, emulator::AccumulatorType::kS32, emulator::OperandType::kS8,
                 emulator::OperandType::kS8, d, a, b});
}

__device__ __forceinline__ void mma_m8n8k16_s32_s8_u8(int32_t (&d)[2], const uint32_t (&a)[1], const uint32_t (&b)[1]) {
  emulator::mma({"mma.m8n8k16.s32.s8.u8", 8, 16, emulator::AccumulatorType::kS32, emulator::OperandType::kS8,
                 emulator::OperandType::kU8, d, a, b});
}

__device__ __forceinline__ void mma_m16n8k16_s32_s8_u8(int32_t (&d)[4], const uint32_t (&a)[2],
                                                       const uint32_t (&b)[1]) {
  emulator::mma({"mma.m16n8k16.s32.s8.u8", 16, 16, emulator::AccumulatorType::kS32, emulator::OperandType::kS8,
                 emulator::OperandType::kU8, d, a, b});
}

__device__ __forceinline__ void mma_m16n8k32_s32_s8_u8(int32_t (&d)[4], const uint32_t (&a)[4],
                                                       const uint32_t (&b)[2]) {
  emulator::mma({"mma.m16n8k32.s32.s8.u8", 16, 32, emulator::AccumulatorType::kS32, emulator::OperandType::kS8,
                 emulator::OperandType::kU8, d, a, b});
}

__device__ __forceinline__ void mma_m8n8k16_s32_u8_s8(int32_t (&d)[2], const uint32_t (&a)[1], const uint32_t (&b)[1]) {
  emulator::mma({"mma.m8n8k16.s32.u8.s8", 8, 16, emulator::AccumulatorType::kS32, emulator::OperandType::kU8,
                 emulator::OperandType::kS8, d, a, b});
}

__device__ __forceinline__ void mma_m16n8k16_s32_u8_s8(int32_t (&d)[4], const uint32_t (&a)[2],
                                                       const uint32_t (&b)[1]) {
  emulator::mma({"mma.m16n8k16.s32.u8.s8", 16, 16, emulator::AccumulatorType::kS32, emulator::OperandType::kU8,
                 emulator::OperandType::kS8, d, a, b});
}

__device__ __forceinline__ void mma_m16n8k32_s32_u8_s8(int32_t (&d)[4], const uint32_t (&a)[4],
                                                       const uint32_t (&b)[2]) {
  emulator::mma({"mma.m16n8k32.s32.u8.s8", 16, 32, emulator::AccumulatorType::kS32, emulator::OperandType::kU8,
                 emulator::OperandType::kS8, d, a, b});
}

__device__ __forceinline__ void mma_m8n8k16_s32_u8_u8(int32_t (&d)[2], const uint32_t (&a)[1], const uint32_t (&b)[1]) {
  emulator::mma({"mma.m8n8k16.s32.u8.u8", 8, 16, emulator::AccumulatorType::kS32, emulator::OperandType::kU8,
                 emulator::OperandType::kU8, d, a, b});
}

__device__ __forceinline__ void mma_m16n8k16_s32_u8_u8(int32_t (&d)[4], const uint32_t (&a)[2],
                                                       const uint32_t (&b)[1]) {
  emulator::mma({"mma.m16n8k16.s32.u8.u8", 16, 16, emulator::AccumulatorType::kS32, emulator::OperandType::kU8,
                 emulator::OperandType::kU8, d, a, b});
}

__device__ __forceinline__ void mma_m16n8k32_s32_u8_u8(int32_t (&d)[4], const uint32_t (&a)[4],
                                                       const uint32_t (&b)[2]) {
  emulator::mma({"mma.m16n8k32.s32.u8.u8", 16, 32, emulator::AccumulatorType::kS32, emulator::OperandType::kU8,
                 emulator::OperandType::kU8, d, a, b});
}

__device__ __forceinline__ void mma_m8n8k4_f64(double (&d)[2], const double (&a)[1], const double (&b)[1]) {
  emulator::mma_f64(d, a[0], b[0]);
}

}  // namespace pallasgen::ptx
