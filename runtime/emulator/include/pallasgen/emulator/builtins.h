#pragma once
#include <cuda_runtime_api.h>
#include <pallasgen/emulator/atomics.h>
#include <pallasgen/emulator/convergent.h>
#include <vector_types.h>

#include <cstdint>

// Names that the CUDA compiler defines without a declaration: the built-in variables and functions of device code.

// Attributes without a meaning on the host, and those with another meaning there. Shared memory comes from
// PALLASGEN_DYNAMIC_SMEM only.
#undef __shared__
#define __shared__ static_assert(false, "not modelled: __shared__ variables; use PALLASGEN_DYNAMIC_SMEM");
#undef __grid_constant__
#define __grid_constant__
#undef __launch_bounds__
#define __launch_bounds__(...)
#undef __cluster_dims__
#define __cluster_dims__(...) static_assert(false, "not modelled: __cluster_dims__; give the launch its cluster shape")

// The position of the running thread; the scheduler sets these before it resumes a thread. They are const here because
// a thread sees one value all its life.
extern const uint3 threadIdx;
extern const uint3 blockIdx;
extern const dim3 blockDim;
extern const dim3 gridDim;
inline constexpr int warpSize = 32;

// Waits for all threads of the CTA that have not exited.
PALLASGEN_CONVERGENT void __syncthreads();
// The same; returns the number of threads (all, any) whose predicate is not zero.
PALLASGEN_CONVERGENT int __syncthreads_count(int predicate);
PALLASGEN_CONVERGENT int __syncthreads_and(int predicate);
PALLASGEN_CONVERGENT int __syncthreads_or(int predicate);

// Warp functions with a mask of the lanes that take part. A lane outside the mask is an error, one that never comes a
// reported deadlock. The templates are inlined so that each call has an address of its own.
PALLASGEN_CONVERGENT void __syncwarp(unsigned mask = 0xffffffffu);
PALLASGEN_CONVERGENT unsigned __ballot_sync(unsigned mask, int predicate);
PALLASGEN_CONVERGENT int __any_sync(unsigned mask, int predicate);
PALLASGEN_CONVERGENT int __all_sync(unsigned mask, int predicate);

namespace pallasgen::emulator {
enum class Shuffle : int { kIndex, kUp, kDown, kButterfly };
/// One shuffle of a 32-bit word among the lanes of `mask`, in segments of `width` (a power of two up to 32).
PALLASGEN_CONVERGENT uint32_t shuffle(Shuffle kind, unsigned mask, uint32_t value, uint32_t lane_or_delta, int width);

template <class T>
[[gnu::always_inline]] inline T shuffle_value(Shuffle kind, unsigned mask, T value, uint32_t lane_or_delta, int width) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  uint32_t words[sizeof(T) / 4];
  __builtin_memcpy(words, &value, sizeof(T));
  for (uint32_t& word : words) word = shuffle(kind, mask, word, lane_or_delta, width);
  __builtin_memcpy(&value, words, sizeof(T));
  return value;
}
}  // namespace pallasgen::emulator

template <class T>
[[gnu::always_inline]] inline T __shfl_sync(unsigned mask, T value, int lane, int width = 32) {
  using namespace pallasgen::emulator;
  return shuffle_value(Shuffle::kIndex, mask, value, static_cast<uint32_t>(lane), width);
}
template <class T>
[[gnu::always_inline]] inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  using namespace pallasgen::emulator;
  return shuffle_value(Shuffle::kUp, mask, value, delta, width);
}
template <class T>
[[gnu::always_inline]] inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  using namespace pallasgen::emulator;
  return shuffle_value(Shuffle::kDown, mask, value, delta, width);
}
template <class T>
[[gnu::always_inline]] inline T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32) {
  using namespace pallasgen::emulator;
  return shuffle_value(Shuffle::kButterfly, mask, value, static_cast<uint32_t>(lane_mask), width);
}

// Ends the program with a report, as a trap ends the kernel.
[[noreturn]] void __trap();

// Lets the other threads run; for loops that poll memory.
void __nanosleep(unsigned nanoseconds);

namespace pallasgen::emulator {
/// Returns `p`, to be read as memory that nothing writes while the kernel runs (ld.global.nc).
const void* read_only(const void* p, size_t bytes);
}  // namespace pallasgen::emulator

// Loads through the read-only cache, and with cache hints: plain loads here.
template <class T>
[[gnu::always_inline]] inline T __ldg(const T* p) {
  return *static_cast<const T*>(pallasgen::emulator::read_only(p, sizeof(T)));
}
template <class T>
inline T __ldcg(const T* p) {
  return *p;
}
template <class T>
inline T __ldcs(const T* p) {
  return *p;
}
template <class T>
inline void __stcg(T* p, T value) {
  *p = value;
}
template <class T>
inline void __stcs(T* p, T value) {
  *p = value;
}
template <class T>
inline void __stwt(T* p, T value) {
  *p = value;
}

// Bit operations.
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x)); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline unsigned __umulhi(unsigned a, unsigned b) { return static_cast<unsigned>((static_cast<uint64_t>(a) * b) >> 32); }
template <class To, class From>
inline To pallasgen_bit_cast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  __builtin_memcpy(&to, &from, sizeof(To));
  return to;
}
inline float __int_as_float(int x) { return pallasgen_bit_cast<float>(x); }
inline int __float_as_int(float x) { return pallasgen_bit_cast<int>(x); }
inline float __uint_as_float(unsigned x) { return pallasgen_bit_cast<float>(x); }
inline unsigned __float_as_uint(float x) { return pallasgen_bit_cast<unsigned>(x); }
