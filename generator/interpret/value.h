#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "expression/dtype.h"
#include "expression/typed.h"

namespace pallasgen::interpreter {

// A value of the body: a whole block, row-major. Its elements are held in a C++ type in which the dtype's arithmetic is
// done, the carrier, always as a value that the dtype has:
//   uint8_t  bool                       float   f32 and every narrower float
//   int32_t  i4 … i32, u4 u8 u16        double  f64, float literals
//   uint32_t u32   int64_t i64, index   uint64_t u64
// Copies share their elements; a value is written only while it is being made, or while nothing else shares it.
struct Value {
  DType dtype = DType::index;
  Shape shape;
  std::shared_ptr<std::byte[]> data;

  int64_t size() const;
  template <class T>
  const T* as() const {
    return reinterpret_cast<const T*>(data.get());
  }
  template <class T>
  T* edit() {
    return reinterpret_cast<T*>(data.get());
  }
};

enum class Carrier : uint8_t { u8, i32, u32, i64, u64, f32, f64 };
Carrier carrier_of(DType dtype);
int64_t carrier_bytes(DType dtype);
bool is_float(DType dtype);  // float literals included

// Calls `f` with a zero of the carrier's type.
template <class F>
decltype(auto) with_carrier(Carrier carrier, F&& f) {
  switch (carrier) {
    case Carrier::u8:
      return f(uint8_t{});
    case Carrier::i32:
      return f(int32_t{});
    case Carrier::u32:
      return f(uint32_t{});
    case Carrier::i64:
      return f(int64_t{});
    case Carrier::u64:
      return f(uint64_t{});
    case Carrier::f32:
      return f(float{});
    default:
      return f(double{});
  }
}
template <class F>
decltype(auto) with_carrier(DType dtype, F&& f) {
  return with_carrier(carrier_of(dtype), std::forward<F>(f));
}

int64_t elements_of(const Shape& shape);  // 1 for a scalar; the greatest int64_t where there are more

// Elements are not initialised. Throws std::bad_alloc, also for more than kMostElements.
Value make_value(DType dtype, Shape shape);
// Every element undefined: NaN, or the most negative integer.
Value undefined_value(DType dtype, Shape shape);
// Every element `scalar`, converted as a literal is: integers wrap, floats round.
Value filled_value(DType dtype, Shape shape, const Scalar& scalar);
Value index_value(int64_t value);
// The same elements, shared by nothing else.
Value unshared(Value value);
// The same elements under another shape of as many elements.
Value reshaped(Value value, Shape shape);

// Brings results of an operation back to what the dtype holds: narrow integers wrap, narrow floats round.
void normalize(DType dtype, void* elements, int64_t count);

// Element 0 of a bool, integer or index value as an exact integer (u64 by its bits); of a float as a double.
int64_t integer_of(const Value& value, int64_t element = 0);
double double_of(const Value& value, int64_t element = 0);

// `astype` (docs/language.md, Dtypes), also for index values and literals that take a dtype.
Value convert(const Value& value, DType dtype);
// The same bits under another dtype. If widths differ, the last dim of `shape` differs accordingly.
Value bitcast(const Value& value, DType dtype, const Shape& shape);

// Memory format (array.h) to carrier and back: `count` elements from element `first` of an array's bytes.
void load_elements(DType dtype, const std::byte* bytes, int64_t first, int64_t count, void* elements);
void store_elements(DType dtype, const void* elements, int64_t count, std::byte* bytes, int64_t first);

}  // namespace pallasgen::interpreter
