#include "infer/edges.h"

#include <algorithm>
#include <numeric>

#include "layout/derive.h"

namespace pallasgen {

namespace {

using Maybe = std::optional<ValueLayout>;

Maybe slice_all(Maybe layout, std::vector<int64_t> axes) {
  std::sort(axes.rbegin(), axes.rend());
  for (int64_t axis : axes) layout = layout ? slice_layout(*layout, static_cast<int>(axis)) : layout;
  return layout;
}

// Adds dims of one element at these places of the result.
Maybe expand(Maybe layout, std::vector<int64_t> axes) {
  std::sort(axes.begin(), axes.end());
  for (int64_t axis : axes) layout = layout ? broadcast_layout(*layout, static_cast<int>(axis), 1) : layout;
  return layout;
}

std::vector<int64_t> reduced_axes(const Apply& reduction) {
  std::vector<int64_t> axes = reduction.attributes.axes;
  for (size_t d = 0; reduction.attributes.axes.empty() && d < reduction.args[0]->shape.size(); ++d)
    axes.push_back(static_cast<int64_t>(d));
  return axes;
}

// True if the reduction gives one value for each line, unlike running sums.
bool drops_axes(Op op) { return operation(op).group == OpGroup::reduce && !is_scan(op); }

// An index of new axes and windows: the axes that it adds, and where the window of each dim starts.
struct Indexing {
  std::vector<int64_t> added;
  std::vector<std::vector<int64_t>> starts;  // for each dim of the operand, all possible starts
};

// Where a window of `size` elements of `extent` may start; empty if that is unknown when code is generated.
std::vector<int64_t> starts_of(const TypedPtr& start, int64_t size, int64_t extent, const std::set<int>& unrolled) {
  const std::optional<Affine> of = affine(start);
  if (!of) return {};
  int64_t step = 0;
  for (const Affine::Term& term : of->terms) {
    if (term.symbol.kind != SymbolKind::loop || !unrolled.count(term.symbol.id)) return {};
    step = std::gcd(step, term.coefficient);
  }
  if (step == 0) return {of->constant};
  std::vector<int64_t> starts;
  for (int64_t at = (of->constant % step + step) % step; at + size <= extent; at += step) starts.push_back(at);
  return starts;
}

std::optional<Indexing> indexing_of(const Apply& slice, const std::set<int>& unrolled) {
  Indexing indexing;
  for (size_t i = 0; i < slice.attributes.items.size(); ++i) {
    const IndexItem& item = slice.attributes.items[i];
    if (std::holds_alternative<IndexNewAxis>(item)) {
      indexing.added.push_back(static_cast<int64_t>(i));
      continue;
    }
    const auto* range = std::get_if<IndexSlice>(&item);
    if (!range || range->step != 1) return std::nullopt;
    const int64_t extent = slice.args[0]->shape[indexing.starts.size()];
    indexing.starts.push_back(starts_of(range->start, range->size, extent, unrolled));
    if (indexing.starts.back().empty()) return std::nullopt;
  }
  return indexing;
}

Maybe window_of(Maybe layout, const Indexing& indexing, const Shape& result) {
  size_t added = 0;
  for (size_t d = 0; d < indexing.starts.size() && layout; ++d) {
    while (added < indexing.added.size() && indexing.added[added] == static_cast<int64_t>(d + added)) ++added;
    const int64_t size = result[d + added];
    if (size == layout->shape[d]) continue;
    Maybe each;  // the layout of all windows so far
    for (int64_t start : indexing.starts[d]) {
      const auto window = window_layout(*layout, static_cast<int>(d), start, size);
      if (!window || (each && !(*each == *window))) return std::nullopt;
      each = window;
    }
    layout = each;
  }
  return expand(layout, indexing.added);
}

// The layout of the operand each of whose windows has the layout `window`.
Maybe repeat(Maybe window, const Indexing& indexing, const Shape& operand) {
  for (size_t d = 0; d < operand.size() && window; ++d) {
    const int64_t size = window->shape[d];
    const auto apart = [&](int64_t start) { return start % size == 0; };
    if (size == operand[d]) continue;
    if (operand[d] % size != 0 || !std::all_of(indexing.starts[d].begin(), indexing.starts[d].end(), apart))
      return std::nullopt;
    Shape whole = window->shape;
    whole[d] = operand[d];
    window = broadcast_layout(*window, static_cast<int>(d), operand[d] / size);
    if (window) window = reshape_layout(*window, whole);
  }
  return window;
}

std::vector<int> as_order(const std::vector<int64_t>& axes) { return {axes.begin(), axes.end()}; }

std::vector<int> inverse(const std::vector<int64_t>& order) {
  std::vector<int> places(order.size());
  for (size_t d = 0; d < order.size(); ++d) places[static_cast<size_t>(order[d])] = static_cast<int>(d);
  return places;
}

}  // namespace

std::optional<int64_t> picked_column(const Apply& apply) {
  if (apply.op != Op::slice || apply.attributes.items.size() != apply.args[0]->shape.size()) return std::nullopt;
  const Shape& shape = apply.args[0]->shape;
  for (size_t d = 0; d + 1 < shape.size(); ++d) {
    const auto* range = std::get_if<IndexSlice>(&apply.attributes.items[d]);
    if (!range || range->step != 1 || range->size != shape[d] || constant_value(range->start) != 0) return std::nullopt;
  }
  const auto* at = shape.empty() ? nullptr : std::get_if<IndexInteger>(&apply.attributes.items.back());
  return at && shape.back() > 1 ? constant_value(at->value) : std::nullopt;
}

Maybe operand_of_broadcast(const ValueLayout& result, const Shape& shape) {
  if (shape.empty()) return uniform_layout(threads(result));
  if (shape.size() > result.shape.size()) return std::nullopt;
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

std::optional<ValueLayout> result_layout(const TypedPtr& expr, const LayoutOf& layouts) {
  if (const auto* use = expr->as<LocalUse>()) return layouts(use->id);
  if (const std::vector<TypedPtr>* operands = elementwise_operands(*expr)) {
    for (const TypedPtr& operand : *operands) {
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
  if (is_scan(apply->op)) return operand;
  if (picked_column(*apply)) return slice_layout(*operand, static_cast<int>(operand->shape.size()) - 1);
  const std::vector<int64_t>& axes = apply->attributes.axes;
  if (apply->op == Op::expand_dims) return expand(operand, axes);
  if (apply->op == Op::squeeze) return slice_all(operand, axes);
  if (apply->op == Op::transpose) return transpose_layout(*operand, as_order(axes));
  if (apply->op == Op::reshape) return reshape_layout(*operand, expr->shape);
  if (apply->op == Op::slice) {
    const auto indexing = indexing_of(*apply, layouts.unrolled);
    return indexing ? window_of(operand, *indexing, expr->shape) : std::nullopt;
  }
  return std::nullopt;
}

void ask_operands(const TypedPtr& expr, const ValueLayout& layout, const LayoutOf& layouts, const AskLayout& ask,
                  const Computed& computed) {
  if (const auto* use = expr->as<LocalUse>()) return ask(use->id, layout, expr);
  const auto below = [&](const TypedPtr& operand, const Maybe& wanted) {
    if (wanted) ask_operands(operand, *wanted, layouts, ask, computed);
  };
  if (const std::vector<TypedPtr>* operands = elementwise_operands(*expr)) {
    for (const TypedPtr& operand : *operands) below(operand, operand_of_broadcast(layout, operand->shape));
    return;
  }
  const Apply* apply = expr->as<Apply>();
  if (!apply || apply->args.empty()) return;
  const TypedPtr& operand = apply->args[0];
  const std::vector<int64_t>& axes = apply->attributes.axes;
  if (operation(apply->op).group == OpGroup::reduce || picked_column(*apply)) {
    computed(expr, layout);
    return below(operand, result_layout(operand, layouts));
  }
  if (apply->op == Op::expand_dims) return below(operand, slice_all(layout, axes));
  if (apply->op == Op::squeeze) return below(operand, expand(layout, axes));
  if (apply->op == Op::transpose) return below(operand, transpose_layout(layout, inverse(axes)));
  if (apply->op == Op::reshape) return below(operand, reshape_layout(layout, operand->shape));
  if (apply->op == Op::slice) {
    const auto indexing = indexing_of(*apply, layouts.unrolled);
    if (!indexing) return;
    const Maybe window = slice_all(layout, indexing->added);
    if (window && window->shape == operand->shape) return below(operand, window);
    // The operand's layout is used if it has such a window, or if nothing is known of the operand; else neighbouring
    // windows get registers of their own.
    const Maybe known = result_layout(operand, layouts);
    const Maybe repeated = known && !result_layout(expr, layouts) ? repeat(window, *indexing, operand->shape) : known;
    if (repeated == known) computed(expr, layout);
    below(operand, repeated);
  }
}

}  // namespace pallasgen
