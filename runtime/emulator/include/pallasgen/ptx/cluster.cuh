#pragma once
#include <cuda_runtime.h>
#include <pallasgen/emulator/instructions.h>

#include <cstdint>
#include <cstring>

namespace pallasgen::ptx {

__device__ __forceinline__ uint32_t mapa(uint32_t address, uint32_t rank) { return emulator::mapa(address, rank); }

__device__ __forceinline__ void store_cluster_b8(uint32_t address, uint8_t value) {
  memcpy(emulator::cluster_word(address, sizeof value), &value, sizeof value);
}
__device__ __forceinline__ void store_cluster_b16(uint32_t address, uint16_t value) {
  memcpy(emulator::cluster_word(address, sizeof value), &value, sizeof value);
}
__device__ __forceinline__ void store_cluster_b32(uint32_t address, uint32_t value) {
  memcpy(emulator::cluster_word(address, sizeof value), &value, sizeof value);
}
__device__ __forceinline__ void store_cluster_b64(uint32_t address, uint64_t value) {
  memcpy(emulator::cluster_word(address, sizeof value), &value, sizeof value);
}

__device__ __forceinline__ void store_async_b32(uint32_t address, uint32_t value, uint32_t bar) {
  emulator::store_async(address, value, sizeof value, bar);
}
__device__ __forceinline__ void store_async_b64(uint32_t address, uint64_t value, uint32_t bar) {
  emulator::store_async(address, value, sizeof value, bar);
}

__device__ __forceinline__ void cluster_arrive_release() { emulator::cluster_arrive(/*release=*/true); }

__device__ __forceinline__ void cluster_wait_acquire() { emulator::cluster_wait(); }

__device__ __forceinline__ void cluster_arrive_relaxed() { emulator::cluster_arrive(/*release=*/false); }

}  // namespace pallasgen::ptx
