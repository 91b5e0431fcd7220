#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>
#include <pallasgen/ptx/cluster.cuh>
#include <pallasgen/ptx/smem.cuh>

// CTAs of a cluster that work on one tile together.
namespace pallasgen {

// All threads of a cluster of Ctas CTAs, each of which has a tile of its own in shared memory, at the same place.
template <int Ctas>
struct WholeCluster {
  static constexpr int wg = 0;

  // Nobody goes on before all have come; what they wrote is seen. The first one of a kernel also says that every CTA
  // runs: before it nothing may be written for them.
  __device__ __forceinline__ void sync() const {
    ptx::cluster_arrive_release();
    ptx::cluster_wait_acquire();
  }

  // Writes the value, the same in all lanes of the warp, to `place` of each CTA.
  template <class T>
  __device__ __forceinline__ static void put(T& place, T value) {
    static_assert(Ctas <= 32);
    const uint32_t lane = threadIdx.x % 32;
    if (lane >= Ctas) return;
    const uint32_t address = ptx::mapa(ptx::shared_address(&place), lane);
    if constexpr (sizeof(T) == 8) {
      uint64_t bits;
      memcpy(&bits, &value, sizeof bits);
      ptx::store_cluster_b64(address, bits);
    } else if constexpr (sizeof(T) == 4) {
      uint32_t bits;
      memcpy(&bits, &value, sizeof bits);
      ptx::store_cluster_b32(address, bits);
    } else if constexpr (sizeof(T) == 2) {
      uint16_t bits;
      memcpy(&bits, &value, sizeof bits);
      ptx::store_cluster_b16(address, bits);
    } else {
      static_assert(sizeof(T) == 1);
      uint8_t bits;
      memcpy(&bits, &value, sizeof bits);
      ptx::store_cluster_b8(address, bits);
    }
  }
};

}  // namespace pallasgen
