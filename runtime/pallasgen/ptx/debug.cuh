#pragma once
#include <cuda_runtime.h>
#include <pallasgen/meaning.h>

#include <cstddef>
#include <cstdint>

namespace pallasgen::ptx {

// No instruction. The emulator names the barrier so in its reports.
PALLASGEN_MEANS("value")
__device__ __forceinline__ void name_barrier(uint32_t, const char*) {}

// No instruction. The emulator stops when there is no element `index` among the registers of a thread.
__host__ __device__ __forceinline__ void check_element(int, int) {}

// No instruction. The emulator stops when `index` is not below `extent` along that axis of an array.
__device__ __forceinline__ void check_index(int64_t, int64_t, int) {}

// No instruction. The emulator stops when elements that are moved so many at once do not add up to `length`.
__device__ __forceinline__ void check_vectors(int64_t, int) {}

// No instruction. The emulator stops when so many elements of so many bits from `array` on leave the array of global
// memory, or the part of a workspace, in which it lies.
PALLASGEN_MEANS("value")
__host__ __device__ __forceinline__ void check_reach(const void*, int64_t, int) {}

// No instructions, for the class Workspace: its next part has so many bytes, and as many more up to the part behind it;
// the memory at `base` is found to serve; it is used no longer. The emulator lets nobody touch what lies between parts.
__host__ __device__ __forceinline__ void workspace_part(const void*, size_t, size_t) {}
__host__ __device__ __forceinline__ void workspace_serves(const void*, void*) {}
__host__ __device__ __forceinline__ void workspace_ends(const void*) {}

}  // namespace pallasgen::ptx
