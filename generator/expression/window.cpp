#include "expression/window.h"

#include "expression/index_map.h"

namespace pallasgen {

namespace {

struct Window {
  size_t dim;
  TypedPtr first;
  int64_t size;
};

TypedPtr cut(const TypedPtr& expr, const Window& window);

TypedPtr with(const TypedPtr& expr, const Window& window, Typed::Node node) {
  Shape shape = expr->shape;
  shape[window.dim] = window.size;
  return make_typed(expr->span, expr->dtype, std::move(shape), std::move(node));
}

IndexMap map_of(const Shape& shape, const Window& window) {
  return part_map(shape, window.dim, window.first, window.size);
}

// Cuts operands that NumPy's rules broadcast to a result; false if one cannot be cut.
bool cut_broadcast(std::vector<TypedPtr>& operands, const Shape& result, const Window& window) {
  for (TypedPtr& operand : operands) {
    const int own = broadcast_map(operand->shape, result).operand_dim(window.dim);
    if (own >= 0) operand = cut(operand, {static_cast<size_t>(own), window.first, window.size});
    if (!operand) return false;
  }
  return true;
}

// Cuts an operation that moves elements. A range of a named value takes fewer of its elements.
TypedPtr cut_map(const TypedPtr& expr, const Apply& node, const IndexMap& whole, const Window& window) {
  TypedPtr operand = node.args[0];
  std::optional<IndexMap> map = whole.is_dimwise() ? composed(map_of(expr->shape, window), whole) : std::nullopt;
  const int own = whole.operand_dim(window.dim);
  if (!map || own < 0) return map ? shape_operation(*expr, operand, *map) : nullptr;
  IndexMapDim& dim = map->dims[static_cast<size_t>(own)];
  if (node.op != Op::slice || (!operand->as<LocalUse>() && !operand->as<RefRead>() && dim.step == 1)) {
    operand = cut(operand, {static_cast<size_t>(own), dim.first, window.size});
    if (!operand) return nullptr;
    map->operand = operand->shape;
    dim.first = nullptr;
  }
  return shape_operation(*expr, operand, *map);
}

// Cuts an iota: the window counts from `first` on.
TypedPtr cut_iota(const TypedPtr& expr, const Apply& iota, const Window& window) {
  const TypedPtr counted = with(expr, window, iota);
  if (iota.attributes.axes[0] != static_cast<int64_t>(window.dim)) return counted;
  if (info(expr->dtype).is_float) return nullptr;  // the sum of rounded numbers would differ
  const TypedPtr first = apply(expr->span, Op::cast, expr->dtype, {}, {window.first});
  return apply(expr->span, Op::add, expr->dtype, counted->shape, {counted, first});
}

TypedPtr cut_apply(const TypedPtr& expr, Apply node, const Window& window) {
  const OpGroup group = operation(node.op).group;
  const bool same_elements = node.op != Op::bitcast || node.args[0]->shape == expr->shape;
  if ((group == OpGroup::elementwise || group == OpGroup::cast) && same_elements)
    return cut_broadcast(node.args, expr->shape, window) ? with(expr, window, std::move(node)) : nullptr;
  if (const std::optional<IndexMap> map = index_map(*expr)) return cut_map(expr, node, *map, window);
  if (node.op == Op::iota) return cut_iota(expr, node, window);
  if (node.op == Op::valid) return sliced(expr, map_of(expr->shape, window));
  if (node.op == Op::concatenate) {
    if (node.attributes.axes[0] == static_cast<int64_t>(window.dim)) return nullptr;
    for (TypedPtr& part : node.args) {
      part = cut(part, window);
      if (!part) return nullptr;
    }
    return with(expr, window, std::move(node));
  }
  const std::optional<IndexMap> lines = reduction_map(*expr);
  const int own = lines ? lines->operand_dim(window.dim) : -1;
  if (own < 0) return nullptr;
  node.args[0] = cut(node.args[0], {static_cast<size_t>(own), window.first, window.size});
  return node.args[0] ? with(expr, window, std::move(node)) : nullptr;
}

TypedPtr cut(const TypedPtr& expr, const Window& window) {
  if (expr->shape[window.dim] == window.size) return expr;
  if (expr->as<LocalUse>() || expr->as<RefRead>()) return sliced(expr, map_of(expr->shape, window));
  if (const auto* call = expr->as<CallFunction>()) {
    CallFunction node = *call;
    return cut_broadcast(node.args, expr->shape, window) ? with(expr, window, std::move(node)) : nullptr;
  }
  const Apply* node = expr->as<Apply>();
  return node ? cut_apply(expr, *node, window) : nullptr;
}

}  // namespace

TypedPtr window(const TypedPtr& expr, size_t dim, const TypedPtr& first, int64_t size) {
  return cut(expr, {dim, first, size});
}

}  // namespace pallasgen
