#include <cmath>
#include <limits>

#include "expression/typed.h"

namespace pallasgen {

namespace {

int64_t floor_div(int64_t a, int64_t b) { return a / b - ((a % b != 0) && ((a < 0) != (b < 0))); }

template <class Number>
std::optional<Scalar> compared(Op op, Number a, Number b) {
  switch (op) {
    case Op::less:
      return a < b;
    case Op::less_equal:
      return a <= b;
    case Op::greater:
      return a > b;
    case Op::greater_equal:
      return a >= b;
    case Op::equal:
      return a == b;
    case Op::not_equal:
      return a != b;
    default:
      return std::nullopt;
  }
}

std::optional<Scalar> fold_integers(Op op, int64_t a, int64_t b) {
  int64_t out = 0;
  switch (op) {
    case Op::add:
      return __builtin_add_overflow(a, b, &out) ? std::nullopt : std::optional<Scalar>(out);
    case Op::subtract:
      return __builtin_sub_overflow(a, b, &out) ? std::nullopt : std::optional<Scalar>(out);
    case Op::multiply:
      return __builtin_mul_overflow(a, b, &out) ? std::nullopt : std::optional<Scalar>(out);
    case Op::floor_divide:
    case Op::modulo:
    case Op::cdiv:
      // Dividing the most negative integer by -1 would overflow.
      if (b == 0 || (b == -1 && a == std::numeric_limits<int64_t>::min())) return std::nullopt;
      if (op == Op::floor_divide) return floor_div(a, b);
      if (op == Op::modulo) return a - floor_div(a, b) * b;
      return floor_div(a, b) + (a % b != 0);
    case Op::power: {
      if (b < 0) return std::nullopt;
      int64_t result = 1;
      for (int64_t i = 0; i < b && result != 0 && !(result == 1 && a == 1); ++i) {
        if (i > 128 && (a == -1)) return b % 2 ? int64_t{-1} : int64_t{1};
        if (__builtin_mul_overflow(result, a, &result)) return std::nullopt;
      }
      return result;
    }
    case Op::shift_left:
      if (b < 0 || b > 62) return std::nullopt;
      return __builtin_mul_overflow(a, int64_t{1} << b, &out) ? std::nullopt : std::optional<Scalar>(out);
    case Op::shift_right:
      return b < 0 ? std::nullopt : std::optional<Scalar>(a >> (b > 63 ? 63 : b));
    case Op::bit_and:
      return a & b;
    case Op::bit_or:
      return a | b;
    case Op::bit_xor:
      return a ^ b;
    case Op::minimum:
      return a < b ? a : b;
    case Op::maximum:
      return a > b ? a : b;
    default:
      return compared(op, a, b);
  }
}

std::optional<Scalar> fold_integer(Op op, int64_t a) {
  const bool lowest = a == std::numeric_limits<int64_t>::min();
  switch (op) {
    case Op::negate:
      return lowest ? std::nullopt : std::optional<Scalar>(-a);
    case Op::abs:
      return lowest ? std::nullopt : std::optional<Scalar>(a < 0 ? -a : a);
    case Op::sign:
      return int64_t{(a > 0) - (a < 0)};
    case Op::invert:
      return ~a;
    default:
      return std::nullopt;
  }
}

double nan_of(double a, double b) { return std::isnan(a) ? a : b; }

std::optional<Scalar> fold_floats(Op op, double a, double b) {
  switch (op) {
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    case Op::divide:
      return a / b;
    case Op::power:
      return std::pow(a, b);
    case Op::minimum:
      return std::isnan(a) || std::isnan(b) ? nan_of(a, b) : std::fmin(a, b);
    case Op::maximum:
      return std::isnan(a) || std::isnan(b) ? nan_of(a, b) : std::fmax(a, b);
    case Op::atan2:
      return std::atan2(a, b);
    default:
      return compared(op, a, b);
  }
}

std::optional<Scalar> fold_float(Op op, double a) {
  switch (op) {
    case Op::negate:
      return -a;
    case Op::abs:
      return std::fabs(a);
    case Op::sign:
      return std::isnan(a) || a == 0 ? a : std::copysign(1.0, a);
    case Op::floor:
      return std::floor(a);
    case Op::ceil:
      return std::ceil(a);
    case Op::round:
      return std::nearbyint(a);
    case Op::trunc:
      return std::trunc(a);
    case Op::sqrt:
      return std::sqrt(a);
    case Op::rsqrt:
      return 1 / std::sqrt(a);
    case Op::exp:
      return std::exp(a);
    case Op::exp2:
      return std::exp2(a);
    case Op::expm1:
      return std::expm1(a);
    case Op::log:
      return std::log(a);
    case Op::log2:
      return std::log2(a);
    case Op::log1p:
      return std::log1p(a);
    case Op::sin:
      return std::sin(a);
    case Op::cos:
      return std::cos(a);
    case Op::tan:
      return std::tan(a);
    case Op::tanh:
      return std::tanh(a);
    case Op::erf:
      return std::erf(a);
    case Op::logistic:
      return a < 0 ? std::exp(a) / (1 + std::exp(a)) : 1 / (1 + std::exp(-a));  // neither exponential overflows
    case Op::isnan:
      return std::isnan(a);
    case Op::isfinite:
      return std::isfinite(a);
    default:
      return std::nullopt;
  }
}

std::optional<Scalar> fold_bools(Op op, const std::vector<Scalar>& args) {
  const bool a = std::get<bool>(args[0]);
  if (op == Op::logical_not || op == Op::invert) return !a;
  if (args.size() < 2) return std::nullopt;
  const bool b = std::get<bool>(args[1]);
  switch (op) {
    case Op::logical_and:
    case Op::bit_and:
      return a && b;
    case Op::logical_or:
    case Op::bit_or:
      return a || b;
    case Op::bit_xor:
    case Op::not_equal:
      return a != b;
    case Op::equal:
      return a == b;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<Scalar> fold(Op op, DType operand, const std::vector<Scalar>& args) {
  if (args.empty() || op == Op::where) return std::nullopt;
  if (op == Op::clamp) {
    if (args.size() != 3) return std::nullopt;
    const std::optional<Scalar> low = fold(Op::maximum, operand, {args[0], args[1]});
    return low ? fold(Op::minimum, operand, {*low, args[2]}) : std::nullopt;
  }
  if (operand == DType::boolean) return fold_bools(op, args);
  if (operand == DType::index) {
    if (args.size() == 1) return fold_integer(op, std::get<int64_t>(args[0]));
    return args.size() == 2 ? fold_integers(op, std::get<int64_t>(args[0]), std::get<int64_t>(args[1])) : std::nullopt;
  }
  if (operand != DType::literal) return std::nullopt;
  if (args.size() == 1) return fold_float(op, std::get<double>(args[0]));
  if (args.size() == 2) return fold_floats(op, std::get<double>(args[0]), std::get<double>(args[1]));
  if (op == Op::fma) return std::fma(std::get<double>(args[0]), std::get<double>(args[1]), std::get<double>(args[2]));
  return std::nullopt;
}

}  // namespace pallasgen
