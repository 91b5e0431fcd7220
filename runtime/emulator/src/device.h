#pragma once
#include <driver_types.h>

#include <cstddef>

namespace pallasgen::emulator {

constexpr size_t kDefaultDynamicSharedMemory = 48 << 10;
constexpr size_t kMaxDynamicSharedMemory = 232448;  // 227 KiB, of sm_90

/// The limits that cudaFuncSetAttribute set for this kernel.
size_t max_dynamic_shared_memory(const void* kernel);
bool allows_large_clusters(const void* kernel);

/// Returns how many CTAs of this shape one multiprocessor certainly holds, by threads, shared memory and registers.
/// Only nvcc can find a kernel's registers; this assumes the most that its launch bounds allow.
int ctas_per_sm(int threads, size_t dynamic_shared_memory);

/// Stores a failure for cudaGetLastError, and returns it.
cudaError_t set_last_error(cudaError_t error);

}  // namespace pallasgen::emulator
