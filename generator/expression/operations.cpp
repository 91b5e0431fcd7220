#include "diagnostics/assert.h"
#include "expression/typed.h"

namespace pallasgen {

namespace {

using enum OpGroup;

// In the order of Op, whose values index it.
const std::vector<Operation> kOperations = {
    {Op::negate, "-", elementwise, 1, Operands::numbers, "-x", "the negative; neg(x) is the same"},
    {Op::invert, "~", elementwise, 1, Operands::integers_or_bools, "~x", "all bits turned over; of bools: not"},
    {Op::add, "+", elementwise, 2, Operands::numbers, "x + y", "the sum"},
    {Op::subtract, "-", elementwise, 2, Operands::numbers, "x - y", "the difference"},
    {Op::multiply, "*", elementwise, 2, Operands::numbers, "x * y", "the product"},
    {Op::divide, "/", elementwise, 2, Operands::floats, "x / y", "the quotient"},
    {Op::floor_divide, "//", elementwise, 2, Operands::integers, "x // y",
     "the quotient, rounded towards minus infinity"},
    {Op::modulo, "%", elementwise, 2, Operands::integers, "x % y", "the rest of x // y, with the sign of y"},
    {Op::power, "**", elementwise, 2, Operands::numbers, "x ** y",
     "x to the power y; pow(x, y) is the same; of integers: a constant exponent of at least 0"},
    {Op::shift_left, "<<", elementwise, 2, Operands::integers, "x << y", "bits shifted towards higher ones"},
    {Op::shift_right, ">>", elementwise, 2, Operands::integers, "x >> y",
     "bits shifted towards lower ones; of signed integers the sign fills what is free"},
    {Op::bit_and, "&", elementwise, 2, Operands::integers_or_bools, "x & y", "bits that both have"},
    {Op::bit_or, "|", elementwise, 2, Operands::integers_or_bools, "x | y", "bits that one of them has"},
    {Op::bit_xor, "^", elementwise, 2, Operands::integers_or_bools, "x ^ y", "bits that just one of them has"},
    {Op::abs, "abs", elementwise, 1, Operands::numbers, "abs(x)", "the absolute value"},
    {Op::sign, "sign", elementwise, 1, Operands::numbers, "sign(x)", "-1, 0 or 1"},
    {Op::minimum, "minimum", elementwise, 2, Operands::numbers, "minimum(x, y)",
     "the smaller one; NaN if one of them is"},
    {Op::maximum, "maximum", elementwise, 2, Operands::numbers, "maximum(x, y)",
     "the larger one; NaN if one of them is"},
    {Op::clamp, "clamp", elementwise, 3, Operands::numbers, "clamp(x, low, high)", "minimum(maximum(x, low), high)"},
    {Op::floor, "floor", elementwise, 1, Operands::floats, "floor(x)", "the nearest whole number that is not larger"},
    {Op::ceil, "ceil", elementwise, 1, Operands::floats, "ceil(x)", "the nearest whole number that is not smaller"},
    {Op::round, "round", elementwise, 1, Operands::floats, "round(x)",
     "the nearest whole number; ties go to the even one"},
    {Op::trunc, "trunc", elementwise, 1, Operands::floats, "trunc(x)",
     "the whole number without what follows the point"},
    {Op::sqrt, "sqrt", elementwise, 1, Operands::floats, "sqrt(x)", "the square root, correctly rounded"},
    {Op::rsqrt, "rsqrt", elementwise, 1, Operands::floats, "rsqrt(x)", "1 / sqrt(x)"},
    {Op::exp, "exp", elementwise, 1, Operands::floats, "exp(x)", "e to the power x"},
    {Op::exp2, "exp2", elementwise, 1, Operands::floats, "exp2(x)", "2 to the power x"},
    {Op::expm1, "expm1", elementwise, 1, Operands::floats, "expm1(x)", "exp(x) - 1, exact near 0"},
    {Op::log, "log", elementwise, 1, Operands::floats, "log(x)", "the natural logarithm"},
    {Op::log2, "log2", elementwise, 1, Operands::floats, "log2(x)", "the logarithm to base 2"},
    {Op::log1p, "log1p", elementwise, 1, Operands::floats, "log1p(x)", "log(1 + x), exact near 0"},
    {Op::sin, "sin", elementwise, 1, Operands::floats, "sin(x)", "the sine of an angle in radians"},
    {Op::cos, "cos", elementwise, 1, Operands::floats, "cos(x)", "the cosine of an angle in radians"},
    {Op::tan, "tan", elementwise, 1, Operands::floats, "tan(x)", "the tangent of an angle in radians"},
    {Op::tanh, "tanh", elementwise, 1, Operands::floats, "tanh(x)", "the hyperbolic tangent"},
    {Op::atan2, "atan2", elementwise, 2, Operands::floats, "atan2(y, x)", "the angle of the point (x, y), in radians"},
    {Op::erf, "erf", elementwise, 1, Operands::floats, "erf(x)", "the error function"},
    {Op::logistic, "logistic", elementwise, 1, Operands::floats, "logistic(x)", "1 / (1 + exp(-x))"},
    {Op::fma, "fma", elementwise, 3, Operands::floats, "fma(a, b, c)", "a * b + c, rounded once"},
    {Op::cdiv, "cdiv", elementwise, 2, Operands::integers, "cdiv(x, y)", "the quotient, rounded towards plus infinity"},
    {Op::clz, "clz", elementwise, 1, Operands::integers, "clz(x)", "how many zeros stand above the highest 1"},
    {Op::popcount, "popcount", elementwise, 1, Operands::integers, "popcount(x)", "how many bits are 1"},
    {Op::logical_not, "not", elementwise, 1, Operands::bools, "not x", "true where x is false"},
    {Op::logical_and, "and", elementwise, 2, Operands::bools, "x and y", "true where both are"},
    {Op::logical_or, "or", elementwise, 2, Operands::bools, "x or y", "true where one of them is"},
    {Op::less, "<", elementwise, 2, Operands::numbers, "x < y", "gives bool"},
    {Op::less_equal, "<=", elementwise, 2, Operands::numbers, "x <= y", "gives bool"},
    {Op::greater, ">", elementwise, 2, Operands::numbers, "x > y", "gives bool"},
    {Op::greater_equal, ">=", elementwise, 2, Operands::numbers, "x >= y", "gives bool"},
    {Op::equal, "==", elementwise, 2, Operands::any, "x == y", "gives bool"},
    {Op::not_equal, "!=", elementwise, 2, Operands::any, "x != y", "gives bool"},
    {Op::isnan, "isnan", elementwise, 1, Operands::floats, "isnan(x)", "gives bool: which elements are NaN"},
    {Op::isfinite, "isfinite", elementwise, 1, Operands::floats, "isfinite(x)",
     "gives bool: which elements are neither NaN nor infinite"},
    {Op::where, "where", elementwise, 3, Operands::any, "where(condition, x, y)",
     "x where the condition holds, y elsewhere"},
    {Op::cast, "astype", OpGroup::cast, 1, Operands::any, "x.astype(dtype)",
     "each element in another dtype; f32(x) is x.astype(f32)"},
    {Op::bitcast, "bitcast", OpGroup::cast, 1, Operands::numbers, "bitcast(x, dtype)",
     "the same bits as another dtype that is as wide"},
    {Op::reshape, "reshape", shape, 1, Operands::any, "reshape(x, shape)",
     "the same elements, row by row, in another shape"},
    {Op::transpose, "transpose", shape, 1, Operands::any, "transpose(x, axes=)",
     "the axes in another order, reversed if none is given; x.T is the same"},
    {Op::broadcast_to, "broadcast_to", shape, 1, Operands::any, "broadcast_to(x, shape)",
     "repeated along axes of size 1 and new axes in front"},
    {Op::expand_dims, "expand", shape, 1, Operands::any, "expand(x, axis)", "new axes of size 1"},
    {Op::squeeze, "squeeze", shape, 1, Operands::any, "squeeze(x, axis=)", "without axes of size 1"},
    {Op::concatenate, "concatenate", shape, 1 << 16, Operands::any, "concatenate(arrays, axis=)",
     "arrays of a list, one behind the other"},
    {Op::iota, "iota", shape, 0, Operands::none, "iota(dtype, shape, dim=)", "the index of each element along one dim"},
    {Op::full, "full", shape, 1, Operands::none, "full(dtype, shape, value)", "one value everywhere"},
    {Op::slice, "[]", shape, 1, Operands::any, "x[i, :, 2:5, ds(n, 8), ...]", "a part of a ref or value"},
    {Op::sum, "sum", reduce, 1, Operands::any, "sum(x, axis=, keepdims=)",
     "the sum; f32 for narrower floats until it is rounded, i32 for bools and small integers"},
    {Op::prod, "prod", reduce, 1, Operands::any, "prod(x, axis=, keepdims=)", "the product, in the dtypes of sum"},
    {Op::mean, "mean", reduce, 1, Operands::floats, "mean(x, axis=, keepdims=)", "the sum over the number of elements"},
    {Op::max, "max", reduce, 1, Operands::numbers, "max(x, axis=, keepdims=)",
     "the largest element; of several index values, max(i, j): the largest one"},
    {Op::min, "min", reduce, 1, Operands::numbers, "min(x, axis=, keepdims=)",
     "the smallest element; of several index values, min(i, j): the smallest one"},
    {Op::any, "any", reduce, 1, Operands::bools, "any(x, axis=, keepdims=)", "whether one element is true"},
    {Op::all, "all", reduce, 1, Operands::bools, "all(x, axis=, keepdims=)", "whether all elements are true"},
    {Op::argmax, "argmax", reduce, 1, Operands::numbers, "argmax(x, axis=, keepdims=)",
     "i32: where the largest element is, the first of equals"},
    {Op::argmin, "argmin", reduce, 1, Operands::numbers, "argmin(x, axis=, keepdims=)",
     "i32: where the smallest element is, the first of equals"},
    {Op::cumsum, "cumsum", reduce, 1, Operands::any, "cumsum(x, axis=)", "running sums, in the dtypes of sum"},
    {Op::cummax, "cummax", reduce, 1, Operands::numbers, "cummax(x, axis=)", "running maxima"},
    {Op::dot, "dot", matrix, 2, Operands::factors,
     "dot(a, b, trans_a=, trans_b=, dtype=, precision=, a_scale=, b_scale=)",
     "the product of two matrices, also a @ b; leading axes are batches"},
    {Op::valid, "valid", mask, 0, Operands::none, "valid(ref)", "bool: which elements of a block lie inside its array"},
    {Op::element, "[]", scalars, 8, Operands::any, "offsets[i]", "one element of an array of scalars"},
    {Op::searchsorted, "searchsorted", scalars, 1, Operands::integers, "searchsorted(scalars, x, side=)",
     "how many elements of an ascending array of scalars are at most x; side=left: below x"},
    {Op::random_bits, "random_bits", OpGroup::random, 3, Operands::none, "random_bits(key, counter, shape)",
     "u32: words of Philox 4x32-10"},
};

}  // namespace

std::string_view name_of(Operands operands) {
  static constexpr std::string_view kNames[] = {
      "any dtype", "numbers", "floats", "integers", "integers or bools", "bools", "floats, integers of 4 and 8 bits",
      ""};
  return kNames[static_cast<size_t>(operands)];
}

const std::vector<Operation>& operations() { return kOperations; }

Op combining(Op op) {
  switch (op) {
    case Op::any:
      return Op::logical_or;
    case Op::all:
      return Op::logical_and;
    case Op::max:
    case Op::cummax:
      return Op::maximum;
    case Op::min:
      return Op::minimum;
    case Op::prod:
      return Op::multiply;
    default:
      return Op::add;
  }
}

const Operation& operation(Op op) {
  const Operation& row = kOperations[static_cast<size_t>(op)];
  PALLASGEN_ASSERT(row.op == op);
  return row;
}

std::optional<Op> operation_named(std::string_view name) {
  if (name == "pow") return Op::power;
  if (name == "neg") return Op::negate;
  const bool is_word = !name.empty() && ((name[0] >= 'a' && name[0] <= 'z') || (name[0] >= 'A' && name[0] <= 'Z'));
  // These are words of the grammar, except `astype`, which follows a dot.
  if (!is_word || name == "and" || name == "or" || name == "not" || name == "astype") return std::nullopt;
  for (const Operation& row : kOperations) {
    if (row.name == name) return row.op;
  }
  return std::nullopt;
}

}  // namespace pallasgen
