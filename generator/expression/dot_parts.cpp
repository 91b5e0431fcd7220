#include "expression/typed.h"

namespace pallasgen {

namespace {

// The dim of operand `number` that the dot contracts.
size_t contracted(const Apply& dot, size_t number) {
  const size_t rank = dot.args[number]->shape.size();
  const bool last = number == 0 ? !dot.attributes.trans_a : dot.attributes.trans_b;
  return rank - (last ? 1 : 2);
}

// The slice of dim `axis` if the operand slices a named value along that dim alone, at a constant start; else null.
const IndexSlice* only_slice(const TypedPtr& operand, size_t axis) {
  const Apply* slice = operand->applies(Op::slice);
  if (!slice || !slice->args[0]->as<LocalUse>()) return nullptr;
  const Shape& whole = slice->args[0]->shape;
  const std::vector<IndexItem>& items = slice->attributes.items;
  if (items.size() != whole.size() || axis >= items.size()) return nullptr;
  for (size_t d = 0; d < items.size(); ++d) {
    const auto* range = std::get_if<IndexSlice>(&items[d]);
    if (!range || range->step != 1 || !constant_value(range->start)) return nullptr;
    if (d != axis && (range->size != whole[d] || constant_value(range->start) != 0)) return nullptr;
  }
  return &std::get<IndexSlice>(items[axis]);
}

}  // namespace

TypedPtr dot_operand(const Apply& dot, size_t number) {
  const TypedPtr& whole = dot.args[number];
  const OpAttributes& of = dot.attributes;
  if (of.part_size == 0) return whole;
  Shape shape = whole->shape;
  OpAttributes attributes;
  for (const int64_t extent : shape) attributes.items.emplace_back(IndexSlice{index_constant(0), extent});
  const size_t axis = contracted(dot, number);
  shape[axis] = of.part_size;
  attributes.items[axis] = IndexSlice{index_constant(of.part_first), of.part_size};
  return make_typed(whole->span, whole->dtype, std::move(shape), Apply{Op::slice, {whole}, std::move(attributes)});
}

int64_t groups_of(const Apply& scaled) { return scaled.args[2]->shape[1]; }

TypedPtr dot_of_group(const TypedPtr& scaled, int64_t group) {
  Apply part = *scaled->as<Apply>();
  const int64_t depth = part.args[0]->shape[contracted(part, 0)] / groups_of(part);
  part.args.resize(2);
  part.attributes.scales_a = part.attributes.scales_b = false;
  if (groups_of(*scaled->as<Apply>()) > 1) {
    part.attributes.part_first = group * depth;
    part.attributes.part_size = depth;
  }
  return make_typed(scaled->span, scaled->dtype, scaled->shape, std::move(part));
}

TypedPtr scale_of_group(const TypedPtr& scale, int64_t group) {
  OpAttributes column;
  column.items = {IndexSlice{index_constant(0), scale->shape[0]}, IndexSlice{index_constant(group), 1}};
  return make_typed(scale->span, scale->dtype, {scale->shape[0], 1}, Apply{Op::slice, {scale}, std::move(column)});
}

TypedPtr dot_of_parts(const TypedPtr& dot) {
  const Apply* node = dot->applies(Op::dot);
  if (!node || node->attributes.part_size > 0 || node->args.size() > 2) return nullptr;
  const IndexSlice* const a = only_slice(node->args[0], contracted(*node, 0));
  const IndexSlice* const b = only_slice(node->args[1], contracted(*node, 1));
  if (!a || !b || a->size == 0 || constant_value(a->start) != constant_value(b->start)) return nullptr;
  Apply whole = *node;
  for (TypedPtr& operand : whole.args) operand = operand->as<Apply>()->args[0];
  whole.attributes.part_first = *constant_value(a->start);
  whole.attributes.part_size = a->size;
  return make_typed(dot->span, dot->dtype, dot->shape, std::move(whole));
}

}  // namespace pallasgen
