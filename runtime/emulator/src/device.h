#pragma once
#include <driver_types.h>

#include <cstddef>

namespace pallasgen::emulator {

constexpr size_t kDefaultDynamicSharedMemory = 48 << 10;
constexpr size_t kMaxDynamicSharedMemory = 232448;  // 227 KiB, of sm_90

/// What cudaFuncSetAttribute allowed this kernel.
size_t max_dynamic_shared_memory(const void* kernel);
bool allows_large_clusters(const void* kernel);

/// Remembers a failure for cudaGetLastError, and returns it.
cudaError_t set_last_error(cudaError_t error);

}  // namespace pallasgen::emulator
