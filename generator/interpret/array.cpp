#include "interpret/array.h"

#include "array_size.h"
#include "value.h"

namespace pallasgen {
using namespace interpreter;
namespace {

Value element_of(const Array& array, int64_t i) {
  Value value = make_value(array.dtype, {});
  load_elements(array.dtype, array.bytes.data(), i, 1, value.data.get());
  return value;
}

void set_element(Array& array, int64_t i, const Value& value) {
  store_elements(array.dtype, value.data.get(), 1, array.bytes.data(), i);
}

}  // namespace

std::optional<int64_t> interpreter::array_bytes(DType dtype, const Shape& shape) {
  int64_t elements = 1;
  bool empty = false;
  for (int64_t extent : shape) {
    if (extent < 0) return std::nullopt;
    empty = empty || extent == 0;
  }
  if (empty) return 0;
  for (int64_t extent : shape) {
    if (elements > kMostArrayBytes / extent) return std::nullopt;
    elements *= extent;
  }
  const int64_t bytes = bytes_of(dtype, elements);
  return bytes <= kMostArrayBytes ? std::optional(bytes) : std::nullopt;
}

Array Array::zeros(DType dtype, Shape shape) {
  Array array{dtype, std::move(shape), {}};
  array.bytes.resize(static_cast<size_t>(bytes_of(dtype, array.size())));
  return array;
}

int64_t Array::size() const { return elements_of(shape); }
double Array::at(int64_t i) const { return double_of(element_of(*this, i)); }
int64_t Array::integer_at(int64_t i) const { return integer_of(element_of(*this, i)); }
void Array::set(int64_t i, double value) { set_element(*this, i, convert(filled_value(DType::f64, {}, value), dtype)); }
void Array::set_integer(int64_t i, int64_t value) { set_element(*this, i, filled_value(dtype, {}, value)); }

}  // namespace pallasgen
