#pragma once
#include <driver_types.h>

#include <cstddef>

namespace pallasgen::emulator {

constexpr size_t kDefaultDynamicSharedMemory = 48 << 10;
constexpr size_t kMaxDynamicSharedMemory = 232448;  // 227 KiB, of sm_90

/// What cudaFuncSetAttribute allowed this kernel.
size_t max_dynamic_shared_memory(const void* kernel);
bool allows_large_clusters(const void* kernel);

/// How many CTAs of this shape one multiprocessor is certain to hold, by threads, shared memory and registers. What a
/// kernel takes of these is known to nvcc only; here it is the most that its launch bounds allow.
int ctas_per_sm(int threads, size_t dynamic_shared_memory);

/// Remembers a failure for cudaGetLastError, and returns it.
cudaError_t set_last_error(cudaError_t error);

}  // namespace pallasgen::emulator
