#pragma once

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <variant>

#include "expression/typed.h"

// How C++ spells the operations of the language: tables for cpp_expression.cpp.
namespace pallasgen {

// C++'s precedence, tightest first by number.
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
  bool wide = false;  // of index values: an int64_t
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

// Functions of C's library on floats; the f32 form has an `f` at its end.
inline constexpr NamedFunction kLibrary[] = {
    {Op::abs, "fabs"},  {Op::floor, "floor"}, {Op::ceil, "ceil"}, {Op::round, "rint"},  {Op::trunc, "trunc"},
    {Op::sqrt, "sqrt"}, {Op::exp, "exp"},     {Op::exp2, "exp2"}, {Op::expm1, "expm1"}, {Op::log, "log"},
    {Op::log2, "log2"}, {Op::log1p, "log1p"}, {Op::tanh, "tanh"}, {Op::atan2, "atan2"}, {Op::erf, "erf"},
    {Op::power, "pow"}, {Op::fma, "fma"},
};

// Functions of the runtime that take and give the dtype itself.
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

// What takes the place of operations on floats, and of those computed in float, under `math: {approx: true}`.
inline constexpr NamedFunction kApproximate[] = {
    {Op::exp, "fast_exp"},       {Op::exp2, "fast_exp2"}, {Op::tanh, "fast_tanh"},   {Op::logistic, "fast_logistic"},
    {Op::divide, "fast_divide"}, {Op::erf, "fast_erf"},   {Op::rsqrt, "fast_rsqrt"},
};

// The function of that operation in one of the tables, or null.
template <size_t N>
const char* function_of(const NamedFunction (&table)[N], Op op) {
  const auto* row =
      std::find_if(std::begin(table), std::end(table), [&](const NamedFunction& r) { return r.op == op; });
  return row == std::end(table) ? nullptr : row->name;
}

// The function in place of an operation on floats under `math: {approx: true}`, or null: quotients by a power of two
// are exact products.
inline const char* approximation_of(const Apply& apply) {
  const Constant* by = apply.op == Op::divide ? apply.args[1]->as<Constant>() : nullptr;
  const double* divisor = by ? std::get_if<double>(&by->value) : nullptr;
  int exponent;
  if (divisor && std::fabs(std::frexp(*divisor, &exponent)) == 0.5) return nullptr;
  return function_of(kApproximate, apply.op);
}

inline bool is_comparison(Op op) { return op >= Op::less && op <= Op::not_equal; }

// Whether scalars of the launch take part, which may be as large as their dtype holds.
inline bool has_scalars(const TypedPtr& expr) {
  bool found = false;
  walk(expr, [&](const Typed& node) {
    const Symbol* symbol = node.as<Symbol>();
    found = found || (symbol && symbol->kind == SymbolKind::scalar);
  });
  return found;
}

}  // namespace pallasgen
