#include "nest.h"

#include <algorithm>

#include "check/steps.h"
#include "conditions.h"
#include "tile/walk.h"

namespace pallasgen::schedule {

using namespace tile;

namespace {

// Whether every number of the dtype's kind holds the value as it is.
bool holds(DType dtype, int64_t value) {
  if (dtype == DType::f32 || dtype == DType::f64) return value > -(1 << 24) && value < 1 << 24;
  return value >= 0 && value < 8 && (info(dtype).is_float || info(dtype).is_integer);
}

// A constant that took the place of a step, where a value met it, is one of that value's dtype, as the text says it.
TypedPtr with_dtypes(const TypedPtr& expr) {
  return rewrite(expr, [](const TypedPtr& node) -> TypedPtr {
    const Apply* cast = node->applies(Op::cast);
    const bool index = cast && cast->args[0]->dtype == DType::index;
    const std::optional<int64_t> value = index ? constant_value(cast->args[0]) : std::nullopt;
    if (!value || !holds(node->dtype, *value)) return nullptr;
    const Scalar scalar = info(node->dtype).is_float ? Scalar(static_cast<double>(*value)) : Scalar(*value);
    return make_typed(node->span, node->dtype, node->shape, Constant{scalar, {}});
  });
}

}  // namespace

Nest::Nest(const Kernel& kernel, const tile::Program& program)
    : kernel_(kernel),
      program_(program),
      parallel_(kernel.axes.size() - static_cast<size_t>(kernel.sequential_axes())),
      depth_(static_cast<size_t>(kernel.sequential_axes())) {}

size_t Nest::depth_of(const std::set<int>& axes) const {
  size_t depth = 0;
  for (int id : axes) {
    if (static_cast<size_t>(id) >= parallel_) depth = std::max(depth, static_cast<size_t>(id) - parallel_ + 1);
  }
  return depth;
}

size_t Nest::depth_of(const Box& box) const {
  Touched out = {};
  for (const BoxDim& dim : box.dims) {
    touch(program_, dim.first, out);
    if (dim.limit) touch(program_, dim.limit, out);
  }
  return depth_of(out.axes);
}

bool Nest::sizes_are_independent() const {
  return std::none_of(kernel_.axes.begin(), kernel_.axes.end(),
                      [&](const Axis& axis) { return axis.sequential && mentions_steps(kernel_, axis.size); });
}

TypedPtr Nest::no_step() const {
  TypedPtr none;
  for (size_t id = parallel_; id < kernel_.axes.size(); ++id) {
    if (bounds(kernel_.axes[id].size, kernel_.facts()).minimum.value_or(0) < 1)
      none = either(none, condition(Op::equal, axis_size_symbol(kernel_, static_cast<int>(id)), index_constant(0)));
  }
  return none;
}

std::optional<TypedPtr> Nest::turns(size_t depth) const {
  TypedPtr all;
  for (size_t inner = depth; inner < depth_; ++inner) {
    const Axis& axis = kernel_.axes[static_cast<size_t>(axis_at(inner))];
    if (bounds(axis.size, kernel_.facts()).minimum.value_or(0) > 0) continue;
    Touched out = {};
    touch(program_, axis.size, out);
    if (depth_of(out.axes) > depth) return std::nullopt;
    // Only the next loop's size has its name here, where it changes with steps.
    const bool named = inner == depth || !mentions_steps(kernel_, axis.size);
    const TypedPtr size = named ? axis_size_symbol(kernel_, axis_at(inner)) : axis.size;
    all = both(all, condition(Op::greater, size, index_constant(0)));
  }
  return all;
}

namespace {

// By how much the expression grows from one step of the axis to the next; null: not by the same number everywhere.
std::optional<int64_t> growth(const TypedPtr& expr, int axis) {
  if (!mentions(expr, SymbolKind::axis, axis)) return 0;
  if (expr->as<Symbol>()) return 1;
  const Apply* apply = expr->as<Apply>();
  if (!apply || apply->args.size() != 2) return std::nullopt;
  const std::optional<int64_t> a = growth(apply->args[0], axis), b = growth(apply->args[1], axis);
  if (!a || !b) return std::nullopt;
  int64_t sum = 0;
  if (apply->op == Op::add) return __builtin_add_overflow(*a, *b, &sum) ? std::nullopt : std::optional(sum);
  if (apply->op == Op::subtract) return __builtin_sub_overflow(*a, *b, &sum) ? std::nullopt : std::optional(sum);
  const std::optional<int64_t> factor = constant_value(apply->args[*b == 0 ? 1 : 0]);
  if (apply->op != Op::multiply || !factor) return std::nullopt;
  return __builtin_mul_overflow(*a + *b, *factor, &sum) ? std::nullopt : std::optional(sum);
}

}  // namespace

TypedPtr Nest::moves(const Box& box, size_t depth, bool to_next) const {
  const int axis = axis_at(depth - 1);
  const TypedPtr step = axis_symbol(kernel_, axis);
  const TypedPtr other = index_apply(to_next ? Op::add : Op::subtract, step, index_constant(1));
  TypedPtr differs;
  for (const BoxDim& dim : box.dims) {
    const TypedPtr first = at_step_of(kernel_, dim.first, axis, step);
    const std::optional<int64_t> by = growth(first, axis);
    if (by.value_or(0) != 0) return nullptr;
    if (by) continue;
    differs = either(differs, condition(Op::not_equal, at_step_of(kernel_, dim.first, axis, other), first));
  }
  if (!differs) return nullptr;
  const TypedPtr last = index_apply(Op::subtract, axis_size_symbol(kernel_, axis), index_constant(1));
  return either(condition(Op::equal, step, to_next ? last : index_constant(0)), differs);
}

Block Nest::at_step(Block block, GuardKind kind) const {
  for (Statement& statement : block) {
    change_expressions(statement, [&](TypedPtr& expr) {
      expr = with_dtypes(kind == GuardKind::first ? at_first_step(kernel_, expr) : at_last_step(kernel_, expr));
    });
  }
  return block;
}

Block Nest::at_inner_step(Block block, GuardKind kind) const {
  const int axis = axis_at(depth_ - 1);
  const TypedPtr size = axis_size_symbol(kernel_, axis);
  const TypedPtr step =
      kind == GuardKind::first ? index_constant(0) : index_apply(Op::subtract, size, index_constant(1));
  for (Statement& statement : block) {
    change_expressions(statement, [&](TypedPtr& expr) { expr = with_dtypes(at_step_of(kernel_, expr, axis, step)); });
  }
  const Axis& inner = kernel_.axes[static_cast<size_t>(axis)];
  if (bounds(inner.size, kernel_.facts()).minimum.value_or(0) > 0) return block;
  Block out;
  out.push_back({inner.span, "", If{condition(Op::greater, size, index_constant(0)), {}, std::move(block), {}}});
  return out;
}

}  // namespace pallasgen::schedule
