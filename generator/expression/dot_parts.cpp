#include "expression/index_map.h"

namespace pallasgen {

namespace {

// The dim of operand `number` that the dot contracts.
size_t contracted(const Apply& dot, size_t number) {
  const size_t rank = dot.args[number]->shape.size();
  const bool last = number == 0 ? !dot.attributes.trans_a : dot.attributes.trans_b;
  return rank - (last ? 1 : 2);
}

// The map of an operand that slices a named value along dim `axis` alone, at a constant start; else nothing.
std::optional<IndexMap> slice_along(const TypedPtr& operand, size_t axis) {
  const std::optional<IndexMap> map = index_map(*operand);
  if (!map || !operand->as<Apply>()->args[0]->as<LocalUse>() || axis >= map->dims.size()) return std::nullopt;
  const bool ranges = map->is_in_order() && map->added().empty() && map->dropped().empty();
  const IndexMapDim& dim = map->dims[axis];
  return ranges && map->takes_all_but(axis) && dim.step == 1 && constant_value(dim.first) ? map : std::nullopt;
}

}  // namespace

TypedPtr dot_operand(const Apply& dot, size_t number) {
  const TypedPtr& whole = dot.args[number];
  const OpAttributes& of = dot.attributes;
  if (of.part_size == 0) return whole;
  const TypedPtr first = index_constant(of.part_first);
  return sliced(whole, part_map(whole->shape, contracted(dot, number), first, of.part_size));
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
  return sliced(scale, part_map(scale->shape, 1, index_constant(group), 1));
}

TypedPtr dot_of_parts(const TypedPtr& dot) {
  const Apply* node = dot->applies(Op::dot);
  if (!node || node->attributes.part_size > 0 || node->args.size() > 2) return nullptr;
  const size_t of_a = contracted(*node, 0), of_b = contracted(*node, 1);
  const std::optional<IndexMap> a = slice_along(node->args[0], of_a), b = slice_along(node->args[1], of_b);
  if (!a || !b || a->taken(of_a) == 0) return nullptr;
  const int64_t first = *constant_value(a->dims[of_a].first);
  if (first != constant_value(b->dims[of_b].first)) return nullptr;
  Apply whole = *node;
  for (TypedPtr& operand : whole.args) operand = operand->as<Apply>()->args[0];
  whole.attributes.part_first = first;
  whole.attributes.part_size = a->taken(of_a);
  return make_typed(dot->span, dot->dtype, dot->shape, std::move(whole));
}

}  // namespace pallasgen
