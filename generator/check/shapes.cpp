#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "typer.h"

namespace pallasgen {

namespace {

int64_t elements(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
}

}  // namespace

std::optional<std::vector<int64_t>> Typer::axes(const ExprPtr& expr, size_t rank, std::string_view what,
                                                const std::string& of) {
  const std::vector<ExprPtr>* entries = nullptr;
  if (const auto* node = expr->as<ListExpr>()) entries = &node->items;
  if (const auto* node = expr->as<TupleExpr>()) entries = &node->items;
  const std::vector<ExprPtr> single{expr};
  std::vector<int64_t> out;
  for (const ExprPtr& entry : entries ? *entries : single) {
    const std::optional<int64_t> axis = constant_integer(entry, what);
    if (!axis) return std::nullopt;
    const int64_t size = static_cast<int64_t>(rank);
    const int64_t counted = *axis < 0 ? *axis + size : *axis;
    if (counted < 0 || counted >= size) {
      Diagnostic& out = error(
          kIndexRange, entry->span,
          fmt::format("{} {} lies outside the {} dimension{} of {}", what, *axis, rank, rank == 1 ? "" : "s", of));
      if (rank == 1) out.note("write 0");
      if (rank > 1) out.note(fmt::format("0 to {} are inside, and -{} to -1 count from the end", rank - 1, rank));
      return std::nullopt;
    }
    if (std::find(out.begin(), out.end(), counted) != out.end()) {
      error(kIndexRange, entry->span, fmt::format("{} {} is named twice", what, *axis));
      return std::nullopt;
    }
    out.push_back(counted);
  }
  return out;
}

TypedPtr Typer::shape_call(const CallExpr& node, Span span, Op op, const std::string& name) {
  const auto arguments = [&](const std::vector<std::string_view>& parameters, size_t required) {
    return bind(node, span, name, parameters, required);
  };
  std::optional<Bound> args;
  switch (op) {
    case Op::reshape:
      args = arguments({"x", "shape"}, 2);
      return args ? reshape(*args, span) : nullptr;
    case Op::transpose: {
      args = arguments({"x", "axes"}, 1);
      const TypedPtr operand = args ? value((*args)[0]) : nullptr;
      return operand ? transpose(operand, (*args)[1], span) : nullptr;
    }
    case Op::broadcast_to: {
      args = arguments({"x", "shape"}, 2);
      if (!args) return nullptr;
      const TypedPtr operand = settled(value((*args)[0]), "the operand");
      std::optional<Shape> target = shape((*args)[1]);
      if (!operand || !target) return nullptr;
      Shape joint;
      const TypedPtr model = make_typed(span, operand->dtype, *target, Constant{});
      if (!broadcast(span, name, {operand, model}, joint)) return nullptr;
      if (joint != *target) {
        return fail(
            kShapeMismatch, span,
            fmt::format("{} of {} to {} would make it smaller", name, shape_text(operand->shape), shape_text(*target)));
      }
      return make_typed(span, operand->dtype, std::move(joint), Apply{op, {operand}, {}});
    }
    case Op::expand_dims:
      args = arguments({"x", "axis"}, 2);
      return args ? expand(*args, span) : nullptr;
    case Op::squeeze:
      args = arguments({"x", "axis"}, 1);
      return args ? squeeze(*args, span) : nullptr;
    case Op::concatenate:
      args = arguments({"arrays", "axis"}, 1);
      return args ? concatenate(*args, span) : nullptr;
    case Op::iota:
      args = arguments({"dtype", "shape", "dim"}, 2);
      return args ? generate(op, *args, span) : nullptr;
    case Op::full:
      if (name == "zeros") {
        args = arguments({"dtype", "shape"}, 2);
        if (args) args->push_back(make_expr(span, IntegerLiteral{0}));
      } else {
        args = arguments({"dtype", "shape", "value"}, 3);
      }
      return args ? generate(op, *args, span) : nullptr;
    default:
      return fail(kNameKind, span, fmt::format("'{}' is no function", name));
  }
}

TypedPtr Typer::reshape(const Bound& args, Span span) {
  const TypedPtr operand = settled(value(args[0]), "the operand");
  if (!operand) return nullptr;
  // One -1 stands for what is left.
  std::vector<ExprPtr> entries{args[1]};
  if (const auto* list = args[1]->as<ListExpr>()) entries = list->items;
  if (const auto* list = args[1]->as<TupleExpr>()) entries = list->items;
  Shape target;
  int64_t open = -1, known = 1;
  for (const ExprPtr& entry : entries) {
    const std::optional<int64_t> extent = constant_integer(entry, "a size");
    if (!extent) return nullptr;
    if (*extent < -1 || (*extent == -1 && open >= 0))
      return fail(kShapeMismatch, entry->span, fmt::format("a size of {} has no meaning here", *extent));
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
    return fail(kShapeMismatch, span,
                fmt::format("reshape of {} to {}: {} elements do not become {}", shape_text(operand->shape),
                            shape_text(target), total, open >= 0 && target[open] < 0 ? known : elements(target)));
  }
  return make_typed(span, operand->dtype, std::move(target), Apply{Op::reshape, {operand}, {}});
}

TypedPtr Typer::transpose(const TypedPtr& operand, const ExprPtr& axes_expr, Span span) {
  const TypedPtr settled_operand = settled(operand, "the operand");
  if (!settled_operand) return nullptr;
  const size_t rank = operand->shape.size();
  OpAttributes attributes;
  if (axes_expr) {
    const std::optional<std::vector<int64_t>> order = axes(axes_expr, rank, "axis", describe(operand));
    if (!order) return nullptr;
    if (order->size() != rank) {
      return fail(
          kShapeMismatch, axes_expr->span,
          fmt::format("transpose of {} needs {} axes, not {}", shape_text(operand->shape), rank, order->size()));
    }
    attributes.axes = *order;
  } else {
    for (size_t i = rank; i > 0; --i) attributes.axes.push_back(static_cast<int64_t>(i) - 1);
  }
  Shape shape;
  for (int64_t axis : attributes.axes) shape.push_back(operand->shape[axis]);
  return make_typed(span, operand->dtype, std::move(shape), Apply{Op::transpose, {operand}, std::move(attributes)});
}

TypedPtr Typer::expand(const Bound& args, Span span) {
  const TypedPtr operand = settled(value(args[0]), "the operand");
  if (!operand) return nullptr;
  size_t added = 1;
  if (const auto* list = args[1]->as<ListExpr>()) added = list->items.size();
  if (const auto* list = args[1]->as<TupleExpr>()) added = list->items.size();
  std::optional<std::vector<int64_t>> places =
      axes(args[1], operand->shape.size() + added, "axis", "the expanded " + describe(operand));
  if (!places) return nullptr;
  std::sort(places->begin(), places->end());
  Shape shape = operand->shape;
  for (int64_t place : *places) shape.insert(shape.begin() + place, 1);
  OpAttributes attributes;
  attributes.axes = *places;
  return make_typed(span, operand->dtype, std::move(shape), Apply{Op::expand_dims, {operand}, std::move(attributes)});
}

TypedPtr Typer::squeeze(const Bound& args, Span span) {
  const TypedPtr operand = settled(value(args[0]), "the operand");
  if (!operand) return nullptr;
  OpAttributes attributes;
  const bool named = args[1] != nullptr;
  if (named) {
    std::optional<std::vector<int64_t>> places = axes(args[1], operand->shape.size(), "axis", describe(operand));
    if (!places) return nullptr;
    attributes.axes = *places;
    std::sort(attributes.axes.begin(), attributes.axes.end());
  }
  Shape shape;
  for (size_t i = 0; i < operand->shape.size(); ++i) {
    const int64_t axis = static_cast<int64_t>(i);
    const bool listed = std::find(attributes.axes.begin(), attributes.axes.end(), axis) != attributes.axes.end();
    if (listed && operand->shape[i] != 1) {
      return fail(kShapeMismatch, span,
                  fmt::format("squeeze of axis {} of {}: its size is {}, not 1", axis, shape_text(operand->shape),
                              operand->shape[i]));
    }
    if (!named && operand->shape[i] == 1) {
      attributes.axes.push_back(axis);
    } else if (!listed) {
      shape.push_back(operand->shape[i]);
    }
  }
  return make_typed(span, operand->dtype, std::move(shape), Apply{Op::squeeze, {operand}, std::move(attributes)});
}

TypedPtr Typer::concatenate(const Bound& args, Span span) {
  const Value list = evaluate(args[0]);
  const Sequence* entries = list.as<Sequence>();
  if (!entries || entries->empty()) {
    return list.poisoned()
               ? nullptr
               : fail(kArguments, args[0]->span, "concatenate needs a list of arrays: concatenate([a, b], 0)");
  }
  std::vector<TypedPtr> arrays;
  for (const Value& entry : *entries) {
    arrays.push_back(settled(read(entry), "an operand"));
    if (!arrays.back()) return nullptr;
  }
  const TypedPtr& first = arrays[0];
  OpAttributes attributes;
  attributes.axes = {0};
  if (args[1]) {
    const std::optional<std::vector<int64_t>> axis = axes(args[1], first->shape.size(), "axis", describe(first));
    if (!axis) return nullptr;
    if (axis->size() != 1) return fail(kArguments, args[1]->span, "concatenate joins along one axis");
    attributes.axes = *axis;
  } else if (first->shape.empty()) {
    return fail(kShapeMismatch, span, "scalars have no axis to concatenate along");
  }
  const int64_t axis = attributes.axes[0];
  Shape shape = first->shape;
  for (size_t i = 1; i < arrays.size(); ++i) {
    if (arrays[i]->dtype != first->dtype) {
      return fail(kDTypeMismatch, arrays[i]->span,
                  fmt::format("concatenate of {} and {}: cast one", describe(first), describe(arrays[i])));
    }
    Shape other = arrays[i]->shape;
    const bool same_rank = other.size() == shape.size();
    const int64_t extent = same_rank ? other[axis] : 0;
    if (same_rank) other[axis] = shape[axis];
    if (other != shape) {
      return fail(kShapeMismatch, arrays[i]->span,
                  fmt::format("concatenate of {} and {} along axis {}: the other axes must be equal",
                              shape_text(first->shape), shape_text(arrays[i]->shape), axis));
    }
    shape[axis] += extent;
  }
  const DType dtype = first->dtype;
  return make_typed(span, dtype, std::move(shape), Apply{Op::concatenate, std::move(arrays), std::move(attributes)});
}

TypedPtr Typer::generate(Op op, const Bound& args, Span span) {
  const std::optional<DType> target = dtype(args[0]);
  std::optional<Shape> extents = shape(args[1]);
  if (!target || !extents) return nullptr;
  if (op == Op::iota) {
    if (!info(*target).is_integer && !info(*target).is_float) {
      return fail(kOperandDType, args[0]->span, fmt::format("iota needs a dtype of numbers, not {}", name_of(*target)));
    }
    OpAttributes attributes;
    attributes.axes = {0};
    if (args[2]) {
      const std::optional<std::vector<int64_t>> dim =
          axes(args[2], extents->size(), "dim", describe(*target, *extents));
      if (!dim) return nullptr;
      if (dim->size() != 1) return fail(kArguments, args[2]->span, "iota counts along one dim");
      attributes.axes = *dim;
    } else if (extents->size() != 1) {
      return fail(kArguments, span, fmt::format("iota of shape {} needs 'dim'", shape_text(*extents)));
    }
    return make_typed(span, *target, std::move(*extents), Apply{op, {}, std::move(attributes)});
  }
  const TypedPtr value = coerce(this->value(args[2]), *target);
  if (!value) return nullptr;
  if (value->dtype != *target || !value->shape.empty()) {
    return fail(kDTypeMismatch, args[2]->span,
                fmt::format("full of {} needs one {}, not {}", name_of(*target), name_of(*target), describe(value)));
  }
  return make_typed(span, *target, std::move(*extents), Apply{op, {value}, {}});
}

}  // namespace pallasgen
