#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "diagnostics/assert.h"
#include "formats.h"
#include "value.h"

namespace pallasgen::interpreter {
namespace {

// Truncates and saturates to [low, high]; NaN gives 0. `past` is high + 1, exact as a double where high may not be.
template <class To, class From>
void saturate(const From* from, int64_t count, To* to, To low, To high, double past) {
  for (int64_t i = 0; i < count; ++i) {
    const auto x = static_cast<double>(from[i]);
    if (std::isnan(x))
      to[i] = 0;
    else if (x >= past)
      to[i] = high;
    else if (x <= static_cast<double>(low))
      to[i] = low;
    else
      to[i] = static_cast<To>(x);
  }
}

template <class To, class From>
void float_to_integer(const From* from, int64_t count, To* to, DType dtype) {
  if (dtype == DType::index) dtype = DType::i64;
  const DTypeInfo& row = info(dtype);
  const int digits = row.is_signed ? row.bits - 1 : row.bits;
  const auto high = static_cast<To>(~uint64_t{0} >> (64 - digits));
  const To low = row.is_signed ? static_cast<To>(-static_cast<int64_t>(high) - 1) : To{0};
  saturate(from, count, to, low, high, std::ldexp(1.0, digits));
}

template <class From>
void integer_to_float(const From* from, int64_t count, float* to, DType dtype) {
  if (dtype == DType::f32) {
    for (int64_t i = 0; i < count; ++i) to[i] = static_cast<float>(from[i]);
    return;
  }
  using Wide = std::conditional_t<std::is_signed_v<From>, int64_t, uint64_t>;
  for (int64_t i = 0; i < count; ++i) {
    to[i] = static_cast<float>(round_to(sticky_double(static_cast<Wide>(from[i])), dtype));
  }
}

template <class To, class From>
void convert_elements(const From* from, int64_t count, To* to, DType dtype) {
  if (dtype == DType::boolean) {
    for (int64_t i = 0; i < count; ++i) to[i] = from[i] != 0;
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    float_to_integer(from, count, to, dtype);
  } else if constexpr (std::is_integral_v<From> && std::is_same_v<To, float>) {
    integer_to_float(from, count, to, dtype);
  } else if constexpr (std::is_same_v<From, double> && std::is_same_v<To, float>) {
    for (int64_t i = 0; i < count; ++i) to[i] = static_cast<float>(round_to(from[i], dtype));
  } else {
    for (int64_t i = 0; i < count; ++i) to[i] = static_cast<To>(from[i]);  // integers wrap
    normalize(dtype, to, count);
  }
}

template <class Memory, class T>
void load_as(const std::byte* bytes, int64_t first, int64_t count, T* elements) {
  if (count == 0) return;
  const std::byte* from = bytes + first * static_cast<int64_t>(sizeof(Memory));
  if constexpr (std::is_same_v<Memory, T>) {
    std::memcpy(elements, from, static_cast<size_t>(count) * sizeof(T));
  } else {
    for (int64_t i = 0; i < count; ++i) {
      Memory element;
      std::memcpy(&element, from + i * static_cast<int64_t>(sizeof(Memory)), sizeof element);
      elements[i] = static_cast<T>(element);
    }
  }
}

template <class Memory, class T>
void store_as(const T* elements, int64_t count, std::byte* bytes, int64_t first) {
  if (count == 0) return;  // an array without elements has no bytes to point to
  std::byte* to = bytes + first * static_cast<int64_t>(sizeof(Memory));
  if constexpr (std::is_same_v<Memory, T>) {
    std::memcpy(to, elements, static_cast<size_t>(count) * sizeof(T));
  } else {
    for (int64_t i = 0; i < count; ++i) {
      const auto element = static_cast<Memory>(elements[i]);
      std::memcpy(to + i * static_cast<int64_t>(sizeof(Memory)), &element, sizeof element);
    }
  }
}

uint32_t nibble(const std::byte* bytes, int64_t i) {
  return std::to_integer<uint32_t>(bytes[i / 2]) >> (i % 2 * 4) & 15;
}

void set_nibble(std::byte* bytes, int64_t i, uint32_t bits) {
  const auto keep = static_cast<std::byte>(i % 2 ? 0x0f : 0xf0);
  bytes[i / 2] = (bytes[i / 2] & keep) | static_cast<std::byte>((bits & 15) << (i % 2 * 4));
}

template <class Bits>
void load_floats(DType dtype, const std::byte* bytes, int64_t first, int64_t count, float* elements) {
  for (int64_t i = 0; i < count; ++i) {
    Bits bits;
    std::memcpy(&bits, bytes + (first + i) * static_cast<int64_t>(sizeof bits), sizeof bits);
    elements[i] = decode_float(bits, dtype);
  }
}

template <class Bits>
void store_floats(DType dtype, const float* elements, int64_t count, std::byte* bytes, int64_t first) {
  for (int64_t i = 0; i < count; ++i) {
    const auto bits = static_cast<Bits>(encode_float(elements[i], dtype));
    std::memcpy(bytes + (first + i) * static_cast<int64_t>(sizeof bits), &bits, sizeof bits);
  }
}

}  // namespace

Value convert(const Value& value, DType dtype) {
  if (value.dtype == dtype) return value;
  Value result = make_value(dtype, value.shape);
  with_carrier(value.dtype, [&](auto from) {
    with_carrier(dtype, [&](auto to) {
      convert_elements(value.as<decltype(from)>(), value.size(), result.edit<decltype(to)>(), dtype);
    });
  });
  return result;
}

Value bitcast(const Value& value, DType dtype, const Shape& shape) {
  const int64_t elements = elements_of(shape);
  const auto bytes = static_cast<size_t>(std::max(bytes_of(value.dtype, value.size()), bytes_of(dtype, elements)));
  const auto memory = std::make_unique<std::byte[]>(bytes);
  store_elements(value.dtype, value.data.get(), value.size(), memory.get(), 0);
  Value result = make_value(dtype, shape);
  load_elements(dtype, memory.get(), 0, elements, result.data.get());
  return result;
}

void load_elements(DType dtype, const std::byte* bytes, int64_t first, int64_t count, void* elements) {
  auto* integers = static_cast<int32_t*>(elements);
  auto* floats = static_cast<float*>(elements);
  switch (dtype) {
    case DType::boolean: {
      auto* flags = static_cast<uint8_t*>(elements);
      for (int64_t i = 0; i < count; ++i) flags[i] = bytes[first + i] != std::byte{0};
      return;
    }
    case DType::i4:
      for (int64_t i = 0; i < count; ++i) integers[i] = static_cast<int32_t>(nibble(bytes, first + i) ^ 8) - 8;
      return;
    case DType::u4:
      for (int64_t i = 0; i < count; ++i) integers[i] = static_cast<int32_t>(nibble(bytes, first + i));
      return;
    case DType::f4e2m1:
      for (int64_t i = 0; i < count; ++i) floats[i] = decode_float(nibble(bytes, first + i), dtype);
      return;
    case DType::i8:
      return load_as<int8_t>(bytes, first, count, integers);
    case DType::u8:
      return load_as<uint8_t>(bytes, first, count, integers);
    case DType::i16:
      return load_as<int16_t>(bytes, first, count, integers);
    case DType::u16:
      return load_as<uint16_t>(bytes, first, count, integers);
    case DType::i32:
      return load_as<int32_t>(bytes, first, count, integers);
    case DType::u32:
      return load_as<uint32_t>(bytes, first, count, static_cast<uint32_t*>(elements));
    case DType::i64:
      return load_as<int64_t>(bytes, first, count, static_cast<int64_t*>(elements));
    case DType::u64:
      return load_as<uint64_t>(bytes, first, count, static_cast<uint64_t*>(elements));
    case DType::f16:
    case DType::bf16:
      return load_floats<uint16_t>(dtype, bytes, first, count, floats);
    case DType::f8e4m3:
    case DType::f8e5m2:
    case DType::f8e8m0:
      return load_floats<uint8_t>(dtype, bytes, first, count, floats);
    case DType::f32:
      return load_as<float>(bytes, first, count, floats);
    case DType::f64:
      return load_as<double>(bytes, first, count, static_cast<double*>(elements));
    default:
      PALLASGEN_ASSERT(false && "index values have no memory format");
  }
}

void store_elements(DType dtype, const void* elements, int64_t count, std::byte* bytes, int64_t first) {
  const auto* integers = static_cast<const int32_t*>(elements);
  const auto* floats = static_cast<const float*>(elements);
  switch (dtype) {
    case DType::boolean:
      return store_as<uint8_t>(static_cast<const uint8_t*>(elements), count, bytes, first);
    case DType::i4:
    case DType::u4:
      for (int64_t i = 0; i < count; ++i) set_nibble(bytes, first + i, static_cast<uint32_t>(integers[i]));
      return;
    case DType::f4e2m1:
      for (int64_t i = 0; i < count; ++i) set_nibble(bytes, first + i, encode_float(floats[i], dtype));
      return;
    case DType::i8:
      return store_as<int8_t>(integers, count, bytes, first);
    case DType::u8:
      return store_as<uint8_t>(integers, count, bytes, first);
    case DType::i16:
      return store_as<int16_t>(integers, count, bytes, first);
    case DType::u16:
      return store_as<uint16_t>(integers, count, bytes, first);
    case DType::i32:
      return store_as<int32_t>(integers, count, bytes, first);
    case DType::u32:
      return store_as<uint32_t>(static_cast<const uint32_t*>(elements), count, bytes, first);
    case DType::i64:
      return store_as<int64_t>(static_cast<const int64_t*>(elements), count, bytes, first);
    case DType::u64:
      return store_as<uint64_t>(static_cast<const uint64_t*>(elements), count, bytes, first);
    case DType::f16:
    case DType::bf16:
      return store_floats<uint16_t>(dtype, floats, count, bytes, first);
    case DType::f8e4m3:
    case DType::f8e5m2:
    case DType::f8e8m0:
      return store_floats<uint8_t>(dtype, floats, count, bytes, first);
    case DType::f32:
      return store_as<float>(floats, count, bytes, first);
    case DType::f64:
      return store_as<double>(static_cast<const double*>(elements), count, bytes, first);
    default:
      PALLASGEN_ASSERT(false && "index values have no memory format");
  }
}

}  // namespace pallasgen::interpreter
