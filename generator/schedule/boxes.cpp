#include "boxes.h"

#include <algorithm>

namespace pallasgen::schedule {

namespace {

TypedPtr first_of(const BlockDim& block) {
  const TypedPtr index = block.index ? block.index : index_constant(0);
  switch (block.kind) {
    case BlockKind::whole:
      return index_constant(0);
    case BlockKind::blocked:
      return index_apply(Op::multiply, index, block.size_expr ? block.size_expr : index_constant(block.size));
    case BlockKind::element:
      return index_apply(Op::subtract, index, index_constant(block.low));
    default:
      return index;
  }
}

bool at_least_zero(const TypedPtr& expr, const SymbolFacts& facts) {
  const Bounds range = bounds(expr, facts);
  return range.minimum && *range.minimum >= 0;
}

// Whether the blocks are axis * size along an axis of cdiv(extent, size) steps, and the extent is a multiple of it.
bool tiles_exactly(const Kernel& kernel, const TypedPtr& first, int64_t size, const TypedPtr& extent) {
  const std::optional<Affine> form = affine(first);
  if (!form || form->terms.size() != 1 || form->constant != 0 || form->terms[0].coefficient != size) return false;
  const Symbol& symbol = form->terms[0].symbol;
  if (symbol.kind != SymbolKind::axis) return false;
  const TypedPtr& steps = kernel.axes[static_cast<size_t>(symbol.id)].size;
  if (size == 1 && equal(steps, extent)) return true;
  const Apply* cdiv = steps->applies(Op::cdiv);
  return cdiv && equal(cdiv->args[0], extent) && constant_value(cdiv->args[1]) == size &&
         multiple_of(extent, kernel.facts()) % size == 0;
}

bool stays_inside(const Kernel& kernel, const TypedPtr& first, int64_t size, const TypedPtr& extent) {
  if (size < 0) return true;
  const SymbolFacts facts = kernel.facts();
  const TypedPtr left = index_apply(Op::subtract, index_apply(Op::subtract, extent, index_constant(size)), first);
  return (at_least_zero(first, facts) && at_least_zero(left, facts)) || tiles_exactly(kernel, first, size, extent);
}

TypedPtr both(TypedPtr a, TypedPtr b, Shape shape, Span span) {
  return a ? apply(span, Op::logical_and, DType::boolean, std::move(shape), {std::move(a), std::move(b)}) : b;
}

}  // namespace

tile::Box box_of(const Kernel& kernel, int id) {
  const Ref& ref = kernel.refs[static_cast<size_t>(id)];
  tile::Box box{id, {}};
  for (size_t d = 0; d < ref.block.size(); ++d) {
    const BlockDim& block = ref.block[d];
    tile::BoxDim dim;
    dim.first = simplify(first_of(block));
    const bool dropped = block.kind == BlockKind::squeezed;
    if (!dropped) dim.size = block.size;
    if (!dropped) dim.size_text = block.size_expr;
    dim.may_leave = !stays_inside(kernel, dim.first, block.size, ref.array_shape[d]);
    if (block.kind == BlockKind::bounded_slice) dim.limit = block.slice_size;
    box.dims.push_back(std::move(dim));
  }
  return box;
}

TypedPtr mask_of(const Kernel& kernel, int id, Span span) {
  const Ref& ref = kernel.refs[static_cast<size_t>(id)];
  const tile::Box box = box_of(kernel, id);
  TypedPtr mask;
  int64_t axis = 0;
  for (size_t d = 0; d < box.dims.size(); ++d) {
    const tile::BoxDim& dim = box.dims[d];
    const TypedPtr& extent = ref.array_shape[d];
    TypedPtr inner;
    Shape shape;
    if (dim.size) {
      shape = ref.shape;
      OpAttributes attributes;
      attributes.axes = {axis++};
      inner = make_typed(span, DType::i64, shape, Apply{Op::iota, {}, attributes});
    }
    const auto wide = [&](const TypedPtr& index) {
      return inner ? make_typed(span, DType::i64, {}, Apply{Op::cast, {index}, {}}) : index;
    };
    const TypedPtr at = inner ? apply(span, Op::add, DType::i64, shape, {wide(dim.first), inner}) : dim.first;
    const auto test = [&](Op op, TypedPtr a, const TypedPtr& b) {
      TypedPtr condition = apply(span, op, DType::boolean, shape, {std::move(a), wide(b)});
      mask = both(mask, std::move(condition), ref.shape, span);
    };
    if (dim.may_leave && !at_least_zero(dim.first, kernel.facts())) test(Op::greater_equal, at, index_constant(0));
    if (dim.may_leave) test(Op::less, at, extent);
    if (dim.limit) test(Op::less, inner, dim.limit);
  }
  if (!mask) mask = make_typed(span, DType::boolean, {}, Constant{true, {}});
  if (mask->shape == ref.shape) return mask;
  return make_typed(span, DType::boolean, ref.shape, Apply{Op::broadcast_to, {mask}, {}});
}

TypedPtr with_moving_names_expanded(const Kernel& kernel, const TypedPtr& expr) {
  const auto moves = [&](const TypedPtr& value) {
    bool found = false;
    const std::function<void(const TypedPtr&)> look = [&](const TypedPtr& part) {
      walk(part, [&](const Typed& node) {
        const auto* symbol = node.as<Symbol>();
        if (!symbol) return;
        const auto id = static_cast<size_t>(symbol->id);
        if (symbol->kind == SymbolKind::axis) found = found || kernel.axes[id].sequential;
        if (symbol->kind == SymbolKind::let) look(kernel.lets[id].value);
        if (symbol->kind == SymbolKind::axis_size && kernel.axes[id].sequential) look(kernel.axes[id].size);
      });
    };
    look(value);
    return found;
  };
  return substitute(expr, [&](const Symbol& symbol) -> TypedPtr {
    const auto id = static_cast<size_t>(symbol.id);
    TypedPtr value;
    if (symbol.kind == SymbolKind::let) value = kernel.lets[id].value;
    if (symbol.kind == SymbolKind::axis_size && kernel.axes[id].sequential) value = kernel.axes[id].size;
    return value && moves(value) ? with_moving_names_expanded(kernel, value) : nullptr;
  });
}

}  // namespace pallasgen::schedule
