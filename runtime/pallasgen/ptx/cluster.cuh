#pragma once
#include <cuda_runtime.h>

#include <cstdint>

namespace pallasgen::ptx {

// The address in CTA `rank` of the cluster that corresponds to `address` in this CTA.
__device__ __forceinline__ uint32_t mapa(uint32_t address, uint32_t rank) {
  uint32_t r;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(r) : "r"(address), "r"(rank));
  return r;
}

// Writes to an address of mapa(), aligned to its size.
__device__ __forceinline__ void store_cluster_b8(uint32_t address, uint8_t value) {
  asm volatile("st.shared::cluster.b8 [%0], %1;" ::"r"(address), "r"(static_cast<uint32_t>(value)) : "memory");
}
__device__ __forceinline__ void store_cluster_b16(uint32_t address, uint16_t value) {
  asm volatile("st.shared::cluster.b16 [%0], %1;" ::"r"(address), "h"(value) : "memory");
}
__device__ __forceinline__ void store_cluster_b32(uint32_t address, uint32_t value) {
  asm volatile("st.shared::cluster.b32 [%0], %1;" ::"r"(address), "r"(value) : "memory");
}
__device__ __forceinline__ void store_cluster_b64(uint32_t address, uint64_t value) {
  asm volatile("st.shared::cluster.b64 [%0], %1;" ::"r"(address), "l"(value) : "memory");
}

// Writes to an address of mapa(), aligned to its size, some time later, and then completes as many bytes on the barrier
// there, whose address mapa() returned for the same CTA (PTX ISA, "st.async"). A thread that waits for the barrier's
// phase sees the value.
__device__ __forceinline__ void store_async_b32(uint32_t address, uint32_t value, uint32_t bar) {
  asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(address), "r"(value),
               "r"(bar)
               : "memory");
}
__device__ __forceinline__ void store_async_b64(uint32_t address, uint64_t value, uint32_t bar) {
  asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0], %1, [%2];" ::"r"(address), "l"(value),
               "r"(bar)
               : "memory");
}

// Arrives on the barrier of the cluster; every thread of every CTA does so, whole warps together.
__device__ __forceinline__ void cluster_arrive_release() {
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}

// Waits until every thread of the cluster has arrived.
__device__ __forceinline__ void cluster_wait_acquire() {
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

// Arrives without ordering memory.
__device__ __forceinline__ void cluster_arrive_relaxed() {
  asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
}

}  // namespace pallasgen::ptx
