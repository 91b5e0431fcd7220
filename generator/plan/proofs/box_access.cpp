#include "proofs/box_access.h"

#include "program/numbers.h"
#include "program/spec_names.h"

namespace pallasgen {

program::Access box_access(const Draft& draft, const tile::Box& box, const std::vector<int>& dims,
                           ProvedVector vector) {
  std::vector<TypedPtr> offsets, limits;
  std::vector<int64_t> sizes;
  for (const tile::BoxDim& dim : box.dims) {
    offsets.push_back(dim.first);
    limits.push_back(dim.limit);
    sizes.push_back(dim.size.value_or(1));
  }
  program::Access access = block_access(draft, box.ref, std::move(offsets), dims, sizes, std::move(vector), limits);
  for (size_t d = 0; d < box.dims.size(); ++d) {
    if (!box.dims[d].each) continue;
    access.dims[d].may_pass_end = access.dims[d].may_be_below = access.masked = true;
    access.dims[d].variable = "r";  // until the statement names it
  }
  return access;
}

std::vector<int> block_dims(const tile::Box& box) {
  std::vector<int> dims;
  int kept = 0;
  for (const tile::BoxDim& dim : box.dims) dims.push_back(dim.size ? kept++ : -1);
  return dims;
}

std::vector<Number> box_sizes(const Draft& draft, const tile::Box& box) {
  const Ref& ref = draft.ref(box.ref);
  std::vector<Number> sizes;
  for (size_t d = 0; d < box.dims.size(); ++d) {
    const std::optional<int64_t>& size = box.dims[d].size;
    const TypedPtr& text = box.dims[d].size_text;
    const Constant* constant = text ? text->as<Constant>() : nullptr;
    if (size && constant)
      sizes.push_back(constant->name.empty() ? number(*size)
                                             : Number{*size, identifiers_in(draft.names(), constant->name)});
    else if (size)
      sizes.push_back(d < ref.block.size() && ref.block[d].size == *size ? number_of(ref.block[d]) : number(*size));
  }
  return sizes;
}

std::vector<Number> slot_sizes(const Draft& draft, const tile::Box& box, const Shape& shape) {
  std::vector<Number> sizes = box_sizes(draft, box);
  if (shape.empty()) return sizes;
  while (sizes.size() > shape.size()) {
    sizes[1] = product(sizes[0], sizes[1]);
    sizes.erase(sizes.begin());
  }
  return sizes;
}

Number box_elements(const Draft& draft, const tile::Box& box) {
  Number elements = number(1);
  for (const Number& size : box_sizes(draft, box)) elements = product(elements, size);
  return elements;
}

std::vector<Number> sizes_of(const Draft& draft, const Shape& shape, const std::string& first) {
  for (const Ref& ref : draft.kernel->refs) {
    if (ref.name != first || ref.block.empty() || ref.shape != shape) continue;
    std::vector<Number> own;
    for (const BlockDim& dim : ref.block) {
      if (dim.kind != BlockKind::squeezed) own.push_back(number_of(dim));
    }
    return own;
  }
  std::vector<Number> sizes;
  for (const Ref& ref : draft.kernel->refs) {
    if (ref.block.empty()) continue;
    std::vector<Number> all, wide;
    Shape of_all, of_wide;
    for (const BlockDim& dim : ref.block) {
      if (dim.kind == BlockKind::squeezed) continue;
      all.push_back(number_of(dim));
      of_all.push_back(dim.size);
      if (dim.size == 1) continue;
      wide.push_back(all.back());
      of_wide.push_back(dim.size);
    }
    if (of_all == shape) return all;
    if (of_wide == shape && sizes.empty()) sizes = wide;
  }
  if (!sizes.empty() || shape.empty()) return sizes;
  if (const auto known = draft.value_sizes.find(shape); known != draft.value_sizes.end()) return known->second;
  for (int64_t size : shape) sizes.push_back(number(size));
  return sizes;
}

}  // namespace pallasgen
