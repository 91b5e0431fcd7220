#include "proofs/element_indexing.h"

#include "program/index_terms.h"

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

Coordinates broadcast_at(const Shape& operand, const Shape& result, const Coordinates& at) {
  Coordinates mapped(operand.size());
  for (size_t i = 0; i < operand.size(); ++i) {
    const size_t j = i + result.size() - operand.size();
    mapped[i] = operand[i] == 1 && result[j] != 1 ? index_constant(0) : at[j];
  }
  return mapped;
}

TypedPtr row_major_place(const Shape& shape, const Coordinates& at) {
  TypedPtr place = index_constant(0);
  for (size_t d = 0; d < at.size(); ++d)
    place = index_apply(Op::add, index_apply(Op::multiply, place, index_constant(shape[d])), at[d]);
  return place;
}

// Groups only dims that the reshape mixes, so that every other dim keeps its coordinate.
Coordinates reshaped_at(const Shape& from, const Shape& to, const Coordinates& at) {
  Coordinates inner(from.size());
  size_t i = 0, j = 0;
  while (i < from.size() || j < to.size()) {
    const size_t first_from = i, first_to = j;
    int64_t a = i < from.size() ? from[i++] : 1, b = j < to.size() ? to[j++] : 1;
    while (a != b) {
      if (a < b && i < from.size())
        a *= from[i++];
      else if (j < to.size())
        b *= to[j++];
      else
        break;  // an empty array
    }
    TypedPtr linear = index_constant(0);
    for (size_t d = first_to; d < j; ++d) {
      if (to[d] != 1) linear = add(multiply(linear, index_constant(to[d])), at[d]);
    }
    int64_t stride = a;
    for (size_t d = first_from; d < i; ++d) {
      stride = from[d] == 0 ? 0 : stride / from[d];
      TypedPtr part = from[d] == 1 ? index_constant(0) : index_apply(Op::floor_divide, linear, index_constant(stride));
      if (from[d] != 1 && stride * from[d] != a) part = index_apply(Op::modulo, part, index_constant(from[d]));
      inner[d] = std::move(part);
    }
  }
  return inner;
}

}  // namespace pallasgen
