#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "expressions/calls.h"
#include "expressions/evaluate.h"
#include "expressions/operators.h"

namespace pallasgen {

namespace {

// The dtype of a sum: i32 for bool and narrow integers.
DType sum_dtype(DType dtype) {
  const bool narrow = dtype == DType::boolean || (info(dtype).is_integer && info(dtype).bits < 32);
  return narrow ? DType::i32 : dtype;
}

bool is_float(DType dtype) { return info(dtype).is_float; }

// The axes that `axis` lists, in ascending order; all axes of the operand if it is absent.
std::optional<Axes> reduced_axes(TypingContext& in, const ExprPtr& axis, const TypedPtr& operand) {
  Axes all(operand->shape.size());
  std::iota(all.begin(), all.end(), 0);
  if (!axis) return all;
  std::optional<Axes> given = axes_of(in, axis, all.size(), "axis", describe(operand));
  if (given && given->empty()) {
    in.error(kArguments, axis->span, "'axis' names no axis").note("without 'axis' all of them are reduced");
    return std::nullopt;
  }
  if (given) std::sort(given->begin(), given->end());
  return given;
}

std::optional<bool> keeps_dims(TypingContext& in, const ExprPtr& keepdims) {
  return keepdims ? constant_bool(in, keepdims, "'keepdims'") : false;
}

// The expression where(isfinite(x), x, 0).
TypedPtr finite_or_zero(TypingContext& in, const TypedPtr& x) {
  const TypedPtr finite = operate(in, x->span, Op::isfinite, {x});
  return operate(in, x->span, Op::where, {finite, x, make_typed(x->span, x->dtype, {}, Constant{0.0, {}})});
}

// The result of a reduction or scan of no elements.
TypedPtr of_nothing(Span span, Op op, DType dtype, Shape shape) {
  Constant none;
  if (dtype == DType::boolean)
    none.value = op == Op::all;
  else if (info(dtype).is_float)
    none.value = op == Op::prod ? 1.0 : 0.0;
  else
    none.value = int64_t{op == Op::prod};
  const TypedPtr element = make_typed(span, dtype, {}, none);
  return shape.empty() ? element : make_typed(span, dtype, std::move(shape), Apply{Op::full, {element}, {}});
}

}  // namespace

TypedPtr reduce_call(TypingContext& in, const CallExpr& node, Span span, const std::string& name) {
  const Op op = *operation_named(name);
  const bool picks = op == Op::max || op == Op::min;
  if (picks && node.args.size() >= 2) {  // max(a, b, …) of index values
    TypedPtr out;
    for (const ExprPtr& arg : node.args) {
      const TypedPtr operand = value_of(in, arg);
      if (!operand) return nullptr;
      if (operand->dtype != DType::index || !operand->shape.empty()) {
        Diagnostic& diagnostic =
            in.error(kOperandDType, arg->span, "{} of several operands compares integers of the grid, not {}", name,
                     describe(operand));
        std::string larger = to_string(*node.args[0]);
        for (size_t i = 1; i < node.args.size(); ++i)
          larger = fmt::format("{}imum({}, {})", name, larger, to_string(*node.args[i]));
        diagnostic.note(fmt::format("of each two elements: write {}", larger));
        diagnostic.note(fmt::format("a reduction is {}(x, axis=…)", name));
        return nullptr;
      }
      out = out ? operate(in, span, op == Op::max ? Op::maximum : Op::minimum, {out, operand}) : operand;
    }
    if (node.keywords.empty()) return out;
    return in.fail(kArguments, node.keywords[0].name_span, "{} of several operands takes no '{}'", name,
                   node.keywords[0].name);
  }
  const bool cumulative = op == Op::cumsum || op == Op::cummax;
  const std::optional<Bound> args = bind_arguments(in, node, span, name);
  if (!args) return nullptr;
  const TypedPtr operand = with_own_dtype(in, settled(in, value_of(in, (*args)[0]), "the operand"));
  if (!operand) return nullptr;
  if (operand->dtype == DType::index || operand->dtype == DType::literal) {
    in.error(kLiteralDType, span, "{} needs a value with a dtype, not {}", name, describe(operand))
        .note(
            fmt::format("write {}({}({}))", name, operand->dtype == DType::index ? "i32" : "f32", to_string(operand)));
    return nullptr;
  }
  const bool all = !(*args)[1] || (*args)[1]->as<NoneLiteral>();
  const std::optional<Axes> reduced = reduced_axes(in, all ? nullptr : (*args)[1], operand);
  if (!reduced) return nullptr;
  const bool one_axis = cumulative || op == Op::argmax || op == Op::argmin;
  if (one_axis && reduced->size() != 1) {
    return in.fail(kArguments, span, "{} of {} needs one axis: {}(…, axis=0)", name, describe(operand), name);
  }
  const std::optional<bool> keepdims = cumulative ? false : keeps_dims(in, (*args)[2]);
  return keepdims ? reduce_axes(in, span, op, operand, *reduced, *keepdims) : nullptr;
}

TypedPtr reduce_axes(TypingContext& in, Span span, Op op, const TypedPtr& operand, Axes reduced, bool keepdims) {
  const std::string_view name = operation(op).name;
  const bool is_bool = operand->dtype == DType::boolean;
  const Operands takes = operation(op).takes;
  const bool wants_bool = takes == Operands::bools;
  const bool sums = takes == Operands::any;
  const auto refuse = [&](std::string_view need, const std::string& remedy) {
    in.error(kOperandDType, span, "{} needs {}, not {}", name, need, describe(operand)).note(remedy);
    return nullptr;
  };
  if (wants_bool && !is_bool)
    return refuse("truth values", fmt::format("compare them: {}({} != 0)", name, to_string(operand)));
  if (takes == Operands::numbers && is_bool)
    return refuse("numbers", fmt::format("cast them: {}", to_string(cast(in, operand, DType::i32, span))));
  if (takes == Operands::floats && !is_float(operand->dtype))
    return refuse("floats", fmt::format("cast them: {}", to_string(cast(in, operand, DType::f32, span))));
  DType dtype = operand->dtype;
  if (sums) dtype = sum_dtype(dtype);
  if (op == Op::argmax || op == Op::argmin) dtype = DType::i32;
  OpAttributes attributes = along(std::move(reduced));
  attributes.keepdims = keepdims;
  Shape shape;
  for (size_t i = 0; i < operand->shape.size(); ++i) {
    const auto& axes = attributes.axes;
    const bool gone = std::find(axes.begin(), axes.end(), static_cast<int64_t>(i)) != axes.end();
    if (!gone || op == Op::cumsum || op == Op::cummax) {
      shape.push_back(operand->shape[i]);
      continue;
    }
    const bool has_identity = sums || wants_bool;
    if (operand->shape[i] == 0 && !has_identity) {
      return in.fail(kShapeMismatch, span, "{} over axis {} of {}, which is empty", name, i,
                     shape_text(operand->shape));
    }
    if (keepdims) shape.push_back(1);
  }
  const bool empty = std::any_of(attributes.axes.begin(), attributes.axes.end(),
                                 [&](int64_t axis) { return operand->shape[static_cast<size_t>(axis)] == 0; });
  if (empty) return of_nothing(span, op, dtype, std::move(shape));
  return make_typed(span, dtype, std::move(shape), Apply{op, {operand}, std::move(attributes)});
}

// softmax(x) = exp(x - max(x)) / sum(exp(x - max(x))); logsumexp(x) = m + log(sum(exp(x - m))), where m is max(x) if
// that is finite, else 0, so that infinities stay as in JAX (inf - inf would be NaN).
TypedPtr composed_call(TypingContext& in, const CallExpr& node, Span span, const std::string& name) {
  const bool softmax = name == "softmax";
  const std::optional<Bound> args = bind_arguments(in, node, span, name);
  if (!args) return nullptr;
  TypedPtr operand = settled(in, value_of(in, (*args)[0]), "the operand");
  if (!operand) return nullptr;
  if (!is_float(operand->dtype))
    return in.fail(kOperandDType, span, "{} needs floats, not {}", name, describe(operand));
  std::optional<Axes> reduced = reduced_axes(in, (*args)[1], operand);
  if (!reduced) return nullptr;
  if (softmax && !(*args)[1] && !reduced->empty()) reduced = Axes{reduced->back()};  // the last axis, as in JAX
  const std::optional<bool> keepdims = softmax ? false : keeps_dims(in, (*args)[2]);
  if (!keepdims) return nullptr;
  operand = keep(in, name + "_x", operand);
  TypedPtr largest = keep(in, name + "_max", reduce_axes(in, span, Op::max, operand, *reduced, true));
  if (!largest) return nullptr;
  if (!softmax) largest = keep(in, name + "_shift", finite_or_zero(in, largest));
  const TypedPtr powers =
      keep(in, name + "_exp", operate(in, span, Op::exp, {operate(in, span, Op::subtract, {operand, largest})}));
  const TypedPtr total = reduce_axes(in, span, Op::sum, powers, *reduced, softmax || *keepdims);
  const auto called = [&](const TypedPtr& value) -> TypedPtr {
    if (!value) return nullptr;
    Typed out = *value;
    out.call = std::make_shared<const std::string>(to_string(Expr{span, node}));
    return std::make_shared<const Typed>(std::move(out));
  };
  if (softmax) return called(operate(in, span, Op::divide, {powers, total}));
  TypedPtr offset = largest;
  if (!*keepdims) {
    offset = make_typed(span, largest->dtype, total->shape, Apply{Op::squeeze, {largest}, along(*reduced)});
  }
  return called(operate(in, span, Op::add, {offset, operate(in, span, Op::log, {total})}));
}

}  // namespace pallasgen
