#pragma once
#include <stdint.h>

#ifndef __cplusplus

// Types for C: a value, which is an argument of a launcher, and a byte of an array.
typedef struct {
  int8_t value;
} pallasgen_i4;
typedef struct {
  uint8_t value;
} pallasgen_u4;
typedef struct {
  uint8_t bits;
} pallasgen_i4x2;
typedef struct {
  uint8_t bits;
} pallasgen_u4x2;

#else
#include <cuda_runtime.h>
#include <pallasgen/types.h>

namespace pallasgen {

// Integers of 4 bits. A value takes a byte in registers and tiles. They compute as int, and a result that becomes one
// again keeps its low 4 bits.
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

// A byte of an array: two elements, the one of even index in the low half.
struct i4x2 {
  uint8_t bits;
};
struct u4x2 {
  uint8_t bits;
};
template <>
struct Stored<i4x2> {
  using Element = i4;
  static constexpr int kElements = 2;
};
template <>
struct Stored<u4x2> {
  using Element = u4;
  static constexpr int kElements = 2;
};

}  // namespace pallasgen

// Names that launchers use, since C can call them.
using pallasgen_i4 = pallasgen::i4;
using pallasgen_u4 = pallasgen::u4;
using pallasgen_i4x2 = pallasgen::i4x2;
using pallasgen_u4x2 = pallasgen::u4x2;

#endif
