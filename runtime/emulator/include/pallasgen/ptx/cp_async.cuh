#pragma once
#include <cuda_runtime.h>
#include <pallasgen/emulator/instructions.h>

#include <cstdint>

namespace pallasgen::ptx {

template <int Bytes>
__device__ __forceinline__ void cp_async(uint32_t dst, const void* src, uint32_t source_bytes) {
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16);
  emulator::cp_async(dst, src, Bytes, source_bytes);
}

__device__ __forceinline__ void cp_async_commit_group() { emulator::cp_async_commit_group(); }

__device__ __forceinline__ void cp_async_mbarrier_arrive_noinc(uint32_t bar) {
  emulator::cp_async_mbarrier_arrive_noinc(bar);
}

template <int N>
__device__ __forceinline__ void cp_async_wait_group() {
  emulator::cp_async_wait_group(N);
}

}  // namespace pallasgen::ptx
