#pragma once
#include <cuda_runtime.h>

#include <cstdint>

namespace pallasgen {

// Integers of 4 bits. A value takes a byte in registers and tiles; in arrays two share one, the even index in the low
// half. They compute as int, and what is more than 4 bits is cut off when a result becomes one again.
struct i4 {
  int8_t value;
  i4() = default;
  template <class T>
  __host__ __device__ constexpr i4(T x)  // NOLINT: wraps, as integers of C++ do
      : value(static_cast<int8_t>(((static_cast<uint32_t>(x) & 15) ^ 8) - 8)) {}
  __host__ __device__ constexpr operator int() const { return value; }
};
struct u4 {
  uint8_t value;
  u4() = default;
  template <class T>
  __host__ __device__ constexpr u4(T x)  // NOLINT: wraps, as integers of C++ do
      : value(static_cast<uint8_t>(static_cast<uint32_t>(x) & 15)) {}
  __host__ __device__ constexpr operator int() const { return value; }
};

}  // namespace pallasgen
