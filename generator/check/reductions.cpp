#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "typer.h"

namespace pallasgen {

namespace {

// SPEC.md section 5, "Sums": bool and narrow integers give i32.
DType sum_dtype(DType dtype) {
  const bool narrow = dtype == DType::boolean || (info(dtype).is_integer && info(dtype).bits < 32);
  return narrow ? DType::i32 : dtype;
}

bool is_float(DType dtype) { return info(dtype).is_float; }

}  // namespace

TypedPtr Typer::reduce_call(const CallExpr& node, Span span, Op op, const std::string& name) {
  const bool picks = op == Op::max || op == Op::min;
  if (picks && node.args.size() >= 2) {  // max(a, b, …) of index values
    TypedPtr out;
    for (const ExprPtr& arg : node.args) {
      const TypedPtr operand = value(arg);
      if (!operand) return nullptr;
      if (operand->dtype != DType::index || !operand->shape.empty()) {
        Diagnostic& diagnostic =
            error(kOperandDType, arg->span,
                  fmt::format("{} of several operands compares integers of the grid, not {}", name, describe(operand)));
        diagnostic.note(fmt::format("write {}imum(…) for arrays, or {}(x, axis=…) for a reduction", name, name));
        return nullptr;
      }
      out = out ? operate(span, op == Op::max ? Op::maximum : Op::minimum, {out, operand}) : operand;
    }
    if (node.keywords.empty()) return out;
    return fail(kArguments, node.keywords[0].name_span,
                fmt::format("{} of several operands takes no '{}'", name, node.keywords[0].name));
  }
  const bool cumulative = op == Op::cumsum || op == Op::cummax;
  std::vector<std::string_view> parameters{"x", "axis"};
  if (!cumulative) parameters.push_back("keepdims");
  const std::optional<Bound> args = bind(node, span, name, parameters, 1);
  if (!args) return nullptr;
  const TypedPtr operand = with_own_dtype(settled(value((*args)[0]), "the operand"));
  if (!operand) return nullptr;
  if (operand->dtype == DType::index || operand->dtype == DType::literal) {
    error(kLiteralDType, span, fmt::format("{} needs a value with a dtype, not {}", name, describe(operand)))
        .note(
            fmt::format("write {}({}({}))", name, operand->dtype == DType::index ? "i32" : "f32", to_string(operand)));
    return nullptr;
  }
  std::vector<int64_t> reduced(operand->shape.size());
  std::iota(reduced.begin(), reduced.end(), 0);
  if ((*args)[1] && !(*args)[1]->as<NoneLiteral>()) {
    const std::optional<std::vector<int64_t>> given =
        axes((*args)[1], operand->shape.size(), "axis", describe(operand));
    if (!given) return nullptr;
    reduced = *given;
    std::sort(reduced.begin(), reduced.end());
  }
  const bool one_axis = cumulative || op == Op::argmax || op == Op::argmin;
  if (one_axis && reduced.size() != 1) {
    return fail(kArguments, span, fmt::format("{} of {} needs one axis: {}(…, axis=0)", name, describe(operand), name));
  }
  bool keepdims = false;
  if (!cumulative && (*args)[2]) {
    const std::optional<bool> given = constant_bool((*args)[2], "'keepdims'");
    if (!given) return nullptr;
    keepdims = *given;
  }
  return reduce(span, op, operand, std::move(reduced), keepdims);
}

TypedPtr Typer::reduce(Span span, Op op, const TypedPtr& operand, std::vector<int64_t> reduced, bool keepdims) {
  const std::string_view name = operation(op).name;
  const bool is_bool = operand->dtype == DType::boolean;
  const bool wants_bool = op == Op::any || op == Op::all;
  const bool sums = op == Op::sum || op == Op::prod || op == Op::cumsum;
  const auto refuse = [&](std::string_view need, const std::string& remedy) {
    error(kOperandDType, span, fmt::format("{} needs {}, not {}", name, need, describe(operand))).note(remedy);
    return nullptr;
  };
  if (wants_bool && !is_bool)
    return refuse("truth values", fmt::format("compare them: {}({} != 0)", name, to_string(operand)));
  if (!wants_bool && !sums && is_bool)
    return refuse("numbers", fmt::format("cast them: {}.astype(i32)", to_string(operand)));
  if (op == Op::mean && !is_float(operand->dtype))
    return refuse("floats", fmt::format("cast them: {}.astype(f32)", to_string(operand)));
  DType dtype = operand->dtype;
  if (sums) dtype = sum_dtype(dtype);
  if (op == Op::argmax || op == Op::argmin) dtype = DType::i32;
  OpAttributes attributes;
  attributes.axes = std::move(reduced);
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
      return fail(kShapeMismatch, span,
                  fmt::format("{} over axis {} of {}, which is empty", name, i, shape_text(operand->shape)));
    }
    if (keepdims) shape.push_back(1);
  }
  return make_typed(span, dtype, std::move(shape), Apply{op, {operand}, std::move(attributes)});
}

