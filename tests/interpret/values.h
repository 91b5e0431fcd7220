#pragma once

#include <initializer_list>
#include <limits>
#include <vector>

#include "interpret/array.h"
#include "value.h"

// Makes values for tests, and reads them.
namespace pallasgen::interpreter {

using Ints = std::vector<int64_t>;
using Reals = std::vector<double>;
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

inline Reals numbers_of(const Array& array) {
  Reals out;
  for (int64_t i = 0; i < array.size(); ++i) out.push_back(array.at(i));
  return out;
}

inline Value make(DType dtype, Shape shape, const std::vector<double>& elements) {
  Value wide = make_value(DType::f64, std::move(shape));
  for (size_t i = 0; i < elements.size(); ++i) wide.edit<double>()[i] = elements[i];
  return convert(wide, dtype);
}

inline Value make_integers(DType dtype, Shape shape, const std::vector<int64_t>& elements) {
  Value wide = make_value(DType::i64, std::move(shape));
  for (size_t i = 0; i < elements.size(); ++i) wide.edit<int64_t>()[i] = elements[i];
  return convert(wide, dtype);
}

inline Reals numbers(const Value& value) {
  Reals out;
  for (int64_t i = 0; i < value.size(); ++i) out.push_back(double_of(value, i));
  return out;
}

inline Ints integers(const Value& value) {
  Ints out;
  for (int64_t i = 0; i < value.size(); ++i) out.push_back(integer_of(value, i));
  return out;
}

}  // namespace pallasgen::interpreter
