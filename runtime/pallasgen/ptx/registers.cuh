#pragma once
#include <cuda_runtime.h>
#include <pallasgen/meaning.h>

#include <cstdint>
#include <cstring>

namespace pallasgen::ptx {

// Takes registers from the CTA's pool until each thread of the warpgroup has N (24 to 256, a multiple of 8); waits
// while the pool is short. Executed by all warps of the warpgroup.
template <int N>
PALLASGEN_MEANS("registers_up N")
__device__ __forceinline__ void setmaxnreg_inc() {
  static_assert(N >= 24 && N <= 256 && N % 8 == 0);
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(N));
}

// Gives registers back to the CTA's pool until each thread of the warpgroup has N.
template <int N>
PALLASGEN_MEANS("registers_down N")
__device__ __forceinline__ void setmaxnreg_dec() {
  static_assert(N >= 24 && N <= 256 && N % 8 == 0);
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(N));
}

// Returns the register as a value unknown to the compiler, which cannot reuse what it has computed from it.
__device__ __forceinline__ uint32_t forgotten(uint32_t v) {
  asm volatile("" : "+r"(v));
  return v;
}

// Returns the value and forces it to be computed by here.
template <class T>
__device__ __forceinline__ T settled(T v) {
  if constexpr (sizeof(T) == sizeof(uint32_t)) {
    uint32_t word;
    memcpy(&word, &v, sizeof word);
    word = forgotten(word);
    memcpy(&v, &word, sizeof word);
  }
  return v;
}

// Marks the register's value as unused: no instruction, and the compiler need not preserve it up to here.
__device__ __forceinline__ void discard(float& r) { asm volatile("" : "=f"(r)); }
__device__ __forceinline__ void discard(int32_t& r) { asm volatile("" : "=r"(r)); }
__device__ __forceinline__ void discard(uint32_t& r) { asm volatile("" : "=r"(r)); }

}  // namespace pallasgen::ptx
