#include "proofs/reductions.h"

#include <limits>

#include "program/index_terms.h"

namespace pallasgen {

namespace {

int64_t lowest_integer(DType dtype) {
  const int bits = info(dtype).bits;
  return info(dtype).is_signed ? (bits == 64 ? INT64_MIN : -(int64_t{1} << (bits - 1))) : 0;
}

int64_t highest_integer(DType dtype) {
  const int bits = info(dtype).bits - (info(dtype).is_signed ? 1 : 0);
  return bits >= 64 ? -1 : static_cast<int64_t>((uint64_t{1} << bits) - 1);  // u64: all bits set
}

}  // namespace

DType accumulator(Op op, DType dtype) {
  const bool sums = op == Op::sum || op == Op::prod || op == Op::mean || op == Op::cumsum || op == Op::dot;
  return sums && info(dtype).is_float && info(dtype).bits < 32 ? DType::f32 : dtype;
}

TypedPtr neutral(Op op, DType dtype) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const bool is_float = info(dtype).is_float;
  switch (op) {
    case Op::any:
      return typed_constant(DType::boolean, false);
    case Op::all:
      return typed_constant(DType::boolean, true);
    case Op::max:
    case Op::argmax:
    case Op::cummax:
      if (dtype == DType::f8e8m0) return typed_constant(dtype, 0x1p-127);  // it has no sign
      return typed_constant(dtype, is_float ? Scalar(-kInfinity) : Scalar(lowest_integer(dtype)));
    case Op::min:
    case Op::argmin:
      return typed_constant(dtype, is_float ? Scalar(kInfinity) : Scalar(highest_integer(dtype)));
    case Op::prod:
      return typed_constant(dtype, is_float ? Scalar(1.0) : Scalar(int64_t{1}));
    default:
      return typed_constant(dtype, is_float ? Scalar(0.0) : Scalar(int64_t{0}));
  }
}

std::optional<Op> combination(Op op) {
  if (op == Op::mean || op == Op::cumsum) return Op::sum;
  if (op == Op::cummax) return Op::max;
  const bool known =
      op == Op::sum || op == Op::prod || op == Op::max || op == Op::min || op == Op::any || op == Op::all;
  return known ? std::optional(op) : std::nullopt;
}

void note_terms(const TypedPtr& expr, int value, Op reduction, std::set<const Typed*>& terms) {
  const Apply* apply = expr->as<Apply>();
  if (!apply) return;
  const auto uses_value = [&](const TypedPtr& operand) {
    bool found = false;
    walk(operand, [&](const Typed& node) {
      const auto* use = node.as<LocalUse>();
      found = found || (use && use->id == value);
    });
    return found;
  };
  if (apply->op == reduction) terms.insert(expr.get());
  const bool combines = apply->op == combining(reduction), scales = reduction == Op::sum && apply->op == Op::multiply;
  for (const TypedPtr& operand : apply->args) {
    if (combines || (scales && uses_value(operand))) note_terms(operand, value, reduction, terms);
  }
}

TypedPtr cast_to(const TypedPtr& value, DType dtype) {
  if (value->dtype == dtype) return value;
  return make_typed(value->span, dtype, value->shape, Apply{Op::cast, {value}, {}});
}

TypedPtr scalar_apply(Span span, Op op, DType dtype, std::vector<TypedPtr> args) {
  return make_typed(span, dtype, {}, Apply{op, std::move(args), {}});
}

}  // namespace pallasgen
