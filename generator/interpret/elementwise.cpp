#include "elementwise.h"

#include "broadcast.h"
#include "diagnostics/assert.h"
#include "elementwise_ops.h"

namespace pallasgen::interpreter {
namespace {

bool takes_any_dtype(DType dtype) { return dtype == DType::index || dtype == DType::literal; }

bool is_comparison(Op op) { return op >= Op::less && op <= Op::not_equal; }

bool is_logical(Op op) { return op == Op::logical_not || op == Op::logical_and || op == Op::logical_or; }

// Brings the operands from `first` on to one dtype: the first that is no index value or literal, else `fallback`.
DType unify(std::vector<Value>& operands, size_t first, DType fallback) {
  DType common = fallback;
  bool found = false;
  for (size_t i = first; i < operands.size() && !found; ++i) {
    found = !takes_any_dtype(operands[i].dtype);
    if (found) common = operands[i].dtype;
  }
  for (size_t i = first; i < operands.size(); ++i) operands[i] = convert(operands[i], common);
  return common;
}

template <class T>
void compare(Op op, Value& result, const Value& a, const Value& b) {
  const auto run = [&](auto f) { map_rows<uint8_t, T, T>(result, a, b, f); };
  switch (op) {
    case Op::less:
      return run([](T x, T y) -> uint8_t { return x < y; });
    case Op::less_equal:
      return run([](T x, T y) -> uint8_t { return x <= y; });
    case Op::greater:
      return run([](T x, T y) -> uint8_t { return x > y; });
    case Op::greater_equal:
      return run([](T x, T y) -> uint8_t { return x >= y; });
    case Op::equal:
      return run([](T x, T y) -> uint8_t { return x == y; });
    default:
      return run([](T x, T y) -> uint8_t { return x != y; });
  }
}

void logic(Op op, Value& result, const std::vector<Value>& operands) {
  using B = uint8_t;
  if (op == Op::logical_not) return map_rows<B, B>(result, operands[0], [](B x) -> B { return !x; });
  if (op == Op::logical_and)
    return map_rows<B, B, B>(result, operands[0], operands[1], [](B x, B y) -> B { return x & y; });
  map_rows<B, B, B>(result, operands[0], operands[1], [](B x, B y) -> B { return x | y; });
}

}  // namespace

Value apply_elementwise(Op op, DType dtype, std::vector<Value> operands) {
  Shape shape;
  for (const Value& operand : operands) shape = broadcast_shape(shape, operand.shape);
  if (is_logical(op)) {
    for (Value& operand : operands) operand = convert(operand, DType::boolean);
    Value result = make_value(DType::boolean, shape);
    logic(op, result, operands);
    return result;
  }
  if (op == Op::where) {
    operands[0] = convert(operands[0], DType::boolean);
    for (size_t i : {1, 2}) operands[i] = convert(operands[i], dtype);
    Value result = make_value(dtype, shape);
    with_carrier(dtype, [&](auto zero) {
      using T = decltype(zero);
      map_rows<T, uint8_t, T, T>(result, operands[0], operands[1], operands[2],
                                 [](uint8_t c, T a, T b) { return c ? a : b; });
    });
    return result;
  }
  if (is_comparison(op)) {
    if (takes_any_dtype(operands[0].dtype) && takes_any_dtype(operands[1].dtype) &&
        operands[0].dtype != operands[1].dtype) {
      for (Value& operand : operands) operand = convert(operand, DType::f64);
    }
    const DType common = unify(operands, 0, operands[0].dtype);
    Value result = make_value(DType::boolean, shape);
    with_carrier(common, [&](auto zero) { compare<decltype(zero)>(op, result, operands[0], operands[1]); });
    return result;
  }
  if (op == Op::isnan || op == Op::isfinite) {
    Value result = make_value(DType::boolean, shape);
    with_carrier(operands[0].dtype,
                 [&](auto zero) { test_numbers<decltype(zero)>(op == Op::isnan, result, operands[0]); });
    return result;
  }
  for (Value& operand : operands) operand = convert(operand, dtype);
  Value result = make_value(dtype, shape);
  if (is_float(dtype)) {
    if (carrier_of(dtype) == Carrier::f32)
      float_arithmetic<float>(op, result, operands);
    else
      float_arithmetic<double>(op, result, operands);
  } else {
    integer_arithmetic(op, result, operands);
  }
  normalize(dtype, result.data.get(), result.size());
  return result;
}

}  // namespace pallasgen::interpreter
