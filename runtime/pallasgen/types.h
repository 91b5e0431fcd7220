#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>

namespace pallasgen {

using bf16 = __nv_bfloat16;
using f16 = __half;
using f32 = float;
using f64 = double;
using i8 = int8_t;
using i16 = int16_t;
using i32 = int32_t;
using i64 = int64_t;
using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;

// The dynamic shared memory a CTA of compute capability 9.0 can have: 228 KB of the SM less 1 KB, in bytes.
inline constexpr int kMaxDynamicSmem = 232448;

template <class T, class U>
inline constexpr bool kIsSame = false;
template <class T>
inline constexpr bool kIsSame<T, T> = true;

// The elements of an object of type M in an array's memory: one, the object itself, or two of 4 bits (int4.h,
// narrow.cuh).
template <class M>
struct Stored {
  using Element = M;
  static constexpr int kElements = 1;
};
template <class M>
struct Stored<const M> : Stored<M> {};

// a / b rounded up, for a >= 0 and b > 0.
__host__ __device__ constexpr int64_t ceil_div(int64_t a, int64_t b) { return a / b + (a % b != 0); }

}  // namespace pallasgen
