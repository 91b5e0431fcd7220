#include "loop_nest.h"

#include <algorithm>

#include "check/steps.h"
#include "conditions.h"
#include "tile/walk.h"

namespace pallasgen::schedule {

using namespace tile;

namespace {

// True if the dtype surely holds the value exactly.
bool holds(DType dtype, int64_t value) {
  if (dtype == DType::f32 || dtype == DType::f64) return value > -(1 << 24) && value < 1 << 24;
  return value >= 0 && value < 8 && (info(dtype).is_float || info(dtype).is_integer);
}

// Writes a constant that has replaced a step, and that is cast, as a constant of that dtype, as the text does.
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

LoopNest::LoopNest(const Kernel& kernel, const tile::Program& program)
    : kernel_(kernel),
      program_(program),
      parallel_(kernel.axes.size() - static_cast<size_t>(kernel.sequential_axes())),
      depth_(static_cast<size_t>(kernel.sequential_axes())) {}

size_t LoopNest::depth_of(const std::set<int>& axes) const {
  size_t depth = 0;
  for (int id : axes) {
    if (static_cast<size_t>(id) >= parallel_) depth = std::max(depth, static_cast<size_t>(id) - parallel_ + 1);
  }
  return depth;
}

size_t LoopNest::depth_of(const Box& box) const {
  Touched out = {};
  for (const BoxDim& dim : box.dims) {
    touch(program_, dim.first, out);
    if (dim.limit) touch(program_, dim.limit, out);
  }
  return depth_of(out.axes);
}

bool LoopNest::sizes_are_independent() const {
  return std::none_of(kernel_.axes.begin(), kernel_.axes.end(),
                      [&](const Axis& axis) { return axis.sequential && mentions_steps(kernel_, axis.size); });
}

TypedPtr LoopNest::no_step() const {
  TypedPtr none;
  for (size_t id = parallel_; id < kernel_.axes.size(); ++id) {
    if (bounds(kernel_.axes[id].size, kernel_.facts()).minimum.value_or(0) < 1)
      none = either(none, condition(Op::equal, axis_size_symbol(kernel_, static_cast<int>(id)), index_constant(0)));
  }
  return none;
}

std::optional<TypedPtr> LoopNest::turns(size_t depth) const {
  TypedPtr all;
  for (size_t inner = depth; inner < depth_; ++inner) {
    const Axis& axis = kernel_.axes[static_cast<size_t>(axis_at(inner))];
    if (bounds(axis.size, kernel_.facts()).minimum.value_or(0) > 0) continue;
    Touched out = {};
    touch(program_, axis.size, out);
    if (depth_of(out.axes) > depth) return std::nullopt;
    // A size that depends on steps has a name only for the next loop.
    const bool named = inner == depth || !mentions_steps(kernel_, axis.size);
    const TypedPtr size = named ? axis_size_symbol(kernel_, axis_at(inner)) : axis.size;
    all = both(all, condition(Op::greater, size, index_constant(0)));
  }
  return all;
}

namespace {

// The least and the most by which an expression grows from one step to the next; kFar: or more.
struct Growth {
  int64_t least = 0, most = 0;
  bool is_never_zero() const { return least > 0 || most < 0; }
  bool is_always_zero() const { return least == 0 && most == 0; }
};
constexpr int64_t kFar = int64_t{1} << 62;

int64_t saturated(int64_t exact, bool overflows, bool negative) {
  return overflows ? (negative ? -kFar : kFar) : std::clamp(exact, -kFar, kFar);
}
int64_t sum_of(int64_t a, int64_t b) {
  int64_t exact = 0;
  const bool overflows = __builtin_add_overflow(a, b, &exact);
  return saturated(exact, overflows, a < 0);
}
int64_t product_of(int64_t a, int64_t b) {
  int64_t exact = 0;
  const bool overflows = __builtin_mul_overflow(a, b, &exact);
  return saturated(exact, overflows, (a < 0) != (b < 0));
}

// The least value of a factor that does not depend on steps. Parallel axes of a program that runs have sizes above 0.
std::optional<int64_t> least_of(const TypedPtr& factor, const Kernel& kernel) {
  const Symbol* size = factor->as<Symbol>();
  const std::optional<int64_t> least = bounds(factor, kernel.facts()).minimum;
  if (!size || size->kind != SymbolKind::axis_size || kernel.axes[static_cast<size_t>(size->id)].sequential)
    return least;
  return std::max<int64_t>(1, least.value_or(1));
}

// The growth along an axis; nothing if it is unknown.
std::optional<Growth> growth(const TypedPtr& expr, int axis, const Kernel& kernel) {
  if (!mentions(expr, SymbolKind::axis, axis)) return Growth{};
  if (expr->as<Symbol>()) return Growth{1, 1};
  const Apply* apply = expr->as<Apply>();
  if (!apply || apply->args.size() != 2) return std::nullopt;
  const std::optional<Growth> a = growth(apply->args[0], axis, kernel), b = growth(apply->args[1], axis, kernel);
  if (!a || !b) return std::nullopt;
  if (apply->op == Op::add) return Growth{sum_of(a->least, b->least), sum_of(a->most, b->most)};
  if (apply->op == Op::subtract) return Growth{sum_of(a->least, -b->most), sum_of(a->most, -b->least)};
  if (apply->op != Op::multiply || (!a->is_always_zero() && !b->is_always_zero())) return std::nullopt;
  const TypedPtr& factor = apply->args[b->is_always_zero() ? 1 : 0];
  const Growth of = b->is_always_zero() ? *a : *b;
  if (const std::optional<int64_t> exact = constant_value(factor)) {
    const int64_t one = product_of(of.least, *exact), other = product_of(of.most, *exact);
    return Growth{std::min(one, other), std::max(one, other)};
  }
  const std::optional<int64_t> least = least_of(factor, kernel);
  if (!least || *least < 0 || !of.is_never_zero()) return std::nullopt;
  return of.least > 0 ? Growth{product_of(of.least, *least), kFar} : Growth{-kFar, product_of(of.most, *least)};
}

}  // namespace

TypedPtr LoopNest::moves(const Box& box, size_t depth, bool to_next) const {
  const int axis = axis_at(depth - 1);
  const TypedPtr step = axis_symbol(kernel_, axis);
  const TypedPtr other = index_apply(to_next ? Op::add : Op::subtract, step, index_constant(1));
  TypedPtr differs;
  for (const BoxDim& dim : box.dims) {
    const TypedPtr first = at_step_of(kernel_, dim.first, axis, step);
    const std::optional<Growth> by = growth(first, axis, kernel_);
    if (by && by->is_never_zero()) return nullptr;
    if (by && by->is_always_zero()) continue;
    differs = either(differs, condition(Op::not_equal, at_step_of(kernel_, dim.first, axis, other), first));
  }
  if (!differs) return nullptr;
  const TypedPtr last = index_apply(Op::subtract, axis_size_symbol(kernel_, axis), index_constant(1));
  return either(condition(Op::equal, step, to_next ? last : index_constant(0)), differs);
}

Block LoopNest::at_step(Block block, GuardKind kind) const {
  for (Statement& statement : block) {
    change_expressions(statement, [&](TypedPtr& expr) {
      expr = with_dtypes(kind == GuardKind::first ? at_first_step(kernel_, expr) : at_last_step(kernel_, expr));
    });
  }
  return block;
}

Block LoopNest::at_inner_step(Block block, GuardKind kind) const {
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
