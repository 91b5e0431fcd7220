#pragma once
#include <cuda_runtime.h>
#include <pallasgen/meaning.h>

#include <cstddef>
#include <cstdint>

namespace pallasgen::ptx {

// Emits no instruction. The emulator's reports name the barrier so.
PALLASGEN_MEANS("value")
__device__ __forceinline__ void name_barrier(uint32_t, const char*) {}

// Emits no instruction. The emulator stops if a thread has no element `index` among its registers.
__host__ __device__ __forceinline__ void check_element(int, int) {}

// Emits no instruction. The emulator stops if `index` is not below `extent` along that axis of an array.
__device__ __forceinline__ void check_index(int64_t, int64_t, int) {}

// Emits no instruction. The emulator stops if vectors of so many elements do not add up to `length`.
__device__ __forceinline__ void check_vectors(int64_t, int) {}

// Emits no instruction. The emulator stops if so many elements of so many bits from `array` on leave the array of
// global memory, or the part of a workspace, in which it lies.
PALLASGEN_MEANS("value")
__host__ __device__ __forceinline__ void check_reach(const void*, int64_t, int) {}

// Emit no instruction and inform the emulator of a Workspace: the bytes of its next part, and those up to the part
// after it; that the memory at `base` serves; that the object ends. The emulator forbids accesses between parts.
__host__ __device__ __forceinline__ void workspace_part(const void*, size_t, size_t) {}
__host__ __device__ __forceinline__ void workspace_serves(const void*, void*) {}
__host__ __device__ __forceinline__ void workspace_ends(const void*) {}

}  // namespace pallasgen::ptx
