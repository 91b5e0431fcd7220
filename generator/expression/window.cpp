#include "expression/window.h"

#include <algorithm>

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

// A slice that takes the window alone.
TypedPtr sliced(const TypedPtr& expr, const Window& window) {
  Apply slice{Op::slice, {expr}, {}};
  for (size_t d = 0; d < expr->shape.size(); ++d) {
    const bool here = d == window.dim;
    slice.attributes.items.push_back(
        IndexSlice{here ? window.first : index_constant(0), here ? window.size : expr->shape[d]});
  }
  return with(expr, window, std::move(slice));
}

// Cuts operands that NumPy's rules broadcast to a result of `rank` dims; false if one cannot be cut.
bool cut_broadcast(std::vector<TypedPtr>& operands, size_t rank, const Window& window) {
  for (TypedPtr& operand : operands) {
    const size_t missing = rank - operand->shape.size();
    if (window.dim < missing || operand->shape[window.dim - missing] == 1) continue;
    operand = cut(operand, {window.dim - missing, window.first, window.size});
    if (!operand) return false;
  }
  return true;
}

// The dim of the operand for dim `dim` of the result, which has additional dims at `added`.
size_t without(size_t dim, const std::vector<int64_t>& added) {
  return dim - static_cast<size_t>(std::count_if(added.begin(), added.end(),
                                                 [&](int64_t axis) { return axis < static_cast<int64_t>(dim); }));
}
// The same for a result that lacks the operand's dims at `gone`.
size_t among(size_t dim, std::vector<int64_t> gone) {
  std::sort(gone.begin(), gone.end());
  for (int64_t axis : gone) dim += axis <= static_cast<int64_t>(dim) ? 1 : 0;
  return dim;
}

bool lists(const std::vector<int64_t>& axes, size_t dim) {
  return std::find(axes.begin(), axes.end(), static_cast<int64_t>(dim)) != axes.end();
}

// The dim of the only operand whose elements are one to one those of the result along `dim`; nothing if there is none.
std::optional<size_t> operand_dim(const Apply& apply, size_t dim) {
  const std::vector<int64_t>& axes = apply.attributes.axes;
  const size_t rank = apply.args.empty() ? 0 : apply.args[0]->shape.size();
  switch (apply.op) {
    case Op::transpose:
      return axes.empty() ? rank - 1 - dim : static_cast<size_t>(axes[dim]);
    case Op::expand_dims:
      return lists(axes, dim) ? std::nullopt : std::optional(without(dim, axes));
    case Op::squeeze:
      return among(dim, axes);
    case Op::cumsum:
    case Op::cummax:
      return lists(axes, dim) ? std::nullopt : std::optional(dim);
    default:
      break;
  }
  if (operation(apply.op).group != OpGroup::reduce || axes.empty()) return std::nullopt;
  if (apply.attributes.keepdims) return lists(axes, dim) ? std::nullopt : std::optional(dim);
  return among(dim, axes);
}

// Cuts an index of integers, new axes and ranges.
TypedPtr cut_slice(const TypedPtr& expr, Apply slice, const Window& window) {
  const TypedPtr& operand = slice.args[0];
  size_t result = 0, own = 0;
  for (IndexItem& item : slice.attributes.items) {
    if (std::holds_alternative<IndexGather>(item)) return nullptr;
    auto* range = std::get_if<IndexSlice>(&item);
    const bool here = result == window.dim;
    if (range && here) {
      const TypedPtr first =
          index_apply(Op::add, range->start, index_apply(Op::multiply, window.first, index_constant(range->step)));
      if (operand->as<LocalUse>() || operand->as<RefRead>() || range->step != 1) {
        range->start = first;
      } else {
        slice.args[0] = cut(operand, {own, first, window.size});
        if (!slice.args[0]) return nullptr;
        range->start = index_constant(0);
      }
      if (range->size != window.size) range->size_text = nullptr;
      range->size = window.size;
      return with(expr, window, std::move(slice));
    }
    if (here && std::holds_alternative<IndexNewAxis>(item)) return nullptr;
    result += std::holds_alternative<IndexInteger>(item) ? 0 : 1;
    own += std::holds_alternative<IndexNewAxis>(item) ? 0 : 1;
  }
  return nullptr;
}

// Cuts an iota: the window counts from `first` on.
TypedPtr cut_iota(const TypedPtr& expr, const Apply& iota, const Window& window) {
  const TypedPtr counted = with(expr, window, iota);
  if (!lists(iota.attributes.axes, window.dim)) return counted;
  if (info(expr->dtype).is_float) return nullptr;  // the sum of rounded numbers would differ
  const TypedPtr first = apply(expr->span, Op::cast, expr->dtype, {}, {window.first});
  return apply(expr->span, Op::add, expr->dtype, counted->shape, {counted, first});
}

TypedPtr cut_apply(const TypedPtr& expr, Apply node, const Window& window) {
  const OpGroup group = operation(node.op).group;
  const bool same_elements = node.op != Op::bitcast || node.args[0]->shape == expr->shape;
  if ((group == OpGroup::elementwise || group == OpGroup::cast || node.op == Op::broadcast_to) && same_elements) {
    if (!cut_broadcast(node.args, expr->shape.size(), window)) return nullptr;
    return with(expr, window, std::move(node));
  }
  if (node.op == Op::full) return with(expr, window, std::move(node));
  if (node.op == Op::iota) return cut_iota(expr, node, window);
  if (node.op == Op::slice) return cut_slice(expr, std::move(node), window);
  if (node.op == Op::valid) return sliced(expr, window);
  if (node.op == Op::concatenate) {
    if (lists(node.attributes.axes, window.dim)) return nullptr;
    for (TypedPtr& part : node.args) {
      part = cut(part, window);
      if (!part) return nullptr;
    }
    return with(expr, window, std::move(node));
  }
  const std::optional<size_t> dim = operand_dim(node, window.dim);
  if (!dim) return nullptr;
  node.args[0] = cut(node.args[0], {*dim, window.first, window.size});
  return node.args[0] ? with(expr, window, std::move(node)) : nullptr;
}

TypedPtr cut(const TypedPtr& expr, const Window& window) {
  if (expr->shape[window.dim] == window.size) return expr;
  if (expr->as<LocalUse>() || expr->as<RefRead>()) return sliced(expr, window);
  if (const auto* call = expr->as<CallFunction>()) {
    CallFunction node = *call;
    return cut_broadcast(node.args, expr->shape.size(), window) ? with(expr, window, std::move(node)) : nullptr;
  }
  const Apply* node = expr->as<Apply>();
  return node ? cut_apply(expr, *node, window) : nullptr;
}

}  // namespace

TypedPtr window(const TypedPtr& expr, size_t dim, const TypedPtr& first, int64_t size) {
  return cut(expr, {dim, first, size});
}

}  // namespace pallasgen
