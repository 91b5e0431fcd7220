#include "proofs/access.h"

#include "check/inside.h"

namespace pallasgen {

ProvedVector proved_vector(const Draft& draft, int index, const TypedPtr& last_offset, int64_t block_width) {
  const Ref& ref = draft.ref(index);
  // Elements from the size of a bounded slice on are outside, and nothing bounds where it ends.
  if (!ref.block.empty() && ref.block.back().kind == BlockKind::bounded_slice)
    return {1, "a bounded slice ends anywhere"};
  return proved_vector(ref, draft.facts, last_offset, block_width);
}

program::Access block_access(const Draft& draft, int index, std::vector<TypedPtr> offsets, const std::vector<int>& dims,
                             const std::vector<int64_t>& sizes, ProvedVector vector,
                             const std::vector<TypedPtr>& limits) {
  const Ref& ref = draft.ref(index);
  SymbolFacts facts = draft.facts;
  facts.minimum = [known = draft.facts.minimum](const Symbol& symbol) {
    // Variables that a program declares count parts of a block from 0: row0, i, j.
    if (symbol.kind == SymbolKind::loop && symbol.id < 0) return std::optional<int64_t>(0);
    return known(symbol);
  };
  program::Access access;
  access.ref = index;
  access.strides = ref.strides;
  access.vector = number(vector.elements);
  access.reason = std::move(vector.why);
  access.masked = false;
  for (size_t d = 0; d < offsets.size(); ++d) {
    program::AccessDim dim;
    dim.offset = std::move(offsets[d]);
    dim.extent = ref.array_shape[d];
    dim.fragment_dim = dims[d];
    const bool inside = stays_inside(*draft.kernel, dim.offset, sizes[d], dim.extent, facts);
    dim.may_be_below = !inside && !at_least_zero(dim.offset, facts);
    dim.may_pass_end = !inside;
    if (d < limits.size() && limits[d]) dim.size = limits[d], dim.may_pass_end = true;
    access.masked = access.masked || dim.may_pass_end;
    access.dims.push_back(std::move(dim));
  }
  return access;
}

program::AtomicKind kind_of_update(const std::string& reduce) {
  return reduce == "add"   ? program::AtomicKind::add
         : reduce == "min" ? program::AtomicKind::min
                           : program::AtomicKind::max;
}

}  // namespace pallasgen
