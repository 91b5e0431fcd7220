#include "failing.h"

#include "boxes.h"
#include "check/inside.h"

namespace pallasgen::schedule {

namespace {

// True if an index value is known to be at least 0 and below `extent`; null: no upper limit.
bool is_below(const Kernel& kernel, const TypedPtr& index, const TypedPtr& extent) {
  const SymbolFacts facts = kernel.facts();
  if (index->dtype != DType::index || !index->shape.empty() || !at_least_zero(index, facts)) return false;
  return !extent || stays_inside(kernel, index, 1, extent, facts);
}

// True if items of an index may lie outside this shape; a view of global memory has no end.
bool may_leave(const Kernel& kernel, const std::vector<IndexItem>& items, const Shape& shape, bool is_view) {
  size_t dim = 0;
  for (const IndexItem& item : items) {
    if (std::holds_alternative<IndexNewAxis>(item)) continue;
    const int64_t size = dim < shape.size() ? shape[dim] : -1;
    const TypedPtr extent = is_view || size < 0 ? nullptr : index_constant(size);
    ++dim;
    if (std::holds_alternative<IndexGather>(item)) return true;
    if (const auto* integer = std::get_if<IndexInteger>(&item)) {
      if (!is_below(kernel, integer->value, extent)) return true;
      continue;
    }
    const IndexSlice& slice = std::get<IndexSlice>(item);
    if (!slice.start || slice.size == 0) continue;
    const TypedPtr last = index_apply(Op::add, slice.start, index_constant((slice.size - 1) * slice.step));
    if (slice.size > 0 && !(is_below(kernel, slice.start, extent) && is_below(kernel, last, extent))) return true;
  }
  return false;
}

bool divides(Op op) { return op == Op::floor_divide || op == Op::modulo || op == Op::cdiv; }

}  // namespace

bool may_fail(const Kernel& kernel, const TypedPtr& expr) {
  bool may = false;
  walk(expr, [&](const Typed& node) {
    if (may) return;
    if (const auto* read = node.as<RefRead>()) {
      const Ref& ref = kernel.refs[static_cast<size_t>(read->ref)];
      may = (is_view(ref) && may_fail(kernel, box_of(kernel, read->ref))) ||
            (!read->whole && may_leave(kernel, read->index, ref.shape, is_view(ref)));
    } else if (const auto* symbol = node.as<Symbol>()) {
      if (symbol->kind == SymbolKind::let) may = may_fail(kernel, kernel.lets[static_cast<size_t>(symbol->id)].value);
    } else if (const auto* apply = node.as<Apply>()) {
      const OpAttributes& attributes = apply->attributes;
      if (apply->op == Op::slice) may = may_leave(kernel, attributes.items, apply->args[0]->shape, false);
      if (apply->op == Op::element) {
        const auto& extents = *kernel.scalars[static_cast<size_t>(attributes.scalar)].shape;
        for (size_t dim = 0; dim < apply->args.size(); ++dim)
          may = may || !is_below(kernel, apply->args[dim], extents[dim]);
      }
      if (divides(apply->op) && node.dtype == DType::index) {
        const Bounds divisor = bounds(apply->args[1], kernel.facts());
        may = !(divisor.minimum.value_or(0) > 0 || divisor.maximum.value_or(0) < 0);
      }
    }
  });
  return may;
}

bool may_fail(const Kernel& kernel, const tile::Box& box) {
  const Ref& ref = kernel.refs[static_cast<size_t>(box.ref)];
  const SymbolFacts facts = kernel.facts();
  for (size_t d = 0; d < box.dims.size(); ++d) {
    const tile::BoxDim& dim = box.dims[d];
    if (may_fail(kernel, dim.first) || dim.limit) return true;
    if (!dim.may_leave) continue;
    const BlockDim& block = ref.block[d];
    const bool padded = block.kind == BlockKind::element;
    const TypedPtr end = index_apply(Op::add, dim.first, index_constant(block.size + (padded ? block.low : 0)));
    const TypedPtr edge = index_apply(Op::add, ref.array_shape[d], index_constant(padded ? block.high : 0));
    const bool touches =
        at_least_zero(index_apply(Op::subtract, end, index_constant(1)), facts) &&
        at_least_zero(index_apply(Op::subtract, edge, index_apply(Op::add, dim.first, index_constant(1))), facts);
    if (!touches && !follows_axis(kernel, dim.first, block.size, ref.array_shape[d])) return true;
  }
  return false;
}

}  // namespace pallasgen::schedule
