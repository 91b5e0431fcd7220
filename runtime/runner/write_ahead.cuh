#pragma once

#include <pallasgen/launch.h>

#include <algorithm>

// The kernel that writes the inputs of a launcher before it, on its stream. It lets a dependent launch begin before it
// has written anything: a launch that does not wait for it reads the earlier content.
namespace pallasgen {

constexpr int kWriteThreads = 128;
constexpr int64_t kMostWriters = 4;  // CTAs

static __global__ __launch_bounds__(kWriteThreads) void write_ahead_kernel(unsigned char* to, const unsigned char* from,
                                                                           int64_t bytes) {
  ptx::griddepcontrol_launch_dependents();
  const int64_t units = bytes / 16, step = int64_t(gridDim.x) * kWriteThreads;
  const int64_t first = int64_t(blockIdx.x) * kWriteThreads + threadIdx.x;
  for (int64_t i = first; i < units; i += step)
    reinterpret_cast<uint4*>(to)[i] = reinterpret_cast<const uint4*>(from)[i];
  for (int64_t i = units * 16 + first; i < bytes; i += step) to[i] = from[i];
}

// `to` and `from` are multiples of 16 bytes.
inline cudaError_t write_ahead(void* to, const void* from, size_t bytes, cudaStream_t stream) {
  if (bytes == 0) return cudaSuccess;
  const Grid writers(std::min<int64_t>((static_cast<int64_t>(bytes) - 1) / (16 * kWriteThreads) + 1, kMostWriters));
  return launch(write_ahead_kernel, writers, kWriteThreads, 0, stream, static_cast<unsigned char*>(to),
                static_cast<const unsigned char*>(from), static_cast<int64_t>(bytes));
}

}  // namespace pallasgen