TypedPtr Typer::keep(const std::string& name, const TypedPtr& value, bool copies) {
  if (!value || !prelude_ || value->as<Constant>() || value->as<Symbol>()) return value;
  if (value->as<LocalUse>() && !copies) return value;
  const int id = context_.locals++;
  std::string own = name;
  for (int number = 2; context_.find(own) || context_.body_names.count(own) > 0; ++number)
    own = name + "_" + std::to_string(number);
  context_.values_of_locals.resize(context_.locals);
  context_.values_of_locals[id] = {value, value->span};
  prelude_->push_back({value->span, own + " = " + to_string(value), BindStmt{id, own, value, false}});
  return make_typed(value->span, value->dtype, value->shape, LocalUse{id, own});
}

// where(isfinite(x), x, 0)
TypedPtr Typer::finite_or_zero(const TypedPtr& x) {
  const TypedPtr finite = operate(x->span, Op::isfinite, {x});
  return operate(x->span, Op::where, {finite, x, make_typed(x->span, x->dtype, {}, Constant{0.0, {}})});
}

// softmax(x) = exp(x - max(x)) / sum(exp(x - max(x))), logsumexp(x) = m + log(sum(exp(x - m))) where m is max(x) if
// that is finite, else 0: infinities stay infinities, as JAX has it, for inf - inf would be NaN.
TypedPtr Typer::composed_call(const CallExpr& node, Span span, const std::string& name) {
  const bool softmax = name == "softmax";
  std::vector<std::string_view> parameters{"x", "axis"};
  if (!softmax) parameters.push_back("keepdims");
  const std::optional<Bound> args = bind(node, span, name, parameters, 1);
  if (!args) return nullptr;
  TypedPtr operand = settled(value((*args)[0]), "the operand");
  if (!operand) return nullptr;
  if (!is_float(operand->dtype))
    return fail(kOperandDType, span, fmt::format("{} needs floats, not {}", name, describe(operand)));
  std::vector<int64_t> reduced(operand->shape.size());
  std::iota(reduced.begin(), reduced.end(), 0);
  if (softmax && !reduced.empty()) reduced.erase(reduced.begin(), reduced.end() - 1);  // the last axis, as JAX has it
  if ((*args)[1]) {
    const std::optional<std::vector<int64_t>> given =
        axes((*args)[1], operand->shape.size(), "axis", describe(operand));
    if (!given) return nullptr;
    reduced = *given;
    std::sort(reduced.begin(), reduced.end());
  }
  bool keepdims = false;
  if (!softmax && (*args)[2]) {
    const std::optional<bool> given = constant_bool((*args)[2], "'keepdims'");
    if (!given) return nullptr;
    keepdims = *given;
  }
  operand = keep(name + "_x", operand);
  TypedPtr largest = keep(name + "_max", reduce(span, Op::max, operand, reduced, true));
  if (!largest) return nullptr;
  if (!softmax) largest = keep(name + "_shift", finite_or_zero(largest));
  const TypedPtr powers =
      keep(name + "_exp", operate(span, Op::exp, {operate(span, Op::subtract, {operand, largest})}));
  const TypedPtr total = reduce(span, Op::sum, powers, reduced, softmax || keepdims);
  if (softmax) return operate(span, Op::divide, {powers, total});
  TypedPtr offset = largest;
  if (!keepdims) {
    OpAttributes attributes;
    attributes.axes = reduced;
    offset = make_typed(span, largest->dtype, total->shape, Apply{Op::squeeze, {largest}, std::move(attributes)});
  }
  return operate(span, Op::add, {offset, operate(span, Op::log, {total})});
}

}  // namespace pallasgen
