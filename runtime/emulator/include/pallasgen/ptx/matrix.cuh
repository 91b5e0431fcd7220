#pragma once
#include <cuda_runtime.h>
#include <pallasgen/emulator/instructions.h>

#include <cstdint>

namespace pallasgen::ptx {

__device__ __forceinline__ void stmatrix_x1(uint32_t address, uint32_t r0) {
  const uint32_t registers[] = {r0};
  emulator::stmatrix(address, registers, 1, /*transposed=*/false);
}

__device__ __forceinline__ void stmatrix_x1_trans(uint32_t address, uint32_t r0) {
  const uint32_t registers[] = {r0};
  emulator::stmatrix(address, registers, 1, /*transposed=*/true);
}

__device__ __forceinline__ void stmatrix_x2(uint32_t address, uint32_t r0, uint32_t r1) {
  const uint32_t registers[] = {r0, r1};
  emulator::stmatrix(address, registers, 2, /*transposed=*/false);
}

__device__ __forceinline__ void stmatrix_x2_trans(uint32_t address, uint32_t r0, uint32_t r1) {
  const uint32_t registers[] = {r0, r1};
  emulator::stmatrix(address, registers, 2, /*transposed=*/true);
}

__device__ __forceinline__ void stmatrix_x4(uint32_t address, uint32_t r0, uint32_t r1, uint32_t r2, uint32_t r3) {
  const uint32_t registers[] = {r0, r1, r2, r3};
  emulator::stmatrix(address, registers, 4, /*transposed=*/false);
}

__device__ __forceinline__ void stmatrix_x4_trans(uint32_t address, uint32_t r0, uint32_t r1, uint32_t r2,
                                                  uint32_t r3) {
  const uint32_t registers[] = {r0, r1, r2, r3};
  emulator::stmatrix(address, registers, 4, /*transposed=*/true);
}

__device__ __forceinline__ void ldmatrix_x1(uint32_t address, uint32_t& r0) {
  uint32_t registers[1];
  emulator::ldmatrix(address, registers, 1, /*transposed=*/false);
  r0 = registers[0];
}

__device__ __forceinline__ void ldmatrix_x1_trans(uint32_t address, uint32_t& r0) {
  uint32_t registers[1];
  emulator::ldmatrix(address, registers, 1, /*transposed=*/true);
  r0 = registers[0];
}

__device__ __forceinline__ void ldmatrix_x2(uint32_t address, uint32_t& r0, uint32_t& r1) {
  uint32_t registers[2];
  emulator::ldmatrix(address, registers, 2, /*transposed=*/false);
  r0 = registers[0];
  r1 = registers[1];
}

__device__ __forceinline__ void ldmatrix_x2_trans(uint32_t address, uint32_t& r0, uint32_t& r1) {
  uint32_t registers[2];
  emulator::ldmatrix(address, registers, 2, /*transposed=*/true);
  r0 = registers[0];
  r1 = registers[1];
}

__device__ __forceinline__ void ldmatrix_x4(uint32_t address, uint32_t& r0, uint32_t& r1, uint32_t& r2, uint32_t& r3) {
  uint32_t registers[4];
  emulator::ldmatrix(address, registers, 4, /*transposed=*/false);
  r0 = registers[0];
  r1 = registers[1];
  r2 = registers[2];
  r3 = registers[3];
}

__device__ __forceinline__ void ldmatrix_x4_trans(uint32_t address, uint32_t& r0, uint32_t& r1, uint32_t& r2,
                                                  uint32_t& r3) {
  uint32_t registers[4];
  emulator::ldmatrix(address, registers, 4, /*transposed=*/true);
  r0 = registers[0];
  r1 = registers[1];
  r2 = registers[2];
  r3 = registers[3];
}

}  // namespace pallasgen::ptx
