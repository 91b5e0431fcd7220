#include "proofs/element_indexing.h"

namespace pallasgen {

namespace {

Shape broadcast_shapes(const Shape& a, const Shape& b) {
  Shape out = a.size() >= b.size() ? a : b;
  const Shape& shorter = a.size() >= b.size() ? b : a;
  for (size_t i = 0; i < shorter.size(); ++i) {
    int64_t& size = out[i + out.size() - shorter.size()];
    if (size == 1) size = shorter[i];
  }
  return out;
}

}  // namespace

Selected selected_by(const std::vector<IndexItem>& items) {
  Selected selected;
  bool gathers = false, neighbours = true, left = false;
  std::optional<size_t> place;
  for (const IndexItem& item : items) {
    const IndexGather* gather = std::get_if<IndexGather>(&item);
    if (!gather) continue;
    gathers = true;
    selected.arrays = broadcast_shapes(selected.arrays, gather->indices->shape);
  }
  for (const IndexItem& item : items) {
    const bool array =
        gathers && (std::holds_alternative<IndexGather>(item) || std::holds_alternative<IndexInteger>(item));
    if (array && !place)
      place = selected.shape.size();
    else if (array && left)
      neighbours = false;
    else if (!array && place)
      left = true;
    if (const IndexSlice* slice = std::get_if<IndexSlice>(&item)) selected.shape.push_back(slice->size);
    if (std::holds_alternative<IndexNewAxis>(item)) selected.shape.push_back(1);
  }
  if (!gathers) return selected;
  selected.front = neighbours ? *place : 0;
  selected.shape.insert(selected.shape.begin() + static_cast<ptrdiff_t>(selected.front), selected.arrays.begin(),
                        selected.arrays.end());
  return selected;
}

TypedPtr row_major_place(const Shape& shape, const Coordinates& at) {
  TypedPtr place = index_constant(0);
  for (size_t d = 0; d < at.size(); ++d)
    place = index_apply(Op::add, index_apply(Op::multiply, place, index_constant(shape[d])), at[d]);
  return place;
}

}  // namespace pallasgen
