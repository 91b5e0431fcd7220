#pragma once
#include <cuda_runtime.h>
#include <pallasgen/emulator/instructions.h>

#include <cstdint>

namespace pallasgen::ptx {

__device__ __forceinline__ uint32_t lane_id() { return emulator::lane_id(); }

__device__ __forceinline__ uint32_t cluster_ctarank() { return emulator::cluster_ctarank(); }

__device__ __forceinline__ uint32_t cluster_nctarank() { return emulator::cluster_nctarank(); }

}  // namespace pallasgen::ptx
