#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "expressions/calls.h"
#include "expressions/evaluate.h"
#include "expressions/operators.h"

namespace pallasgen {

namespace {

int64_t elements(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
}

TypedPtr reshape(TypingContext& in, const Bound& args, Span span) {
  const TypedPtr operand = settled(in, value_of(in, args[0]), "the operand");
  if (!operand) return nullptr;
  // One size of -1 takes the remaining elements.
  Shape target;
  int64_t open = -1, known = 1;
  for (const ExprPtr& entry : entries_of(args[1])) {
    const std::optional<int64_t> extent = constant_integer(in, entry, "a size");
    if (!extent) return nullptr;
    if (*extent < -1 || (*extent == -1 && open >= 0))
      return in.fail(kShapeMismatch, entry->span, "a size of {} has no meaning here", *extent);
    if (*extent == -1) {
      open = static_cast<int64_t>(target.size());
    } else {
      known *= *extent;
    }
    target.push_back(*extent);
  }
  const int64_t total = elements(operand->shape);
  if (open >= 0 && known > 0 && total % known == 0) target[open] = total / known;
  if (elements(target) != total || (open >= 0 && target[open] < 0)) {
    return in.fail(kShapeMismatch, span, "reshape of {} to {}: {} elements do not become {}",
                   shape_text(operand->shape), shape_text(target), total,
                   open >= 0 && target[open] < 0 ? known : elements(target));
  }
  return make_typed(span, operand->dtype, std::move(target), Apply{Op::reshape, {operand}, {}});
}

TypedPtr expand(TypingContext& in, const Bound& args, Span span) {
  const TypedPtr operand = settled(in, value_of(in, args[0]), "the operand");
  if (!operand) return nullptr;
  std::optional<Axes> places = axes_of(in, args[1], operand->shape.size() + entries_of(args[1]).size(), "axis",
                                       "the expanded " + describe(operand));
  if (!places) return nullptr;
  std::sort(places->begin(), places->end());
  Shape shape = operand->shape;
  for (int64_t place : *places) shape.insert(shape.begin() + place, 1);
  return make_typed(span, operand->dtype, std::move(shape), Apply{Op::expand_dims, {operand}, along(*places)});
}

TypedPtr squeeze(TypingContext& in, const Bound& args, Span span) {
  const TypedPtr operand = settled(in, value_of(in, args[0]), "the operand");
  if (!operand) return nullptr;
  OpAttributes attributes;
  const bool named = args[1] != nullptr;
  if (named) {
    std::optional<Axes> places = axes_of(in, args[1], operand->shape.size(), "axis", describe(operand));
    if (!places) return nullptr;
    attributes.axes = *places;
    std::sort(attributes.axes.begin(), attributes.axes.end());
  }
  Shape shape;
  for (size_t i = 0; i < operand->shape.size(); ++i) {
    const int64_t axis = static_cast<int64_t>(i);
    const bool listed = std::find(attributes.axes.begin(), attributes.axes.end(), axis) != attributes.axes.end();
    if (listed && operand->shape[i] != 1) {
      return in.fail(kShapeMismatch, span, "squeeze of axis {} of {}: its size is {}, not 1", axis,
                     shape_text(operand->shape), operand->shape[i]);
    }
    if (!named && operand->shape[i] == 1) {
      attributes.axes.push_back(axis);
    } else if (!listed) {
      shape.push_back(operand->shape[i]);
    }
  }
  return make_typed(span, operand->dtype, std::move(shape), Apply{Op::squeeze, {operand}, std::move(attributes)});
}

TypedPtr concatenate(TypingContext& in, const Bound& args, Span span) {
  const Value list = evaluate(in, args[0]);
  const Sequence* entries = list.as<Sequence>();
  if (!entries || entries->empty()) {
    return list.poisoned()
               ? nullptr
               : in.fail(kArguments, args[0]->span, "concatenate needs a list of arrays: concatenate([a, b], 0)");
  }
  std::vector<TypedPtr> arrays;
  for (const Value& entry : *entries) {
    arrays.push_back(settled(in, read(in, entry), "an operand"));
    if (!arrays.back()) return nullptr;
  }
  const TypedPtr& first = arrays[0];
  OpAttributes attributes;
  attributes.axes = {0};
  if (args[1]) {
    const std::optional<Axes> axis = axes_of(in, args[1], first->shape.size(), "axis", describe(first));
    if (!axis) return nullptr;
    if (axis->size() != 1) return in.fail(kArguments, args[1]->span, "concatenate joins along one axis");
    attributes.axes = *axis;
  } else if (first->shape.empty()) {
    return in.fail(kShapeMismatch, span, "scalars have no axis to concatenate along");
  }
  const int64_t axis = attributes.axes[0];
  Shape shape = first->shape;
  for (size_t i = 1; i < arrays.size(); ++i) {
    if (arrays[i]->dtype != first->dtype) {
      return in.fail(kDTypeMismatch, arrays[i]->span, "concatenate of {} and {}: cast one", describe(first),
                     describe(arrays[i]));
    }
    Shape other = arrays[i]->shape;
    const bool same_rank = other.size() == shape.size();
    const int64_t extent = same_rank ? other[axis] : 0;
    if (same_rank) other[axis] = shape[axis];
    if (other != shape) {
      return in.fail(kShapeMismatch, arrays[i]->span,
                     "concatenate of {} and {} along axis {}: the other axes must be equal", shape_text(first->shape),
                     shape_text(arrays[i]->shape), axis);
    }
    shape[axis] += extent;
  }
  const DType dtype = first->dtype;
  return make_typed(span, dtype, std::move(shape), Apply{Op::concatenate, std::move(arrays), std::move(attributes)});
}

TypedPtr generate(TypingContext& in, Op op, const Bound& args, Span span) {
  const std::optional<DType> target = dtype_of(in, args[0]);
  std::optional<Shape> extents = shape_of(in, args[1]);
  if (!target || !extents) return nullptr;
  if (op == Op::iota) {
    if (!info(*target).is_integer && !info(*target).is_float) {
      return in.fail(kOperandDType, args[0]->span, "iota needs a dtype of numbers, not {}", name_of(*target));
    }
    OpAttributes attributes;
    attributes.axes = {0};
    if (args[2]) {
      const std::optional<Axes> dim = axes_of(in, args[2], extents->size(), "dim", describe(*target, *extents));
      if (!dim) return nullptr;
      if (dim->size() != 1) return in.fail(kArguments, args[2]->span, "iota counts along one dim");
      attributes.axes = *dim;
    } else if (extents->size() != 1) {
      return in.fail(kArguments, span, "iota of shape {} needs 'dim'", shape_text(*extents));
    }
    return make_typed(span, *target, std::move(*extents), Apply{op, {}, std::move(attributes)});
  }
  const TypedPtr value = coerce(in, value_of(in, args[2]), *target);
  if (!value) return nullptr;
  if (value->dtype != *target || !value->shape.empty()) {
    return in.fail(kDTypeMismatch, args[2]->span, "full of {} needs one {}, not {}", name_of(*target), name_of(*target),
                   describe(value));
  }
  return make_typed(span, *target, std::move(*extents), Apply{op, {value}, {}});
}

}  // namespace

std::optional<Axes> axes_of(TypingContext& in, const ExprPtr& expr, size_t rank, std::string_view what,
                            const std::string& of) {
  Axes out;
  for (const ExprPtr& entry : entries_of(expr)) {
    const std::optional<int64_t> axis = constant_integer(in, entry, what);
    if (!axis) return std::nullopt;
    const int64_t size = static_cast<int64_t>(rank);
    const int64_t counted = *axis < 0 ? *axis + size : *axis;
    if (counted < 0 || counted >= size) {
      Diagnostic& out = in.error(kIndexRange, entry->span, "{} {} lies outside the {} dimension{} of {}", what, *axis,
                                 rank, rank == 1 ? "" : "s", of);
      if (rank == 1) out.note("write 0");
      if (rank > 1) out.note(fmt::format("0 to {} are inside, and -{} to -1 count from the end", rank - 1, rank));
      return std::nullopt;
    }
    if (std::find(out.begin(), out.end(), counted) != out.end()) {
      in.error(kIndexRange, entry->span, "{} {} is named twice", what, *axis);
      return std::nullopt;
    }
    out.push_back(counted);
  }
  return out;
}

OpAttributes along(Axes axes) {
  OpAttributes out;
  out.axes = std::move(axes);
  return out;
}

TypedPtr permuted(const TypedPtr& value, const Axes& order, Span span) {
  Shape shape;
  for (int64_t axis : order) shape.push_back(value->shape[axis]);
  return make_typed(span, value->dtype, std::move(shape), Apply{Op::transpose, {value}, along(order)});
}

TypedPtr transpose(TypingContext& in, const TypedPtr& operand, const ExprPtr& axes_expr, Span span) {
  const TypedPtr settled_operand = settled(in, operand, "the operand");
  if (!settled_operand) return nullptr;
  const size_t rank = operand->shape.size();
  if (axes_expr) {
    const std::optional<Axes> order = axes_of(in, axes_expr, rank, "axis", describe(operand));
    if (!order) return nullptr;
    if (order->size() != rank) {
      return in.fail(kShapeMismatch, axes_expr->span, "transpose of {} needs {} axes, not {}",
                     shape_text(operand->shape), rank, order->size());
    }
    return permuted(operand, *order, span);
  }
  Axes reversed(rank);
  std::iota(reversed.rbegin(), reversed.rend(), 0);
  return permuted(operand, reversed, span);
}

TypedPtr shape_call(TypingContext& in, const CallExpr& node, Span span, const std::string& name) {
  const Op op = name == "zeros" ? Op::full : *operation_named(name);
  std::optional<Bound> args = bind_arguments(in, node, span, name);
  if (!args) return nullptr;
  switch (op) {
    case Op::reshape:
      return reshape(in, *args, span);
    case Op::transpose: {
      const TypedPtr operand = value_of(in, (*args)[0]);
      return operand ? transpose(in, operand, (*args)[1], span) : nullptr;
    }
    case Op::broadcast_to: {
      const TypedPtr operand = settled(in, value_of(in, (*args)[0]), "the operand");
      std::optional<Shape> target = shape_of(in, (*args)[1]);
      if (!operand || !target) return nullptr;
      Shape joint;
      const TypedPtr model = make_typed(span, operand->dtype, *target, Constant{});
      if (!broadcast(in, span, name, {operand, model}, joint)) return nullptr;
      if (joint != *target) {
        return in.fail(kShapeMismatch, span, "{} of {} to {} would make it smaller", name, shape_text(operand->shape),
                       shape_text(*target));
      }
      return make_typed(span, operand->dtype, std::move(joint), Apply{op, {operand}, {}});
    }
    case Op::expand_dims:
      return expand(in, *args, span);
    case Op::squeeze:
      return squeeze(in, *args, span);
    case Op::concatenate:
      return concatenate(in, *args, span);
    case Op::iota:
      return generate(in, op, *args, span);
    case Op::full:
      if (name == "zeros") args->push_back(make_expr(span, IntegerLiteral{0}));
      return generate(in, op, *args, span);
    default:
      return in.fail(kNameKind, span, "'{}' is no function", name);
  }
}

}  // namespace pallasgen
