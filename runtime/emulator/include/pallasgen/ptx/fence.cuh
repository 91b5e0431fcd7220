#pragma once
#include <cuda_runtime.h>
#include <pallasgen/emulator/instructions.h>

#include <cstdint>

namespace pallasgen::ptx {

__device__ __forceinline__ void fence_proxy_async_shared() {
  emulator::fence_proxy_async(emulator::FencedSpace::kShared);
}

__device__ __forceinline__ void fence_proxy_async_global() {
  emulator::fence_proxy_async(emulator::FencedSpace::kGlobal);
}

__device__ __forceinline__ void fence_proxy_async() { emulator::fence_proxy_async(emulator::FencedSpace::kAll); }

__device__ __forceinline__ void fence_mbarrier_init() { emulator::fence_mbarrier_init(); }

}  // namespace pallasgen::ptx
