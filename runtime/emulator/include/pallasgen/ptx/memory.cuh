#pragma once
#include <cuda_runtime.h>
#include <pallasgen/emulator/instructions.h>

#include <cstdint>

// The accesses are defined here, in the kernel's own object, so that the sanitizers see them.
namespace pallasgen::ptx {

inline constexpr int kCacheLine = 128;  // bytes

// A hint: there is no cache, and the hardware ignores an address that is not mapped.
__device__ __forceinline__ void prefetch_l2(const void*) {}

using Pair [[gnu::may_alias]] = uint16_t;
using Vector2 [[gnu::vector_size(8), gnu::may_alias]] = uint32_t;
using Vector4 [[gnu::vector_size(16), gnu::may_alias]] = uint32_t;

__device__ __forceinline__ void load_global_v2(const void* p, uint32_t& r0, uint32_t& r1) {
  const Vector2 v = *static_cast<const Vector2*>(emulator::global_vector(p, sizeof(Vector2)));
  r0 = v[0], r1 = v[1];
}

__device__ __forceinline__ void store_global_v2(void* p, uint32_t r0, uint32_t r1) {
  *static_cast<Vector2*>(emulator::global_vector(p, sizeof(Vector2))) = Vector2{r0, r1};
}

__device__ __forceinline__ void load_global_v4(const void* p, uint32_t& r0, uint32_t& r1, uint32_t& r2, uint32_t& r3) {
  const Vector4 v = *static_cast<const Vector4*>(emulator::global_vector(p, sizeof(Vector4)));
  r0 = v[0], r1 = v[1], r2 = v[2], r3 = v[3];
}

__device__ __forceinline__ void load_global_v2_if(bool loads, const void* p, uint32_t& r0, uint32_t& r1) {
  if (loads) load_global_v2(p, r0, r1);
}

__device__ __forceinline__ void load_global_v4_if(bool loads, const void* p, uint32_t& r0, uint32_t& r1, uint32_t& r2,
                                                  uint32_t& r3) {
  if (loads) load_global_v4(p, r0, r1, r2, r3);
}

__device__ __forceinline__ void store_global_v4(void* p, uint32_t r0, uint32_t r1, uint32_t r2, uint32_t r3) {
  *static_cast<Vector4*>(emulator::global_vector(p, sizeof(Vector4))) = Vector4{r0, r1, r2, r3};
}

__device__ __forceinline__ void store_shared_b16(uint32_t address, uint16_t value) {
  *static_cast<Pair*>(emulator::shared_vector(address, sizeof(Pair))) = value;
}

__device__ __forceinline__ void load_shared_v2(uint32_t address, uint32_t& r0, uint32_t& r1) {
  const Vector2 v = *static_cast<const Vector2*>(emulator::shared_vector(address, sizeof(Vector2)));
  r0 = v[0], r1 = v[1];
}

__device__ __forceinline__ void store_shared_v2(uint32_t address, uint32_t r0, uint32_t r1) {
  *static_cast<Vector2*>(emulator::shared_vector(address, sizeof(Vector2))) = Vector2{r0, r1};
}

__device__ __forceinline__ void load_shared_v4(uint32_t address, uint32_t& r0, uint32_t& r1, uint32_t& r2,
                                               uint32_t& r3) {
  const Vector4 v = *static_cast<const Vector4*>(emulator::shared_vector(address, sizeof(Vector4)));
  r0 = v[0], r1 = v[1], r2 = v[2], r3 = v[3];
}

__device__ __forceinline__ void store_shared_v4(uint32_t address, uint32_t r0, uint32_t r1, uint32_t r2, uint32_t r3) {
  *static_cast<Vector4*>(emulator::shared_vector(address, sizeof(Vector4))) = Vector4{r0, r1, r2, r3};
}

}  // namespace pallasgen::ptx
