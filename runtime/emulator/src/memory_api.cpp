#include <cuda_runtime_api.h>

#include <cstring>

#include "device.h"
#include "global_memory.h"
#include "race.h"

// Memory functions of the CUDA runtime. Host and device share one address space, and every call, also on a stream, is
// done when it returns, so that what a stream orders is in order.
using namespace pallasgen::emulator;

extern "C" {

cudaError_t cudaMalloc(void** p, size_t bytes) {
  if (p == nullptr) return set_last_error(cudaErrorInvalidValue);
  *p = bytes == 0 ? nullptr : allocate_global(bytes);
  return bytes == 0 || *p != nullptr ? cudaSuccess : set_last_error(cudaErrorMemoryAllocation);
}

cudaError_t cudaFree(void* p) {
  race::host_waits_for_launches();
  return p == nullptr || free_global(p) ? cudaSuccess : set_last_error(cudaErrorInvalidValue);
}

cudaError_t cudaMallocAsync(void** p, size_t bytes, cudaStream_t) { return cudaMalloc(p, bytes); }
cudaError_t cudaFreeAsync(void* p, cudaStream_t) { return cudaFree(p); }
cudaError_t cudaMallocHost(void** p, size_t bytes) { return cudaMalloc(p, bytes); }
cudaError_t cudaFreeHost(void* p) { return cudaFree(p); }
cudaError_t cudaMallocManaged(void** p, size_t bytes, unsigned) { return cudaMalloc(p, bytes); }

cudaError_t cudaHostAlloc(void** p, size_t bytes, unsigned) { return cudaMalloc(p, bytes); }

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  race::host_waits_for_launches();
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return set_last_error(cudaErrorInvalidMemcpyDirection);
  if (bytes == 0) return cudaSuccess;
  if (to == nullptr || from == nullptr) return set_last_error(cudaErrorInvalidValue);
  check_global(to, bytes, "cudaMemcpy");
  check_global(from, bytes, "cudaMemcpy");
  std::memmove(to, from, bytes);
  return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpy(to, from, bytes, kind);
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind) {
  if (width > to_pitch || width > from_pitch) return set_last_error(cudaErrorInvalidPitchValue);
  for (size_t row = 0; row < height; ++row) {
    const cudaError_t error = cudaMemcpy(static_cast<char*>(to) + row * to_pitch,
                                         static_cast<const char*>(from) + row * from_pitch, width, kind);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}

cudaError_t cudaMemset(void* p, int value, size_t bytes) {
  race::host_waits_for_launches();
  if (bytes == 0) return cudaSuccess;
  if (p == nullptr) return set_last_error(cudaErrorInvalidValue);
  check_global(p, bytes, "cudaMemset");
  std::memset(p, value, bytes);
  return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void* p, int value, size_t bytes, cudaStream_t) { return cudaMemset(p, value, bytes); }

}  // extern "C"
