#pragma once
#include <cuda_runtime.h>
#include <pallasgen/emulator/instructions.h>

#include <cstdint>

namespace pallasgen::ptx {

__device__ __forceinline__ void mbarrier_init(uint32_t bar, uint32_t count) { emulator::mbarrier_init(bar, count); }

__device__ __forceinline__ void mbarrier_invalidate(uint32_t bar) { emulator::mbarrier_invalidate(bar); }

__device__ __forceinline__ void mbarrier_arrive(uint32_t bar) { emulator::mbarrier_arrive(bar); }

__device__ __forceinline__ void mbarrier_arrive_expect_tx(uint32_t bar, uint32_t bytes) {
  emulator::mbarrier_arrive_expect_tx(bar, bytes);
}

__device__ __forceinline__ void mbarrier_expect_tx(uint32_t bar, uint32_t bytes) {
  emulator::mbarrier_expect_tx(bar, bytes);
}

__device__ __forceinline__ bool mbarrier_try_wait_parity(uint32_t bar, uint32_t parity) {
  return emulator::mbarrier_try_wait_parity(bar, parity);
}

__device__ __forceinline__ bool mbarrier_test_wait_parity(uint32_t bar, uint32_t parity) {
  return emulator::mbarrier_test_wait_parity(bar, parity);
}

__device__ __forceinline__ bool mbarrier_try_wait_parity_cluster(uint32_t bar, uint32_t parity) {
  return emulator::mbarrier_try_wait_parity_cluster(bar, parity);
}

__device__ __forceinline__ void mbarrier_arrive_cluster(uint32_t remote_bar) {
  emulator::mbarrier_arrive_cluster(remote_bar);
}

}  // namespace pallasgen::ptx
