#pragma once

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <variant>

#include "expression/typed.h"

// Tables of the C++ spellings of operations, for cpp_expression.cpp.
namespace pallasgen {

// Precedence of C++ operators; a higher number binds tighter.
enum Level : int {
  kConditional = 1,
  kOr,
  kAnd,
  kBitOr,
  kBitXor,
  kBitAnd,
  kEquality,
  kRelational,
  kShift,
  kAdd,
  kMultiply,
  kUnary,
  kPrimary
};

struct Cpp {
  std::string text;
  Level level = kPrimary;
  bool wide = false;  // an index value that is an int64_t
};

inline std::string at_least(const Cpp& part, int level) {
  return part.level >= level ? part.text : "(" + part.text + ")";
}

struct Infix {
  const char* symbol;
  Level level;
  Op op;
};
inline constexpr Infix kInfix[] = {
    {"+", kAdd, Op::add},
    {"-", kAdd, Op::subtract},
    {"*", kMultiply, Op::multiply},
    {"/", kMultiply, Op::divide},
    {"<<", kShift, Op::shift_left},
    {">>", kShift, Op::shift_right},
    {"&", kBitAnd, Op::bit_and},
    {"|", kBitOr, Op::bit_or},
    {"^", kBitXor, Op::bit_xor},
    {"<", kRelational, Op::less},
    {"<=", kRelational, Op::less_equal},
    {">", kRelational, Op::greater},
    {">=", kRelational, Op::greater_equal},
    {"==", kEquality, Op::equal},
    {"!=", kEquality, Op::not_equal},
    {"&&", kAnd, Op::logical_and},
    {"||", kOr, Op::logical_or},
};
inline const Infix* infix_of(Op op) {
  const auto* row = std::find_if(std::begin(kInfix), std::end(kInfix), [&](const Infix& r) { return r.op == op; });
  return row == std::end(kInfix) ? nullptr : row;
}

struct NamedFunction {
  Op op;
  const char* name;
};

// Functions on floats of the C library; the name of the f32 form has an `f` appended.
inline constexpr NamedFunction kLibrary[] = {
    {Op::abs, "fabs"},  {Op::floor, "floor"}, {Op::ceil, "ceil"}, {Op::round, "rint"},  {Op::trunc, "trunc"},
    {Op::sqrt, "sqrt"}, {Op::exp, "exp"},     {Op::exp2, "exp2"}, {Op::expm1, "expm1"}, {Op::log, "log"},
    {Op::log2, "log2"}, {Op::log1p, "log1p"}, {Op::tanh, "tanh"}, {Op::atan2, "atan2"}, {Op::erf, "erf"},
    {Op::power, "pow"}, {Op::fma, "fma"},
};

// Functions of the runtime whose arguments and result have the dtype itself.
inline constexpr NamedFunction kRuntime[] = {
    {Op::add, "wrap_add"},
    {Op::subtract, "wrap_subtract"},
    {Op::multiply, "wrap_multiply"},
    {Op::negate, "wrap_negate"},
    {Op::abs, "wrap_abs"},
    {Op::sign, "sign"},
    {Op::minimum, "minimum"},
    {Op::maximum, "maximum"},
    {Op::clamp, "clamp"},
    {Op::power, "power"},
    {Op::shift_left, "shift_left"},
    {Op::shift_right, "shift_right"},
    {Op::floor_divide, "floor_divide"},
    {Op::modulo, "floor_modulo"},
    {Op::cdiv, "ceil_divide"},
    {Op::clz, "leading_zeros"},
    {Op::popcount, "count_ones"},
    {Op::isnan, "is_nan"},
    {Op::sin, "sine"},
    {Op::cos, "cosine"},
    {Op::tan, "tangent"},
    {Op::logistic, "logistic"},
};

// Approximations that replace operations computed in float under `math: {approx: true}`.
inline constexpr NamedFunction kApproximate[] = {
    {Op::exp, "fast_exp"},       {Op::exp2, "fast_exp2"}, {Op::tanh, "fast_tanh"},   {Op::logistic, "fast_logistic"},
    {Op::divide, "fast_divide"}, {Op::erf, "fast_erf"},   {Op::rsqrt, "fast_rsqrt"},
};

// The function for the operation in one of the tables, or null.
template <size_t N>
const char* function_of(const NamedFunction (&table)[N], Op op) {
  const auto* row =
      std::find_if(std::begin(table), std::end(table), [&](const NamedFunction& r) { return r.op == op; });
  return row == std::end(table) ? nullptr : row->name;
}

// The function that replaces an operation on floats under `math: {approx: true}`, or null. A division by a constant
// power of two is exact and stays.
inline const char* approximation_of(const Apply& apply) {
  const Constant* by = apply.op == Op::divide ? apply.args[1]->as<Constant>() : nullptr;
  const double* divisor = by ? std::get_if<double>(&by->value) : nullptr;
  int exponent;
  if (divisor && std::fabs(std::frexp(*divisor, &exponent)) == 0.5) return nullptr;
  return function_of(kApproximate, apply.op);
}

inline bool is_comparison(Op op) { return op >= Op::less && op <= Op::not_equal; }

// True if the expression uses a scalar of the launch, whose value is only bounded by its dtype.
inline bool has_scalars(const TypedPtr& expr) {
  bool found = false;
  walk(expr, [&](const Typed& node) {
    const Symbol* symbol = node.as<Symbol>();
    found = found || (symbol && symbol->kind == SymbolKind::scalar);
  });
  return found;
}

}  // namespace pallasgen
