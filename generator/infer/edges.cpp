#include "infer/edges.h"

#include <algorithm>
#include <numeric>

#include "expression/index_map.h"
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

// Where a window of `size` elements of `extent` may start; empty if that is unknown when code is generated.
std::vector<int64_t> window_starts(const TypedPtr& start, int64_t size, int64_t extent, const std::set<int>& unrolled) {
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

// All possible starts of what a map takes along each dim of the operand.
using Starts = std::vector<std::vector<int64_t>>;

// Returns nothing if the map stretches dims or skips elements, or if a start is unknown when code is generated.
std::optional<Starts> window_starts(const IndexMap& map, const std::set<int>& unrolled) {
  Starts starts;
  for (const int64_t axis : map.added())
    if (map.result[static_cast<size_t>(axis)] != 1) return std::nullopt;
  for (size_t d = 0; d < map.dims.size(); ++d) {
    const IndexMapDim& dim = map.dims[d];
    if (dim.step != 1 || (dim.along.empty() && map.operand[d] != 1)) return std::nullopt;
    starts.push_back(dim.first ? window_starts(dim.first, map.taken(d), map.operand[d], unrolled)
                               : std::vector<int64_t>{0});
    if (starts.back().empty()) return std::nullopt;
  }
  return starts;
}

Maybe permute(Maybe layout, const std::vector<int>& order) {
  return layout && !std::is_sorted(order.begin(), order.end()) ? transpose_layout(*layout, order) : layout;
}

// Returns, for each dim of the operand that follows one of the result, how many others follow dims before that.
std::vector<int> order_of(const IndexMap& map) {
  std::vector<int> places = map.result_dims(), order;
  std::erase(places, -1);
  for (const int place : places)
    order.push_back(static_cast<int>(std::count_if(places.begin(), places.end(), [&](int p) { return p < place; })));
  return order;
}

std::vector<int> inverse(const std::vector<int>& order) {
  std::vector<int> places(order.size());
  for (size_t d = 0; d < order.size(); ++d) places[static_cast<size_t>(order[d])] = static_cast<int>(d);
  return places;
}

// Returns the layout of a map's result from that of the operand.
Maybe layout_of_result(const IndexMap& map, Maybe layout, const Starts& starts) {
  if (!map.is_dimwise()) return layout ? reshape_layout(*layout, map.result) : layout;
  for (size_t d = 0; d < starts.size() && layout; ++d) {
    const int64_t size = map.taken(d);
    if (size == layout->shape[d]) continue;
    Maybe each;  // the layout of all windows so far
    for (int64_t start : starts[d]) {
      const auto window = window_layout(*layout, static_cast<int>(d), start, size);
      if (!window || (each && !(*each == *window))) return std::nullopt;
      each = window;
    }
    layout = each;
  }
  return expand(permute(slice_all(layout, map.dropped()), inverse(order_of(map))), map.added());
}

// Returns the layout of what a map takes of the operand, from that of the result.
Maybe layout_of_taken(const IndexMap& map, const ValueLayout& layout) {
  if (!map.is_dimwise()) return reshape_layout(layout, map.operand);
  return expand(permute(slice_all(layout, map.added()), order_of(map)), map.dropped());
}

// The layout of the operand each of whose windows has the layout `window`.
Maybe repeat(Maybe window, const Starts& starts, const Shape& operand) {
  for (size_t d = 0; d < operand.size() && window; ++d) {
    const int64_t size = window->shape[d];
    const auto apart = [&](int64_t start) { return start % size == 0; };
    if (size == operand[d]) continue;
    if (operand[d] % size != 0 || !std::all_of(starts[d].begin(), starts[d].end(), apart)) return std::nullopt;
    Shape whole = window->shape;
    whole[d] = operand[d];
    window = broadcast_layout(*window, static_cast<int>(d), operand[d] / size);
    if (window) window = reshape_layout(*window, whole);
  }
  return window;
}

}  // namespace

std::optional<int64_t> picked_column(const Apply& apply) {
  if (apply.args.empty()) return std::nullopt;
  const std::optional<IndexMap> map = index_map(apply.attributes.items, apply.args[0]->shape);
  if (!map || map->dims.empty() || map->operand.back() == 1 || map->result.size() + 1 != map->operand.size())
    return std::nullopt;
  const IndexMapDim& last = map->dims.back();
  const bool rows = map->is_in_order() && map->takes_all_but(map->dims.size() - 1) && last.along.empty();
  return rows ? constant_value(last.first) : std::nullopt;
}

Maybe operand_of_broadcast(const ValueLayout& result, const Shape& shape) {
  if (shape.empty()) return uniform_layout(threads(result));
  return shape.size() > result.shape.size() ? std::nullopt
                                            : layout_of_taken(broadcast_map(shape, result.shape), result);
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
  if (is_scan(apply->op)) return operand;
  if (const auto lines = reduction_map(*expr)) return expand(slice_all(operand, lines->dropped()), lines->added());
  if (picked_column(*apply)) return slice_layout(*operand, static_cast<int>(operand->shape.size()) - 1);
  const std::optional<IndexMap> map = index_map(*expr);
  const std::optional<Starts> starts = map ? window_starts(*map, layouts.unrolled) : std::nullopt;
  return starts ? layout_of_result(*map, operand, *starts) : std::nullopt;
}

void request_operand_layouts(const TypedPtr& expr, const ValueLayout& layout, const LayoutOf& layouts,
                             const RequestLayout& ask, const Computed& computed) {
  if (const auto* use = expr->as<LocalUse>()) return ask(use->id, layout, expr);
  const auto below = [&](const TypedPtr& operand, const Maybe& wanted) {
    if (wanted) request_operand_layouts(operand, *wanted, layouts, ask, computed);
  };
  if (const std::vector<TypedPtr>* operands = elementwise_operands(*expr)) {
    for (const TypedPtr& operand : *operands) below(operand, operand_of_broadcast(layout, operand->shape));
    return;
  }
  const Apply* apply = expr->as<Apply>();
  if (!apply || apply->args.empty()) return;
  const TypedPtr& operand = apply->args[0];
  if (operation(apply->op).group == OpGroup::reduce || picked_column(*apply)) {
    computed(expr, layout);
    return below(operand, result_layout(operand, layouts));
  }
  const std::optional<IndexMap> map = index_map(*expr);
  const std::optional<Starts> starts = map ? window_starts(*map, layouts.unrolled) : std::nullopt;
  if (!starts) return;
  const Maybe taken = layout_of_taken(*map, layout);
  if (taken && taken->shape == operand->shape) return below(operand, taken);
  // The operand's layout is used if it has such a window, or if nothing is known of the operand; else neighbouring
  // windows get registers of their own.
  const Maybe known = result_layout(operand, layouts);
  const Maybe repeated = known && !result_layout(expr, layouts) ? repeat(taken, *starts, operand->shape) : known;
  if (repeated == known) computed(expr, layout);
  below(operand, repeated);
}

}  // namespace pallasgen
