#include <fmt/format.h>

#include "expressions/calls.h"
#include "expressions/evaluate.h"
#include "expressions/operators.h"

namespace pallasgen {

// quantize(x, dtype, scale) is x / scale as the nearest value of the dtype (ties to even), saturated.
TypedPtr quantize_call(TypingContext& in, const CallExpr& node, Span span, const std::string& name) {
  const std::optional<Bound> args = bind_arguments(in, node, span, name);
  if (!args) return nullptr;
  const TypedPtr x = settled(in, value_of(in, (*args)[0]), "the operand");
  const std::optional<DType> target = dtype_of(in, (*args)[1]);
  TypedPtr scale = value_of(in, (*args)[2]);
  if (!x || !target || !scale) return nullptr;
  if (!info(x->dtype).is_float || x->dtype == DType::literal) {
    return in.fail(kOperandDType, (*args)[0]->span, "quantize needs floats, not {}", describe(x));
  }
  if (*target == DType::boolean || (info(*target).is_float && info(*target).bits > 8)) {
    in.error(kOperandDType, (*args)[1]->span, "quantize gives an integer dtype or one of 8 or 4 bits, not {}",
             name_of(*target))
        .note(fmt::format("write {}, or .astype({})", to_string(operate(in, span, Op::divide, {x, scale})),
                          name_of(*target)));
    return nullptr;
  }
  const TypedPtr quotient = operate(in, span, Op::divide, {x, std::move(scale)});
  if (!quotient) return nullptr;
  return cast(in, info(*target).is_integer ? operate(in, span, Op::round, {quotient}) : quotient, *target, span);
}

// dequantize(x, scale) is x * scale in the scale's dtype, or in `dtype`.
TypedPtr dequantize_call(TypingContext& in, const CallExpr& node, Span span, const std::string& name) {
  const std::optional<Bound> args = bind_arguments(in, node, span, name);
  if (!args) return nullptr;
  const TypedPtr x = settled(in, value_of(in, (*args)[0]), "the operand");
  TypedPtr scale = value_of(in, (*args)[1]);
  if (!x || !scale) return nullptr;
  DType dtype = scale->dtype == DType::index || scale->dtype == DType::literal ? DType::f32 : scale->dtype;
  if ((*args)[2]) {
    const std::optional<DType> given = dtype_of(in, (*args)[2]);
    if (!given) return nullptr;
    dtype = *given;
  }
  if (!info(dtype).is_float) {
    in.error(kOperandDType, span, "dequantize gives floats, not {}", name_of(dtype))
        .note("the scale, or `dtype=`, says which: dequantize(q, scale, f32)");
    return nullptr;
  }
  if (x->dtype == DType::boolean) {
    return in.fail(kOperandDType, (*args)[0]->span, "dequantize needs numbers, not bools");
  }
  return operate(in, span, Op::multiply, {cast(in, x, dtype, span), cast(in, scale, dtype, span)});
}

}  // namespace pallasgen
