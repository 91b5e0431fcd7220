#pragma once
#include <cuda_runtime.h>
#include <pallasgen/emulator/instructions.h>

#include <cstdint>

namespace pallasgen::ptx {

__device__ __forceinline__ void name_barrier(uint32_t bar, const char* name) { emulator::name_barrier(bar, name); }

__host__ __device__ __forceinline__ void check_element(int index, int size) {
  if (index < 0 || index >= size) emulator::no_such_element(index, size);
}

__device__ __forceinline__ void check_index(int64_t index, int64_t extent, int axis) {
  if (static_cast<uint64_t>(index) >= static_cast<uint64_t>(extent)) emulator::no_such_index(index, extent, axis);
}

__device__ __forceinline__ void check_vectors(int64_t length, int vector) {
  if (length % vector != 0) emulator::vectors_do_not_fit(length, vector);
}

}  // namespace pallasgen::ptx
