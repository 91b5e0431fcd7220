#include "value.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>

#include "array_size.h"
#include "diagnostics/assert.h"
#include "formats.h"

namespace pallasgen::interpreter {
namespace {

template <class T>
void fill(Value& value, T scalar) {
  std::fill_n(value.edit<T>(), value.size(), scalar);
}

}  // namespace

int64_t elements_of(const Shape& shape) {
  // If there are no elements, the other extents may be anything, and their product too large.
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  int64_t count = 1;
  for (int64_t extent : shape) {
    if (__builtin_mul_overflow(count, extent, &count)) return std::numeric_limits<int64_t>::max();
  }
  return count;
}

int64_t Value::size() const { return elements_of(shape); }

bool is_float(DType dtype) { return dtype == DType::literal || (dtype != DType::index && info(dtype).is_float); }

Carrier carrier_of(DType dtype) {
  switch (dtype) {
    case DType::boolean:
      return Carrier::u8;
    case DType::u32:
      return Carrier::u32;
    case DType::i64:
    case DType::index:
      return Carrier::i64;
    case DType::u64:
      return Carrier::u64;
    case DType::f64:
    case DType::literal:
      return Carrier::f64;
    default:
      return info(dtype).is_float ? Carrier::f32 : Carrier::i32;
  }
}

int64_t carrier_bytes(DType dtype) {
  return with_carrier(dtype, [](auto zero) { return static_cast<int64_t>(sizeof(zero)); });
}

Value make_value(DType dtype, Shape shape) {
  Value value{dtype, std::move(shape), nullptr};
  if (value.size() > kMostElements) throw std::bad_alloc();
  const auto bytes = static_cast<size_t>(value.size() * carrier_bytes(dtype));
  value.data = std::make_shared_for_overwrite<std::byte[]>(std::max<size_t>(bytes, 1));
  return value;
}

Value undefined_value(DType dtype, Shape shape) {
  if (is_float(dtype)) return filled_value(dtype, std::move(shape), undefined_float(dtype));
  return filled_value(dtype, std::move(shape), undefined_integer(dtype));
}

Value filled_value(DType dtype, Shape shape, const Scalar& scalar) {
  Value value = make_value(dtype, std::move(shape));
  if (is_float(dtype)) {
    double number = 0;
    if (const double* real = std::get_if<double>(&scalar))
      number = round_to(*real, dtype);
    else if (const int64_t* integer = std::get_if<int64_t>(&scalar)) {
      number = dtype == DType::f64 ? static_cast<double>(*integer) : round_to(sticky_double(*integer), dtype);
    } else
      number = std::get<bool>(scalar);
    with_carrier(dtype, [&](auto zero) { fill(value, static_cast<decltype(zero)>(number)); });
    return value;
  }
  int64_t number = 0;
  if (const int64_t* integer = std::get_if<int64_t>(&scalar))
    number = *integer;
  else if (const bool* flag = std::get_if<bool>(&scalar))
    number = *flag;
  else
    number = integer_of(convert(filled_value(DType::f64, {}, scalar), dtype));
  if (dtype == DType::boolean) number = number != 0;
  with_carrier(dtype, [&](auto zero) {
    auto element = static_cast<decltype(zero)>(number);
    normalize(dtype, &element, 1);
    fill(value, element);
  });
  return value;
}

Value index_value(int64_t number) {
  Value value = make_value(DType::index, {});
  *value.edit<int64_t>() = number;
  return value;
}

Value unshared(Value value) {
  if (value.data.use_count() == 1) return value;
  Value copy = make_value(value.dtype, value.shape);
  std::memcpy(copy.data.get(), value.data.get(), static_cast<size_t>(value.size() * carrier_bytes(value.dtype)));
  return copy;
}

Value reshaped(Value value, Shape shape) {
  PALLASGEN_ASSERT(elements_of(shape) == value.size());
  value.shape = std::move(shape);
  return value;
}

int64_t integer_of(const Value& value, int64_t element) {
  return with_carrier(value.dtype,
                      [&](auto zero) { return static_cast<int64_t>(value.as<decltype(zero)>()[element]); });
}

double double_of(const Value& value, int64_t element) {
  return with_carrier(value.dtype, [&](auto zero) { return static_cast<double>(value.as<decltype(zero)>()[element]); });
}

void normalize(DType dtype, void* elements, int64_t count) {
  auto* integers = static_cast<int32_t*>(elements);
  auto* floats = static_cast<float*>(elements);
  const auto wrap = [&](auto narrow) {
    for (int64_t i = 0; i < count; ++i) integers[i] = static_cast<decltype(narrow)>(integers[i]);
  };
  switch (dtype) {
    case DType::i4:
      for (int64_t i = 0; i < count; ++i) integers[i] = ((integers[i] & 15) ^ 8) - 8;
      return;
    case DType::u4:
      for (int64_t i = 0; i < count; ++i) integers[i] &= 15;
      return;
    case DType::i8:
      return wrap(int8_t{});
    case DType::u8:
      return wrap(uint8_t{});
    case DType::i16:
      return wrap(int16_t{});
    case DType::u16:
      return wrap(uint16_t{});
    case DType::f16:
      for (int64_t i = 0; i < count; ++i) floats[i] = round_to_f16(floats[i]);
      return;
    case DType::bf16:
      for (int64_t i = 0; i < count; ++i) floats[i] = round_to_bf16(floats[i]);
      return;
    case DType::f8e4m3:
    case DType::f8e5m2:
    case DType::f8e8m0:
    case DType::f4e2m1:
      for (int64_t i = 0; i < count; ++i) {
        floats[i] = static_cast<float>(round_to(static_cast<double>(floats[i]), dtype));
      }
      return;
    default:
      return;
  }
}

}  // namespace pallasgen::interpreter
