#include <cmath>
#include <limits>
#include <type_traits>

#include "broadcast.h"
#include "diagnostics/assert.h"
#include "elementwise_ops.h"

namespace pallasgen::interpreter {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// NaN propagates from either side; -0 is less than 0.
template <class T>
T least(T a, T b) {
  if (a != a) return a;
  if (b != b) return b;
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

template <class T>
T greatest(T a, T b) {
  if (a != a) return a;
  if (b != b) return b;
  if (a == b) return std::signbit(a) ? b : a;
  return a < b ? b : a;
}

// The remainder with the divisor's sign, and the quotient that goes with it, as in Python.
template <class T>
T floor_modulo(T a, T b) {
  T rest = std::fmod(a, b);
  if (rest != 0) {
    if ((b < 0) != (rest < 0)) rest += b;
  } else if (rest == 0) {
    rest = std::copysign(T{0}, b);
  }
  return rest;
}

template <class T>
T floor_quotient(T a, T b) {
  if (b == 0 || std::isnan(a) || std::isnan(b) || std::isinf(a)) return a / b;
  const T rest = std::fmod(a, b);
  T quotient = (a - rest) / b;
  if (rest != 0 && (b < 0) != (rest < 0)) quotient -= 1;
  return std::nearbyint(quotient);
}

double sign_of(double x) { return std::isnan(x) || x == 0 ? x : std::copysign(1.0, x); }

// Functions that f32 and narrower floats compute in f64, so that the result rounds once from nearly exact digits.
double function_of(Op op, double x) {
  switch (op) {
    case Op::exp:
      return std::exp(x);
    case Op::exp2:
      return std::exp2(x);
    case Op::expm1:
      return std::expm1(x);
    case Op::log:
      return std::log(x);
    case Op::log2:
      return std::log2(x);
    case Op::log1p:
      return std::log1p(x);
    case Op::sin:
      return std::sin(x);
    case Op::cos:
      return std::cos(x);
    case Op::tan:
      return std::tan(x);
    case Op::tanh:
      return std::tanh(x);
    case Op::erf:
      return std::erf(x);
    case Op::logistic:
      return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
    case Op::rsqrt:
      return 1 / std::sqrt(x);
    default:
      return kNaN;
  }
}

bool is_function(Op op) { return (op >= Op::rsqrt && op <= Op::tanh) || op == Op::erf || op == Op::logistic; }

template <class T>
void float_unary(Op op, Value& result, const Value& a) {
  const auto run = [&](auto f) { map_rows<T, T>(result, a, f); };
  if (is_function(op)) {
    return run([op](T x) { return static_cast<T>(function_of(op, static_cast<double>(x))); });
  }
  switch (op) {
    case Op::negate:
      return run([](T x) { return -x; });
    case Op::abs:
      return run([](T x) { return std::fabs(x); });
    case Op::sign:
      return run([](T x) { return static_cast<T>(sign_of(static_cast<double>(x))); });
    case Op::floor:
      return run([](T x) { return std::floor(x); });
    case Op::ceil:
      return run([](T x) { return std::ceil(x); });
    case Op::round:
      return run([](T x) { return std::nearbyint(x); });
    case Op::trunc:
      return run([](T x) { return std::trunc(x); });
    case Op::sqrt:
      return run([](T x) { return std::sqrt(x); });
    default:
      PALLASGEN_ASSERT(false && "an elementwise operation of one float");
  }
}

template <class T>
void float_binary(Op op, Value& result, const Value& a, const Value& b) {
  const auto run = [&](auto f) { map_rows<T, T, T>(result, a, b, f); };
  switch (op) {
    case Op::add:
      return run([](T x, T y) { return x + y; });
    case Op::subtract:
      return run([](T x, T y) { return x - y; });
    case Op::multiply:
      return run([](T x, T y) { return x * y; });
    case Op::divide:
      return run([](T x, T y) { return x / y; });
    case Op::floor_divide:
      return run([](T x, T y) { return floor_quotient(x, y); });
    case Op::modulo:
      return run([](T x, T y) { return floor_modulo(x, y); });
    case Op::power:
      return run([](T x, T y) { return static_cast<T>(std::pow(static_cast<double>(x), static_cast<double>(y))); });
    case Op::atan2:
      return run([](T x, T y) { return static_cast<T>(std::atan2(static_cast<double>(x), static_cast<double>(y))); });
    case Op::minimum:
      return run([](T x, T y) { return least(x, y); });
    case Op::maximum:
      return run([](T x, T y) { return greatest(x, y); });
    case Op::cdiv:
      return run([](T x, T y) { return -floor_quotient(-x, y); });
    default:
      PALLASGEN_ASSERT(false && "an elementwise operation of two floats");
  }
}

}  // namespace

template <class T>
void float_arithmetic(Op op, Value& result, const std::vector<Value>& operands) {
  if (operands.size() == 1) return float_unary<T>(op, result, operands[0]);
  if (operands.size() == 2) return float_binary<T>(op, result, operands[0], operands[1]);
  PALLASGEN_ASSERT(op == Op::clamp || op == Op::fma);
  if (op == Op::clamp) {
    return map_rows<T, T, T, T>(result, operands[0], operands[1], operands[2],
                                [](T x, T low, T high) { return least(greatest(x, low), high); });
  }
  map_rows<T, T, T, T>(result, operands[0], operands[1], operands[2], [](T x, T y, T z) { return std::fma(x, y, z); });
}

template <class T>
void test_numbers(bool for_nan, Value& result, const Value& operand) {
  map_rows<uint8_t, T>(result, operand, [for_nan](T x) -> uint8_t {
    if constexpr (std::is_floating_point_v<T>)
      return for_nan ? std::isnan(x) : std::isfinite(x);
    else
      return !for_nan;
  });
}

template void float_arithmetic<float>(Op, Value&, const std::vector<Value>&);
template void float_arithmetic<double>(Op, Value&, const std::vector<Value>&);
template void test_numbers<uint8_t>(bool, Value&, const Value&);
template void test_numbers<int32_t>(bool, Value&, const Value&);
template void test_numbers<uint32_t>(bool, Value&, const Value&);
template void test_numbers<int64_t>(bool, Value&, const Value&);
template void test_numbers<uint64_t>(bool, Value&, const Value&);
template void test_numbers<float>(bool, Value&, const Value&);
template void test_numbers<double>(bool, Value&, const Value&);

}  // namespace pallasgen::interpreter
