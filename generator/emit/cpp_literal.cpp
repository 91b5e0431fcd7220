#include "cpp_literal.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace pallasgen {
namespace {

constexpr double kWholeNumbers = 1e6;  // from here on powers of ten read better

// Tries more and more digits of the double itself, so that a constant reads as its author wrote it.
template <class T>
std::string shortest(double value) {
  std::array<char, 64> text{};
  if (value == std::floor(value) && std::fabs(value) < kWholeNumbers)
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, 1).ptr};
  for (int digits = 1; digits <= std::numeric_limits<double>::max_digits10; ++digits) {
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, digits).ptr;
    T back{};
    std::from_chars(text.data(), end, back);
    if (back == static_cast<T>(value) || digits == std::numeric_limits<double>::max_digits10) {
      std::string result(text.data(), end);
      if (result.find_first_of(".e") == std::string::npos) result += ".0";
      return result;
    }
  }
  return {};
}

std::string special(double value) {
  if (std::isnan(value)) return "NAN";
  if (std::isinf(value)) return value < 0 ? "-INFINITY" : "INFINITY";
  return {};
}

double as_double(const Scalar& value) {
  if (const double* real = std::get_if<double>(&value)) return *real;
  if (const int64_t* integer = std::get_if<int64_t>(&value)) return static_cast<double>(*integer);
  return std::get<bool>(value) ? 1 : 0;
}

int64_t as_integer(const Scalar& value) {
  if (const int64_t* integer = std::get_if<int64_t>(&value)) return *integer;
  if (const bool* flag = std::get_if<bool>(&value)) return *flag ? 1 : 0;
  return static_cast<int64_t>(std::get<double>(value));
}

std::string signed_digits(int64_t value) {
  if (value == std::numeric_limits<int64_t>::min()) return "INT64_MIN";  // its digits alone do not fit a long
  if (value == std::numeric_limits<int32_t>::max()) return "INT32_MAX";
  if (value == std::numeric_limits<int32_t>::min()) return "INT32_MIN";  // its digits alone are a long
  return std::to_string(value);
}

}  // namespace

std::string float_literal(double value) {
  const std::string name = special(value);
  // A finite double beyond the range of f32 rounds to infinity.
  const float rounded = static_cast<float>(value);
  if (name.empty() && std::isinf(rounded)) return special(rounded);
  return name.empty() ? shortest<float>(value) + "f" : name;
}

std::string double_literal(double value) {
  const std::string name = special(value);
  return name.empty() ? shortest<double>(value) : name;
}

bool is_exact_in(DType half, double value) {
  if (std::isnan(value) || std::isinf(value) || value == 0) return true;
  const int digits = half == DType::bf16 ? 8 : 11;
  const int lowest = half == DType::bf16 ? -133 : -24;  // exponent of the smallest subnormal
  const double largest = half == DType::bf16 ? 3.3895313892515355e38 : 65504.0;
  int exponent = 0;
  const double mantissa = std::frexp(std::fabs(value), &exponent);
  const int unit = std::max(exponent - digits, lowest);
  const double steps = std::ldexp(mantissa, exponent - unit);
  return std::fabs(value) <= largest && steps == std::floor(steps);
}

std::string cpp_type(DType dtype) {
  const DTypeInfo& row = info(dtype);
  const bool short_name = (row.is_float && row.bits <= 16) || row.bits == 4;
  return std::string(short_name ? row.name : row.cuda);
}

std::string memory_type(DType dtype) { return cpp_type(dtype) + (is_packed(dtype) ? "x2" : ""); }

std::string constant_literal(DType dtype, const Scalar& value) {
  switch (dtype) {
    case DType::boolean:
      return as_integer(value) != 0 ? "true" : "false";
    case DType::index:
    case DType::i32:
      return signed_digits(as_integer(value));
    case DType::u32:
      return std::to_string(static_cast<uint32_t>(as_integer(value))) + "u";
    case DType::u64:
      return "uint64_t(" + std::to_string(static_cast<uint64_t>(as_integer(value))) + "u)";
    case DType::f32:
      return float_literal(as_double(value));
    case DType::f64:
    case DType::literal:
      return double_literal(as_double(value));
    default:
      break;
  }
  if (info(dtype).is_integer) return cpp_type(dtype) + "(" + signed_digits(as_integer(value)) + ")";
  const double real = as_double(value);
  const bool half = dtype == DType::bf16 || dtype == DType::f16;
  return "cast<" + cpp_type(dtype) + ">(" +
         (half && is_exact_in(dtype, real) ? float_literal(real) : double_literal(real)) + ")";
}

}  // namespace pallasgen
