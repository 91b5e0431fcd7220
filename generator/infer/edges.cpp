#include "infer/edges.h"

#include <algorithm>

#include "layout/derive.h"

namespace pallasgen {

namespace {

using Maybe = std::optional<ValueLayout>;

Maybe slice_all(Maybe layout, std::vector<int64_t> axes) {
  std::sort(axes.rbegin(), axes.rend());
  for (int64_t axis : axes) layout = layout ? slice_layout(*layout, static_cast<int>(axis)) : layout;
  return layout;
}

// With new dims of one element at these places of the result.
Maybe expand(Maybe layout, std::vector<int64_t> axes) {
  std::sort(axes.begin(), axes.end());
  for (int64_t axis : axes) layout = layout ? broadcast_layout(*layout, static_cast<int>(axis), 1) : layout;
  return layout;
}

// The layout of an operand of this shape that NumPy's rules broadcast to that of the result.
Maybe operand_of_broadcast(const ValueLayout& result, const Shape& shape) {
  if (shape.empty()) return uniform_layout(threads(result));
  const size_t missing = result.shape.size() - shape.size();
  std::vector<int64_t> gone, ones;
  for (size_t d = 0; d < result.shape.size(); ++d) {
    if (d < missing) gone.push_back(static_cast<int64_t>(d));
    if (d < missing || shape[d - missing] == result.shape[d]) continue;
    gone.push_back(static_cast<int64_t>(d));
    ones.push_back(static_cast<int64_t>(d - missing));
  }
  return expand(slice_all(result, gone), ones);
}

std::vector<int64_t> reduced_axes(const Apply& reduction) {
  std::vector<int64_t> axes = reduction.attributes.axes;
  for (size_t d = 0; reduction.attributes.axes.empty() && d < reduction.args[0]->shape.size(); ++d)
    axes.push_back(static_cast<int64_t>(d));
  return axes;
}

bool is_elementwise(const Typed& expr) {
  if (expr.as<CallFunction>()) return true;
  const Apply* apply = expr.as<Apply>();
  if (!apply) return false;
  const OpGroup group = operation(apply->op).group;
  return group == OpGroup::elementwise || group == OpGroup::cast || apply->op == Op::broadcast_to;
}

const std::vector<TypedPtr>& operands(const Typed& expr) {
  const CallFunction* call = expr.as<CallFunction>();
  return call ? call->args : expr.as<Apply>()->args;
}

// Whether the reduction gives one value for each line, as running sums do not.
bool drops_axes(Op op) { return operation(op).group == OpGroup::reduce && op != Op::cumsum && op != Op::cummax; }

// An indexing by new axes and windows alone: the axes that it adds, and the first element of each dim that it takes.
struct Indexing {
  std::vector<int64_t> added;
  std::vector<int64_t> starts;  // of the operand's dims
};
std::optional<Indexing> indexing_of(const Apply& slice) {
  Indexing indexing;
  for (size_t i = 0; i < slice.attributes.items.size(); ++i) {
    const IndexItem& item = slice.attributes.items[i];
    if (std::holds_alternative<IndexNewAxis>(item)) {
      indexing.added.push_back(static_cast<int64_t>(i));
      continue;
    }
    const auto* range = std::get_if<IndexSlice>(&item);
    const auto start = range && range->step == 1 ? constant_value(range->start) : std::nullopt;
    if (!start) return std::nullopt;
    indexing.starts.push_back(*start);
  }
  return indexing;
}

Maybe window_of(Maybe layout, const Indexing& indexing, const Shape& result) {
  size_t added = 0;
  for (size_t d = 0; d < indexing.starts.size() && layout; ++d) {
    while (added < indexing.added.size() && indexing.added[added] == static_cast<int64_t>(d + added)) ++added;
    const int64_t size = result[d + added];
    if (indexing.starts[d] == 0 && size == layout->shape[d]) continue;
    const auto window = window_layout(*layout, static_cast<int>(d), indexing.starts[d], size);
    layout = window ? Maybe(window->layout) : std::nullopt;
  }
  return expand(layout, indexing.added);
}

std::vector<int> as_order(const std::vector<int64_t>& axes) { return {axes.begin(), axes.end()}; }

std::vector<int> inverse(const std::vector<int64_t>& order) {
  std::vector<int> places(order.size());
  for (size_t d = 0; d < order.size(); ++d) places[static_cast<size_t>(order[d])] = static_cast<int>(d);
  return places;
}

}  // namespace

std::optional<ValueLayout> result_layout(const TypedPtr& expr, const LayoutOf& layouts) {
  if (const auto* use = expr->as<LocalUse>()) return layouts(use->id);
  if (is_elementwise(*expr)) {
    for (const TypedPtr& operand : operands(*expr)) {
      if (operand->shape != expr->shape) continue;
      if (const auto layout = result_layout(operand, layouts)) return layout;
    }
    return std::nullopt;
  }
  const Apply* apply = expr->as<Apply>();
  if (!apply || apply->args.empty()) return std::nullopt;
  const Maybe operand = result_layout(apply->args[0], layouts);
  if (!operand) return std::nullopt;
  if (drops_axes(apply->op)) {
    const std::vector<int64_t> axes = reduced_axes(*apply);
    return expand(slice_all(operand, axes), apply->attributes.keepdims ? axes : std::vector<int64_t>());
  }
  const std::vector<int64_t>& axes = apply->attributes.axes;
  if (apply->op == Op::expand_dims) return expand(operand, axes);
  if (apply->op == Op::squeeze) return slice_all(operand, axes);
  if (apply->op == Op::transpose) return transpose_layout(*operand, as_order(axes));
  if (apply->op == Op::reshape) return reshape_layout(*operand, expr->shape);
  if (apply->op == Op::slice) {
    const auto indexing = indexing_of(*apply);
    return indexing ? window_of(operand, *indexing, expr->shape) : std::nullopt;
  }
  return std::nullopt;
}

void ask_operands(const TypedPtr& expr, const ValueLayout& layout, const LayoutOf& layouts, const AskLayout& ask) {
  if (const auto* use = expr->as<LocalUse>()) return ask(use->id, layout);
  const auto below = [&](const TypedPtr& operand, const Maybe& wanted) {
    if (wanted) ask_operands(operand, *wanted, layouts, ask);
  };
  if (is_elementwise(*expr)) {
    for (const TypedPtr& operand : operands(*expr)) below(operand, operand_of_broadcast(layout, operand->shape));
    return;
  }
  const Apply* apply = expr->as<Apply>();
  if (!apply || apply->args.empty()) return;
  const TypedPtr& operand = apply->args[0];
  const std::vector<int64_t>& axes = apply->attributes.axes;
  if (operation(apply->op).group == OpGroup::reduce) return below(operand, result_layout(operand, layouts));
  if (apply->op == Op::expand_dims) return below(operand, slice_all(layout, axes));
  if (apply->op == Op::squeeze) return below(operand, expand(layout, axes));
  if (apply->op == Op::transpose) return below(operand, transpose_layout(layout, inverse(axes)));
  if (apply->op == Op::reshape) return below(operand, reshape_layout(layout, operand->shape));
  if (apply->op == Op::slice) {
    const auto indexing = indexing_of(*apply);
    if (!indexing) return;
    const Maybe window = slice_all(layout, indexing->added);
    // What lies around a window is known from the value alone.
    below(operand, window && window->shape == operand->shape ? window : result_layout(operand, layouts));
  }
}

}  // namespace pallasgen
