#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace pallasgen {

// Element types of docs/language.md section 3, and `index`: the exact 64-bit integers of axes, dims, integer consts and
// literals, which take the dtype of the other operand.
enum class DType : uint8_t {
  boolean,
  i4,
  u4,
  i8,
  u8,
  i16,
  u16,
  i32,
  u32,
  i64,
  u64,
  f16,
  bf16,
  f32,
  f64,
  f8e4m3,
  f8e5m2,
  f8e8m0,
  f4e2m1,
  index,
  literal,  // a float literal or float const that has not met another operand yet
};

struct DTypeInfo {
  DType dtype;
  std::string_view name;   // as written in specs
  std::string_view numpy;  // name in PyTorch, JAX and NumPy; for 4-bit types that of a byte of two elements
  int bits;
  bool is_float;
  bool is_signed;
  bool is_integer;        // not bool, not index
  std::string_view cuda;  // C++ type in generated code
  // The C++ type of a byte of memory that holds two elements; empty: memory holds elements of `cuda`.
  std::string_view cuda_pair = {};
  // The C type of memory, for a type that CUDA's headers declare in C++ only; empty: the same.
  std::string_view c = {};
};

const DTypeInfo& info(DType dtype);
std::optional<DType> dtype_named(std::string_view name);  // not `index`, not `literal`
const std::vector<DTypeInfo>& dtypes();                   // in the order of docs/language.md
// True if memory holds two elements of the dtype in a byte.
inline bool is_packed(DType dtype) { return !info(dtype).cuda_pair.empty(); }
inline std::string_view name_of(DType dtype) { return info(dtype).name; }
// Bytes that `elements` elements take in memory, rounded up, since 4-bit types share bytes.
int64_t bytes_of(DType dtype, int64_t elements);

}  // namespace pallasgen
