#pragma once
#include <cuda_runtime.h>
#include <pallasgen/emulator/instructions.h>

#include <cstdint>

namespace pallasgen::ptx {

__device__ __forceinline__ uint32_t shfl_idx(uint32_t v, uint32_t lane) {
  return emulator::shuffle(emulator::Shuffle::kIndex, 0xffffffffu, v, lane, 32);
}

__device__ __forceinline__ uint32_t shfl_bfly(uint32_t v, uint32_t mask) {
  return emulator::shuffle(emulator::Shuffle::kButterfly, 0xffffffffu, v, mask, 32);
}

__device__ __forceinline__ uint32_t shfl_up(uint32_t v, uint32_t delta) {
  return emulator::shuffle(emulator::Shuffle::kUp, 0xffffffffu, v, delta, 32);
}

__device__ __forceinline__ uint32_t shfl_down(uint32_t v, uint32_t delta) {
  return emulator::shuffle(emulator::Shuffle::kDown, 0xffffffffu, v, delta, 32);
}

__device__ __forceinline__ uint32_t vote_ballot(bool p) { return emulator::vote_ballot(p); }

__device__ __forceinline__ bool vote_any(bool p) { return emulator::vote_ballot(p) != 0; }

__device__ __forceinline__ bool vote_all(bool p) { return emulator::vote_ballot(!p) == 0; }

}  // namespace pallasgen::ptx
