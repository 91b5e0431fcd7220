#pragma once
#include <cuda_runtime.h>
#include <pallasgen/emulator/instructions.h>

#include <cstdint>

namespace pallasgen::ptx {

__device__ __forceinline__ uint32_t mapa(uint32_t address, uint32_t rank) { return emulator::mapa(address, rank); }

__device__ __forceinline__ void cluster_arrive_release() { emulator::cluster_arrive(/*release=*/true); }

__device__ __forceinline__ void cluster_wait_acquire() { emulator::cluster_wait(); }

__device__ __forceinline__ void cluster_arrive_relaxed() { emulator::cluster_arrive(/*release=*/false); }

}  // namespace pallasgen::ptx
