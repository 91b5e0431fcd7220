#include <fmt/format.h>

#include "typer.h"

namespace pallasgen {

// quantize(x, dtype, scale) = x / scale as the nearest value of the dtype (ties to even), saturated.
TypedPtr Typer::quantize_call(const CallExpr& node, Span span) {
  const std::optional<Bound> args = bind(node, span, "quantize", {"x", "dtype", "scale"}, 3);
  if (!args) return nullptr;
  const TypedPtr x = settled(value((*args)[0]), "the operand");
  const std::optional<DType> target = dtype((*args)[1]);
  TypedPtr scale = value((*args)[2]);
  if (!x || !target || !scale) return nullptr;
  if (!info(x->dtype).is_float || x->dtype == DType::literal) {
    return fail(kOperandDType, (*args)[0]->span, fmt::format("quantize needs floats, not {}", describe(x)));
  }
  if (*target == DType::boolean || (info(*target).is_float && info(*target).bits > 8)) {
    error(kOperandDType, (*args)[1]->span,
          fmt::format("quantize gives an integer dtype or one of 8 or 4 bits, not {}", name_of(*target)))
        .note(fmt::format("write {} / scale, or .astype({})", to_string(x), name_of(*target)));
    return nullptr;
  }
  const TypedPtr quotient = operate(span, Op::divide, {x, std::move(scale)});
  if (!quotient) return nullptr;
  return cast(info(*target).is_integer ? operate(span, Op::round, {quotient}) : quotient, *target, span);
}

// dequantize(x, scale) = x * scale in the scale's dtype, or in `dtype`.
TypedPtr Typer::dequantize_call(const CallExpr& node, Span span) {
  const std::optional<Bound> args = bind(node, span, "dequantize", {"x", "scale", "dtype"}, 2);
  if (!args) return nullptr;
  const TypedPtr x = settled(value((*args)[0]), "the operand");
  TypedPtr scale = value((*args)[1]);
  if (!x || !scale) return nullptr;
  DType dtype = scale->dtype == DType::index || scale->dtype == DType::literal ? DType::f32 : scale->dtype;
  if ((*args)[2]) {
    const std::optional<DType> given = this->dtype((*args)[2]);
    if (!given) return nullptr;
    dtype = *given;
  }
  if (!info(dtype).is_float) {
    error(kOperandDType, span, fmt::format("dequantize gives floats, not {}", name_of(dtype)))
        .note("the scale, or `dtype=`, says which: dequantize(q, scale, f32)");
    return nullptr;
  }
  if (x->dtype == DType::boolean) {
    return fail(kOperandDType, (*args)[0]->span, "dequantize needs numbers, not bools");
  }
  return operate(span, Op::multiply, {cast(x, dtype, span), cast(scale, dtype, span)});
}

}  // namespace pallasgen
