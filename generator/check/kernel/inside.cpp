#include "check/inside.h"

namespace pallasgen {

bool at_least_zero(const TypedPtr& expr, const SymbolFacts& facts) {
  const Bounds range = bounds(expr, facts);
  return range.minimum && *range.minimum >= 0;
}

bool follows_axis(const Kernel& kernel, const TypedPtr& first, int64_t size, const TypedPtr& extent) {
  const std::optional<Affine> form = affine(first);
  if (!form || form->terms.size() != 1 || form->constant != 0 || form->terms[0].coefficient != size) return false;
  const Symbol& symbol = form->terms[0].symbol;
  if (symbol.kind != SymbolKind::axis) return false;
  const TypedPtr& steps = kernel.axes[symbol.id].size;
  if (size == 1 && equal(steps, extent)) return true;
  const Apply* cdiv = steps->applies(Op::cdiv);
  return cdiv && equal(cdiv->args[0], extent) && constant_value(cdiv->args[1]) == size;
}

bool stays_inside(const Kernel& kernel, const TypedPtr& first, int64_t size, const TypedPtr& extent,
                  const SymbolFacts& facts) {
  const TypedPtr end = index_apply(Op::add, first, index_constant(size));
  if (at_least_zero(first, facts) && at_least_zero(index_apply(Op::subtract, extent, end), facts)) return true;
  // If the extent is a multiple of the block's size, the blocks along an axis end at the extent.
  return follows_axis(kernel, first, size, extent) && multiple_of(extent, facts) % size == 0;
}

}  // namespace pallasgen
