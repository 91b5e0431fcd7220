#include "diagnostics/assert.h"
#include "expression/typed.h"

namespace pallasgen {

namespace {

using enum OpGroup;

// In the order of Op, so that a row is found by its number.
const std::vector<Operation> kOperations = {
    {Op::negate, "-", elementwise, 1},
    {Op::invert, "~", elementwise, 1},
    {Op::add, "+", elementwise, 2},
    {Op::subtract, "-", elementwise, 2},
    {Op::multiply, "*", elementwise, 2},
    {Op::divide, "/", elementwise, 2},
    {Op::floor_divide, "//", elementwise, 2},
    {Op::modulo, "%", elementwise, 2},
    {Op::power, "**", elementwise, 2},
    {Op::shift_left, "<<", elementwise, 2},
    {Op::shift_right, ">>", elementwise, 2},
    {Op::bit_and, "&", elementwise, 2},
    {Op::bit_or, "|", elementwise, 2},
    {Op::bit_xor, "^", elementwise, 2},
    {Op::abs, "abs", elementwise, 1},
    {Op::sign, "sign", elementwise, 1},
    {Op::minimum, "minimum", elementwise, 2},
    {Op::maximum, "maximum", elementwise, 2},
    {Op::clamp, "clamp", elementwise, 3},
    {Op::floor, "floor", elementwise, 1},
    {Op::ceil, "ceil", elementwise, 1},
    {Op::round, "round", elementwise, 1},
    {Op::trunc, "trunc", elementwise, 1},
    {Op::sqrt, "sqrt", elementwise, 1},
    {Op::rsqrt, "rsqrt", elementwise, 1},
    {Op::exp, "exp", elementwise, 1},
    {Op::exp2, "exp2", elementwise, 1},
    {Op::expm1, "expm1", elementwise, 1},
    {Op::log, "log", elementwise, 1},
    {Op::log2, "log2", elementwise, 1},
    {Op::log1p, "log1p", elementwise, 1},
    {Op::sin, "sin", elementwise, 1},
    {Op::cos, "cos", elementwise, 1},
    {Op::tan, "tan", elementwise, 1},
    {Op::tanh, "tanh", elementwise, 1},
    {Op::atan2, "atan2", elementwise, 2},
    {Op::erf, "erf", elementwise, 1},
    {Op::logistic, "logistic", elementwise, 1},
    {Op::fma, "fma", elementwise, 3},
    {Op::cdiv, "cdiv", elementwise, 2},
    {Op::clz, "clz", elementwise, 1},
    {Op::popcount, "popcount", elementwise, 1},
    {Op::logical_not, "not", elementwise, 1},
    {Op::logical_and, "and", elementwise, 2},
    {Op::logical_or, "or", elementwise, 2},
    {Op::less, "<", elementwise, 2},
    {Op::less_equal, "<=", elementwise, 2},
    {Op::greater, ">", elementwise, 2},
    {Op::greater_equal, ">=", elementwise, 2},
    {Op::equal, "==", elementwise, 2},
    {Op::not_equal, "!=", elementwise, 2},
    {Op::isnan, "isnan", elementwise, 1},
    {Op::isfinite, "isfinite", elementwise, 1},
    {Op::where, "where", elementwise, 3},
    {Op::cast, "astype", OpGroup::cast, 1},
    {Op::bitcast, "bitcast", OpGroup::cast, 1},
    {Op::reshape, "reshape", shape, 1},
    {Op::transpose, "transpose", shape, 1},
    {Op::broadcast_to, "broadcast_to", shape, 1},
    {Op::expand_dims, "expand", shape, 1},
    {Op::squeeze, "squeeze", shape, 1},
    {Op::concatenate, "concatenate", shape, 1 << 16},
    {Op::iota, "iota", shape, 0},
    {Op::full, "full", shape, 1},
    {Op::slice, "[]", shape, 1},
    {Op::sum, "sum", reduce, 1},
    {Op::prod, "prod", reduce, 1},
    {Op::mean, "mean", reduce, 1},
    {Op::max, "max", reduce, 1},
    {Op::min, "min", reduce, 1},
    {Op::any, "any", reduce, 1},
    {Op::all, "all", reduce, 1},
    {Op::argmax, "argmax", reduce, 1},
    {Op::argmin, "argmin", reduce, 1},
    {Op::cumsum, "cumsum", reduce, 1},
    {Op::cummax, "cummax", reduce, 1},
    {Op::dot, "dot", matrix, 2},
    {Op::valid, "valid", mask, 0},
    {Op::element, "[]", scalars, 8},
    {Op::searchsorted, "searchsorted", scalars, 1},
    {Op::random_bits, "random_bits", OpGroup::random, 3},
};

}  // namespace

const std::vector<Operation>& operations() { return kOperations; }

const Operation& operation(Op op) {
  const Operation& row = kOperations[static_cast<size_t>(op)];
  PALLASGEN_ASSERT(row.op == op);
  return row;
}

std::optional<Op> operation_named(std::string_view name) {
  if (name == "pow") return Op::power;
  if (name == "neg") return Op::negate;
  const bool is_word = !name.empty() && ((name[0] >= 'a' && name[0] <= 'z') || (name[0] >= 'A' && name[0] <= 'Z'));
  // Words of the grammar, and `astype`, which follows a dot.
  if (!is_word || name == "and" || name == "or" || name == "not" || name == "astype") return std::nullopt;
  for (const Operation& row : kOperations) {
    if (row.name == name) return row.op;
  }
  return std::nullopt;
}

}  // namespace pallasgen
