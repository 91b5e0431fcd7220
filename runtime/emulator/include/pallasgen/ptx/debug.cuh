#pragma once
#include <cuda_runtime.h>
#include <pallasgen/emulator/instructions.h>

#include <cstddef>
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

__host__ __device__ __forceinline__ void check_reach(const void* array, int64_t elements, int element_bits) {
  emulator::check_reach(array, elements, element_bits);
}

__host__ __device__ __forceinline__ void workspace_part(const void* workspace, size_t bytes, size_t behind) {
  emulator::workspace_part(workspace, bytes, behind);
}
__host__ __device__ __forceinline__ void workspace_serves(const void* workspace, void* base) {
  emulator::workspace_serves(workspace, base);
}
__host__ __device__ __forceinline__ void workspace_ends(const void* workspace) { emulator::workspace_ends(workspace); }

}  // namespace pallasgen::ptx
