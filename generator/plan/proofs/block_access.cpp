#include "proofs/block_access.h"

#include "diagnostics/assert.h"
#include "program/index_terms.h"
#include "proofs/tensor_copies.h"

namespace pallasgen {

TypedPtr both(TypedPtr a, TypedPtr b) {
  if (!a || !b) return a ? a : b;
  return apply({}, Op::logical_and, DType::boolean, {}, {std::move(a), std::move(b)});
}

TypedPtr either(TypedPtr a, TypedPtr b) {
  if (!a || !b) return a ? a : b;
  return apply({}, Op::logical_or, DType::boolean, {}, {std::move(a), std::move(b)});
}

bool block_stays_inside(const Draft& draft, int index, size_t d, const TypedPtr& first, const SymbolFacts& facts) {
  const Ref& ref = draft.ref(index);
  const int64_t size = ref.block[d].size;
  if (ref.space == MemorySpace::gmem || size < 0) return false;
  return stays_inside(*draft.kernel, first, size, ref.array_shape[d], facts);
}

ArrayPlace array_place(const Draft& draft, int index, const std::vector<TypedPtr>& at, const SymbolFacts& facts) {
  const Ref& ref = draft.ref(index);
  const std::vector<TypedPtr> first = block_coordinates(draft, index);
  ArrayPlace out;
  size_t dim = 0;
  for (size_t d = 0; d < ref.block.size(); ++d) {
    const BlockDim& block = ref.block[d];
    const bool squeezed = block.kind == BlockKind::squeezed;
    PALLASGEN_ASSERT(squeezed || dim < at.size(), ref.span);
    const TypedPtr element = squeezed ? first[d] : add(first[d], at[dim]);
    const bool inside = block_stays_inside(draft, index, d, first[d], facts) ||
                        stays_inside(*draft.kernel, element, 1, ref.array_shape[d], facts);
    out.may_leave.push_back(!inside);
    if (block.kind == BlockKind::bounded_slice && block.slice_size) {
      out.inside = both(out.inside, apply({}, Op::less, DType::boolean, {}, {at[dim], block.slice_size}));
    }
    out.index.push_back(element);
    dim += squeezed ? 0 : 1;
  }
  return out;
}

TypedPtr inside_condition(const Draft& draft, int index, const ArrayPlace& element, const SymbolFacts& facts) {
  const Ref& ref = draft.ref(index);
  TypedPtr condition = element.inside;
  for (size_t d = 0; d < element.index.size(); ++d) {
    if (!element.may_leave[d]) continue;
    if (!at_least_zero(element.index[d], facts))
      condition =
          both(condition, apply({}, Op::greater_equal, DType::boolean, {}, {element.index[d], index_constant(0)}));
    condition = both(condition, apply({}, Op::less, DType::boolean, {}, {element.index[d], ref.array_shape[d]}));
  }
  return condition;
}

}  // namespace pallasgen
