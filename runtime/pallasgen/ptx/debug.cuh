#pragma once
#include <cuda_runtime.h>

#include <cstdint>

namespace pallasgen::ptx {

// No instruction. The emulator names the barrier so in its reports.
__device__ __forceinline__ void name_barrier(uint32_t, const char*) {}

// No instruction. The emulator stops when there is no element `index` among the registers of a thread.
__host__ __device__ __forceinline__ void check_element(int, int) {}

// No instruction. The emulator stops when `index` is not below `extent` along that axis of an array.
__device__ __forceinline__ void check_index(int64_t, int64_t, int) {}

// No instruction. The emulator stops when elements that are moved so many at once do not add up to `length`.
__device__ __forceinline__ void check_vectors(int64_t, int) {}

}  // namespace pallasgen::ptx
