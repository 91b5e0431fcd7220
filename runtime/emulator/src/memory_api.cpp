#include <cuda_runtime_api.h>

#include <cstring>

#include "device.h"
#include "global_memory.h"
#include "host_call.h"
#include "streams.h"

// Memory functions of the CUDA runtime. Host and device share one address space, and every call, also on a stream, is
// done when it returns; for the race clocks its accesses are the stream's.
using namespace pallasgen::emulator;

namespace {

/// Copies in the order of the stream. The host may free memory that CUDA did not allocate as soon as the call returns,
/// so a copy to such memory ends first.
cudaError_t copy_on(Stream& stream, void* to, const void* from, size_t bytes, cudaMemcpyKind kind, bool waits,
                    const void* pc) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return set_last_error(cudaErrorInvalidMemcpyDirection);
  if (bytes == 0) return cudaSuccess;
  if (to == nullptr || from == nullptr) return set_last_error(cudaErrorInvalidValue);
  check_global(to, bytes, "cudaMemcpy");
  check_global(from, bytes, "cudaMemcpy");
  const HostCall call;
  stream.begin(/*dependent=*/false);
  const bool to_array = !describe_global(to).empty();
  {
    const race::Accesses accesses(stream.context(), pc);
    if (!describe_global(from).empty()) accesses.read(from, bytes);
    if (to_array) accesses.write(to, bytes);
  }
  std::memmove(to, from, bytes);
  stream.end();
  if (waits || !to_array) stream.host_waits();
  return cudaSuccess;
}

cudaError_t copy_rows_on(Stream& stream, void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                         size_t height, cudaMemcpyKind kind, bool waits, const void* pc) {
  if (width > to_pitch || width > from_pitch) return set_last_error(cudaErrorInvalidPitchValue);
  for (size_t row = 0; row < height; ++row) {
    const cudaError_t error = copy_on(stream, static_cast<char*>(to) + row * to_pitch,
                                      static_cast<const char*>(from) + row * from_pitch, width, kind, waits, pc);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t fill_on(Stream& stream, void* p, int value, size_t bytes, const void* pc) {
  if (bytes == 0) return cudaSuccess;
  if (p == nullptr) return set_last_error(cudaErrorInvalidValue);
  check_global(p, bytes, "cudaMemset");
  const HostCall call;
  stream.begin(/*dependent=*/false);
  race::Accesses(stream.context(), pc).write(p, bytes);
  std::memset(p, value, bytes);
  stream.end();
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** p, size_t bytes) {
  return host_call([&] {
    if (p == nullptr) return set_last_error(cudaErrorInvalidValue);
    *p = bytes == 0 ? nullptr : allocate_global(bytes);
    return bytes == 0 || *p != nullptr ? cudaSuccess : set_last_error(cudaErrorMemoryAllocation);
  });
}

cudaError_t cudaFree(void* p) {
  return host_call([&] {
    const HostCall call;
    host_waits_for_streams();
    return p == nullptr || free_global(p) ? cudaSuccess : set_last_error(cudaErrorInvalidValue);
  });
}

cudaError_t cudaMallocAsync(void** p, size_t bytes, cudaStream_t) { return cudaMalloc(p, bytes); }
cudaError_t cudaFreeAsync(void* p, cudaStream_t) { return cudaFree(p); }
cudaError_t cudaMallocHost(void** p, size_t bytes) { return cudaMalloc(p, bytes); }
cudaError_t cudaFreeHost(void* p) { return cudaFree(p); }
cudaError_t cudaMallocManaged(void** p, size_t bytes, unsigned) { return cudaMalloc(p, bytes); }

cudaError_t cudaHostAlloc(void** p, size_t bytes, unsigned) { return cudaMalloc(p, bytes); }

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  const void* pc = __builtin_return_address(0);
  return host_call([&] { return copy_on(stream_of(nullptr), to, from, bytes, kind, /*waits=*/true, pc); });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  const void* pc = __builtin_return_address(0);
  return host_call([&] { return copy_on(stream_of(stream), to, from, bytes, kind, /*waits=*/false, pc); });
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind) {
  const void* pc = __builtin_return_address(0);
  return host_call([&] {
    return copy_rows_on(stream_of(nullptr), to, to_pitch, from, from_pitch, width, height, kind, /*waits=*/true, pc);
  });
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  const void* pc = __builtin_return_address(0);
  return host_call([&] {
    return copy_rows_on(stream_of(stream), to, to_pitch, from, from_pitch, width, height, kind, /*waits=*/false, pc);
  });
}

cudaError_t cudaMemset(void* p, int value, size_t bytes) {
  const void* pc = __builtin_return_address(0);
  return host_call([&] { return fill_on(stream_of(nullptr), p, value, bytes, pc); });
}

cudaError_t cudaMemsetAsync(void* p, int value, size_t bytes, cudaStream_t stream) {
  const void* pc = __builtin_return_address(0);
  return host_call([&] { return fill_on(stream_of(stream), p, value, bytes, pc); });
}

}  // extern "C"
