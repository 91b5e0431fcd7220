#pragma once
#include <cuda_runtime.h>
#include <pallasgen/meaning.h>

#include <cstdint>

// Vectors of 2 (b16), 8 (v2) and 16 bytes (v4) that are certain to be moved at once, aligned to their size. nvcc does
// not always form them from C++ accesses.
namespace pallasgen::ptx {

inline constexpr int kCacheLine = 128;  // bytes

// Prefetches the line of global memory that holds p to the L2 cache.
__device__ __forceinline__ void prefetch_l2(const void* p) { asm volatile("prefetch.global.L2 [%0];" ::"l"(p)); }

__device__ __forceinline__ void load_global_v2(const void* p, uint32_t& r0, uint32_t& r1) {
  asm volatile("ld.global.v2.b32 {%0, %1}, [%2];" : "=r"(r0), "=r"(r1) : "l"(p) : "memory");
}

__device__ __forceinline__ void store_global_v2(void* p, uint32_t r0, uint32_t r1) {
  asm volatile("st.global.v2.b32 [%0], {%1, %2};" ::"l"(p), "r"(r0), "r"(r1) : "memory");
}

__device__ __forceinline__ void load_global_v4(const void* p, uint32_t& r0, uint32_t& r1, uint32_t& r2, uint32_t& r3) {
  asm volatile("ld.global.v4.b32 {%0, %1, %2, %3}, [%4];" : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3) : "l"(p) : "memory");
}

// The same if `loads` holds, else the registers keep their values. A branch instead would select their elements one by
// one.
__device__ __forceinline__ void load_global_v2_if(bool loads, const void* p, uint32_t& r0, uint32_t& r1) {
  asm volatile(
      "{\n"
      ".reg .pred loads;\n"
      "setp.ne.u32 loads, %3, 0;\n"
      "@loads ld.global.v2.b32 {%0, %1}, [%2];\n"
      "}"
      : "+r"(r0), "+r"(r1)
      : "l"(p), "r"(static_cast<uint32_t>(loads))
      : "memory");
}
__device__ __forceinline__ void load_global_v4_if(bool loads, const void* p, uint32_t& r0, uint32_t& r1, uint32_t& r2,
                                                  uint32_t& r3) {
  asm volatile(
      "{\n"
      ".reg .pred loads;\n"
      "setp.ne.u32 loads, %5, 0;\n"
      "@loads ld.global.v4.b32 {%0, %1, %2, %3}, [%4];\n"
      "}"
      : "+r"(r0), "+r"(r1), "+r"(r2), "+r"(r3)
      : "l"(p), "r"(static_cast<uint32_t>(loads))
      : "memory");
}

__device__ __forceinline__ void store_global_v4(void* p, uint32_t r0, uint32_t r1, uint32_t r2, uint32_t r3) {
  asm volatile("st.global.v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(p), "r"(r0), "r"(r1), "r"(r2), "r"(r3) : "memory");
}

PALLASGEN_MEANS("shared_write address")
__device__ __forceinline__ void store_shared_b16(uint32_t address, uint16_t value) {
  asm volatile("st.shared.b16 [%0], %1;" ::"r"(address), "h"(value) : "memory");
}

PALLASGEN_MEANS("shared_read address")
__device__ __forceinline__ void load_shared_v2(uint32_t address, uint32_t& r0, uint32_t& r1) {
  asm volatile("ld.shared.v2.b32 {%0, %1}, [%2];" : "=r"(r0), "=r"(r1) : "r"(address) : "memory");
}

PALLASGEN_MEANS("shared_write address")
__device__ __forceinline__ void store_shared_v2(uint32_t address, uint32_t r0, uint32_t r1) {
  asm volatile("st.shared.v2.b32 [%0], {%1, %2};" ::"r"(address), "r"(r0), "r"(r1) : "memory");
}

PALLASGEN_MEANS("shared_read address")
__device__ __forceinline__ void load_shared_v4(uint32_t address, uint32_t& r0, uint32_t& r1, uint32_t& r2,
                                               uint32_t& r3) {
  asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4];"
               : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3)
               : "r"(address)
               : "memory");
}

PALLASGEN_MEANS("shared_write address")
__device__ __forceinline__ void store_shared_v4(uint32_t address, uint32_t r0, uint32_t r1, uint32_t r2, uint32_t r3) {
  asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(address), "r"(r0), "r"(r1), "r"(r2), "r"(r3)
               : "memory");
}

}  // namespace pallasgen::ptx
