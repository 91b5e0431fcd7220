#pragma once
#include <cuda_runtime.h>
#include <pallasgen/emulator/instructions.h>

#include <cstdint>

namespace pallasgen::ptx {

__device__ __forceinline__ void name_barrier(uint32_t bar, const char* name) { emulator::name_barrier(bar, name); }

__host__ __device__ __forceinline__ void check_element(int index, int size) {
  if (index < 0 || index >= size) emulator::no_such_element(index, size);
}

}  // namespace pallasgen::ptx
