#pragma once

#include <initializer_list>
#include <vector>

#include "value.h"

// Values for tests, and what is in them.
namespace pallasgen::interpreter {

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

inline std::vector<double> numbers(const Value& value) {
  std::vector<double> out;
  for (int64_t i = 0; i < value.size(); ++i) out.push_back(double_of(value, i));
  return out;
}

inline std::vector<int64_t> integers(const Value& value) {
  std::vector<int64_t> out;
  for (int64_t i = 0; i < value.size(); ++i) out.push_back(integer_of(value, i));
  return out;
}

}  // namespace pallasgen::interpreter
