#pragma once
#include <cuda_runtime.h>

#include <cstdint>

namespace pallasgen::ptx {

// No instruction. The emulator names the barrier so in its reports.
__device__ __forceinline__ void name_barrier(uint32_t, const char*) {}

// No instruction. The emulator stops when there is no element `index` among the registers of a thread.
__host__ __device__ __forceinline__ void check_element(int, int) {}

}  // namespace pallasgen::ptx
