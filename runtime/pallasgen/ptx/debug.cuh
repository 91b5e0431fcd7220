#pragma once
#include <cuda_runtime.h>

#include <cstdint>

namespace pallasgen::ptx {

// No instruction. The emulator names the barrier so in its reports.
__device__ __forceinline__ void name_barrier(uint32_t, const char*) {}

}  // namespace pallasgen::ptx
