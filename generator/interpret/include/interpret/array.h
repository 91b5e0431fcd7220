#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "diagnostics/diagnostic.h"
#include "expression/dtype.h"
#include "expression/typed.h"

namespace pallasgen {

// A dense row-major array in host memory, in the dtype's memory format (bool: one byte; 4-bit types: even index in the
// low nibble).
struct Array {
  DType dtype = DType::f32;
  Shape shape;
  std::vector<std::byte> bytes;

  static Array zeros(DType dtype, Shape shape);
  int64_t size() const;  // elements
  // Element `i` (row-major) as a double: exact for every dtype but 64-bit integers beyond 2^53.
  double at(int64_t i) const;
  int64_t integer_at(int64_t i) const;         // integer dtypes and bool, exact
  void set(int64_t i, double value);           // rounds to the dtype as astype does
  void set_integer(int64_t i, int64_t value);  // wraps
};

// Reads a NumPy file (versions 1 to 3, C order, little endian): f2 f4 f8 i1..i8 u1..u8 b1. `expected` converts nothing
// but the label: dtypes without a name in NumPy are stored as the bits of integers, bf16 as u2, 8-bit floats as u1, and
// a 4-bit element in a byte of its own (i4 as i1, u4 and f4e2m1 as u1). Null with a diagnostic (rule npy-…) after an
// error.
std::optional<Array> read_npy(const std::string& path, std::optional<DType> expected, Diagnostics& diagnostics);
// Writes version 1.0, with dtypes stored as read_npy() expects them; a plain file is replaced only by a complete one.
// False with a diagnostic if it cannot be written.
bool write_npy(const std::string& path, const Array& array, Diagnostics& diagnostics);

}  // namespace pallasgen
