#include "expression/dtype.h"

namespace pallasgen {
namespace {

// f8e8m0 has no sign bit. A bool takes a byte in memory.
const std::vector<DTypeInfo> kTable = {
    {DType::boolean, "bool", "bool", 8, false, false, false, "bool"},
    {DType::i4, "i4", "uint8", 4, false, true, true, "pallasgen_i4", "pallasgen_i4x2"},
    {DType::u4, "u4", "uint8", 4, false, false, true, "pallasgen_u4", "pallasgen_u4x2"},
    {DType::i8, "i8", "int8", 8, false, true, true, "int8_t"},
    {DType::u8, "u8", "uint8", 8, false, false, true, "uint8_t"},
    {DType::i16, "i16", "int16", 16, false, true, true, "int16_t"},
    {DType::u16, "u16", "uint16", 16, false, false, true, "uint16_t"},
    {DType::i32, "i32", "int32", 32, false, true, true, "int32_t"},
    {DType::u32, "u32", "uint32", 32, false, false, true, "uint32_t"},
    {DType::i64, "i64", "int64", 64, false, true, true, "int64_t"},
    {DType::u64, "u64", "uint64", 64, false, false, true, "uint64_t"},
    {DType::f16, "f16", "float16", 16, true, true, false, "__half", {}, "__half_raw"},
    {DType::bf16, "bf16", "bfloat16", 16, true, true, false, "__nv_bfloat16", {}, "__nv_bfloat16_raw"},
    {DType::f32, "f32", "float32", 32, true, true, false, "float"},
    {DType::f64, "f64", "float64", 64, true, true, false, "double"},
    {DType::f8e4m3, "f8e4m3", "float8_e4m3fn", 8, true, true, false, "__nv_fp8_e4m3", {}, "__nv_fp8_storage_t"},
    {DType::f8e5m2, "f8e5m2", "float8_e5m2", 8, true, true, false, "__nv_fp8_e5m2", {}, "__nv_fp8_storage_t"},
    {DType::f8e8m0, "f8e8m0", "float8_e8m0fnu", 8, true, false, false, "__nv_fp8_e8m0", {}, "__nv_fp8_storage_t"},
    {DType::f4e2m1, "f4e2m1", "uint8", 4, true, true, false, "__nv_fp4_e2m1", "__nv_fp4x2_e2m1",
     "__nv_fp4x2_storage_t"},
};
const DTypeInfo kIndex{DType::index, "index", "int64", 64, false, true, false, "int64_t"};
const DTypeInfo kLiteral{DType::literal, "literal", "float64", 64, true, true, false, "double"};

}  // namespace

const std::vector<DTypeInfo>& dtypes() { return kTable; }

const DTypeInfo& info(DType dtype) {
  if (dtype == DType::index) return kIndex;
  if (dtype == DType::literal) return kLiteral;
  return kTable[static_cast<size_t>(dtype)];
}

std::optional<DType> dtype_named(std::string_view name) {
  for (const DTypeInfo& row : kTable) {
    if (row.name == name) return row.dtype;
  }
  return std::nullopt;
}

int64_t bytes_of(DType dtype, int64_t elements) {
  int bits = info(dtype).bits;
  // Whole bytes are multiplied first, so that no bit count overflows.
  return bits < 8 ? elements / 2 + elements % 2 : elements * (bits / 8);
}

}  // namespace pallasgen
