#pragma once
#include <cuda_runtime.h>
#include <pallasgen/emulator/instructions.h>

#include <cstdint>

namespace pallasgen::ptx {

template <int Id, int Threads>
__device__ __forceinline__ void barrier_sync() {
  static_assert(Id >= 0 && Id < 16 && Threads > 0 && Threads % 32 == 0);
  emulator::barrier_sync(Id, Threads);
}

template <int Id, int Threads>
__device__ __forceinline__ void barrier_arrive() {
  static_assert(Id >= 0 && Id < 16 && Threads > 0 && Threads % 32 == 0);
  emulator::barrier_arrive(Id, Threads);
}

__device__ __forceinline__ bool elect_one() { return emulator::elect_one(); }

__device__ __forceinline__ void syncwarp() { emulator::syncwarp(); }

}  // namespace pallasgen::ptx
