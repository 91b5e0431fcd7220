#pragma once
#include <cuda_runtime.h>
#include <pallasgen/emulator/instructions.h>

#include <cstdint>

namespace pallasgen::ptx {

__device__ __forceinline__ void bulk_load(uint32_t dst, const void* src, uint32_t bytes, uint32_t bar) {
  emulator::bulk_load(dst, src, bytes, bar);
}

__device__ __forceinline__ void bulk_store(void* dst, uint32_t src, uint32_t bytes) {
  emulator::bulk_store(dst, src, bytes);
}

__device__ __forceinline__ void bulk_commit_group() { emulator::bulk_commit_group(); }

template <int N>
__device__ __forceinline__ void bulk_wait_group() {
  emulator::bulk_wait_group(N, /*read_only=*/false);
}

template <int N>
__device__ __forceinline__ void bulk_wait_group_read() {
  emulator::bulk_wait_group(N, /*read_only=*/true);
}

}  // namespace pallasgen::ptx
