#pragma once
#include <cuda_runtime.h>
#include <pallasgen/emulator/instructions.h>

#include <cstdint>

namespace pallasgen::ptx {

__device__ __forceinline__ void name_barrier(uint32_t bar, const char* name) { emulator::name_barrier(bar, name); }

}  // namespace pallasgen::ptx
