#include "expression/window.h"

#include <algorithm>

#include "expression/index_map.h"

namespace pallasgen {

namespace {

// Elements [first, first + size) along a dim. Without a size: the element `first`, and no dim.
struct Window {
  size_t dim;
  TypedPtr first;
  std::optional<int64_t> size;
  const ElementOfName* of_name = nullptr;

  Window along(size_t other, const TypedPtr& from) const { return {other, from, size, of_name}; }
};

TypedPtr cut(const TypedPtr& expr, const Window& window);

IndexMap map_of(const Shape& shape, const Window& window) {
  return part_map(shape, window.dim, window.first, window.size);
}

TypedPtr with(const TypedPtr& expr, const Window& window, Typed::Node node) {
  return make_typed(expr->span, expr->dtype, map_of(expr->shape, window).result, std::move(node));
}

TypedPtr cut_name(const TypedPtr& expr, const Window& window) {
  const std::optional<int64_t> number = window.of_name ? constant_value(window.first) : std::nullopt;
  if (window.of_name && !number) return nullptr;
  const TypedPtr own = number && expr->as<LocalUse>() ? (*window.of_name)(*expr, *number) : nullptr;
  return own ? own : sliced(expr, map_of(expr->shape, window));
}

// Cuts operands that NumPy's rules broadcast to a result; false if one cannot be cut.
bool cut_broadcast(std::vector<TypedPtr>& operands, const Shape& result, const Window& window) {
  for (TypedPtr& operand : operands) {
    const size_t missing = result.size() - operand->shape.size();
    if (window.dim < missing) continue;
    const size_t own = window.dim - missing;
    const bool one = operand->shape[own] == 1;
    if (one && window.size) continue;
    operand = cut(operand, window.along(own, one ? index_constant(0) : window.first));
    if (!operand) return false;
  }
  return true;
}

// Cuts an operation that moves elements. A range of a named value takes fewer of its elements.
TypedPtr cut_map(const TypedPtr& expr, const Apply& node, const IndexMap& whole, const Window& window) {
  if (!whole.is_dimwise()) return nullptr;
  TypedPtr operand = node.args[0];
  IndexMap map = *composed(map_of(expr->shape, window), whole);
  const int own = whole.operand_dim(window.dim);
  const bool is_name = operand->as<LocalUse>() || operand->as<RefRead>();
  const bool in_index = own >= 0 && node.op == Op::slice &&
                        (window.size ? is_name || whole.dims[static_cast<size_t>(own)].step != 1 : own > 0);
  if (own >= 0 && !in_index) {
    IndexMapDim& dim = map.dims[static_cast<size_t>(own)];
    operand = cut(operand, window.along(static_cast<size_t>(own), dim.first));
    if (!operand) return nullptr;
    map.operand = operand->shape;
    dim.first = nullptr;
    if (!window.size) map.dims.erase(map.dims.begin() + own);
  }
  return map.is_identity() ? operand : shape_operation(*expr, operand, map);
}

// Cuts an iota: the window counts from `first` on.
TypedPtr cut_iota(const TypedPtr& expr, Apply iota, const Window& window) {
  int64_t& axis = iota.attributes.axes[0];
  const bool counts = axis == static_cast<int64_t>(window.dim);
  axis -= !window.size && axis > static_cast<int64_t>(window.dim) ? 1 : 0;
  const TypedPtr counted = with(expr, window, iota);
  if (!counts) return counted;
  const bool is_float = info(expr->dtype).is_float;
  if (const auto number = window.size ? std::nullopt : constant_value(window.first)) {
    const Scalar value = is_float ? Scalar(static_cast<double>(*number)) : Scalar(*number);
    return with(expr, window, Apply{Op::full, {make_typed(expr->span, expr->dtype, {}, Constant{value, {}})}, {}});
  }
  if (!window.size || is_float) return nullptr;  // the sum of rounded numbers would differ
  const TypedPtr first = apply(expr->span, Op::cast, expr->dtype, {}, {window.first});
  return apply(expr->span, Op::add, expr->dtype, counted->shape, {counted, first});
}

// The dim of the operands whose elements are one to one those of the result along the window's; -1: none.
int operand_dim(const TypedPtr& expr, const Apply& node, const Window& window) {
  const auto dim = static_cast<int>(window.dim);
  if (const auto lines = reduction_map(*expr)) return lines->operand_dim(window.dim);
  if (node.op == Op::concatenate) return node.attributes.axes[0] == dim ? -1 : dim;
  const bool batch = node.op == Op::dot && expr->shape.size() > 2 && node.args.size() == 2;
  return batch && !window.size ? dim : -1;
}

TypedPtr cut(const TypedPtr& expr, const Window& window) {
  if (window.size ? expr->shape[window.dim] == *window.size : window.dim != 0) return window.size ? expr : nullptr;
  if (expr->as<LocalUse>() || expr->as<RefRead>()) return cut_name(expr, window);
  if (const auto* call = expr->as<CallFunction>()) {
    CallFunction node = *call;
    return cut_broadcast(node.args, expr->shape, window) ? with(expr, window, std::move(node)) : nullptr;
  }
  if (!expr->as<Apply>()) return nullptr;
  Apply node = *expr->as<Apply>();
  if (node.op == Op::bitcast && node.args[0]->shape != expr->shape) return nullptr;
  if (elementwise_operands(*expr))
    return cut_broadcast(node.args, expr->shape, window) ? with(expr, window, std::move(node)) : nullptr;
  if (const std::optional<IndexMap> map = index_map(*expr)) return cut_map(expr, node, *map, window);
  if (node.op == Op::iota) return cut_iota(expr, std::move(node), window);
  if (node.op == Op::valid) return sliced(expr, map_of(expr->shape, window));
  const int own = operand_dim(expr, node, window);
  if (own < 0) return nullptr;
  for (TypedPtr& operand : node.args) {
    operand = cut(operand, window.along(static_cast<size_t>(own), window.first));
    if (!operand) return nullptr;
  }
  for (int64_t& axis : node.attributes.axes) axis -= !window.size && axis > own ? 1 : 0;
  return with(expr, window, std::move(node));
}

}  // namespace

TypedPtr window(const TypedPtr& expr, size_t dim, const TypedPtr& first, int64_t size) {
  return cut(expr, {dim, first, size});
}

TypedPtr leading_element(const TypedPtr& expr, int64_t number, const ElementOfName& of_name) {
  return cut(expr, {0, index_constant(number), std::nullopt, &of_name});
}

}  // namespace pallasgen
