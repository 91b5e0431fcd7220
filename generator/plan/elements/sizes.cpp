// Sizes of values and blocks by the names that they have in the spec.
#include <algorithm>

#include "elements/sources.h"
#include "expression/index_map.h"
#include "plan/words.h"
#include "program/numbers.h"
#include "proofs/box_access.h"

namespace pallasgen {

using namespace program;

std::vector<Number> ElementSources::sizes_of_ref(int index) const {
  const Ref& ref = draft_.ref(index);
  std::vector<Number> sizes;
  for (const BlockDim& dim : ref.block) {
    if (dim.kind != BlockKind::squeezed) sizes.push_back(number_of(dim));
  }
  if (sizes.size() == ref.shape.size()) return sizes;
  sizes.clear();  // scratch has no block of its own
  for (size_t d = 0; d < ref.shape.size(); ++d) {
    sizes.push_back(d < ref.array_shape.size() ? number_of(ref.array_shape[d], ref.shape[d]) : number(ref.shape[d]));
  }
  return sizes;
}

// Returns a size of a shape that no operand has, as in `zeros(f32, [bm, bn])`: that of the first block of equal sizes.
Number ElementSources::size_as_block(const Shape& shape, size_t dim) const {
  for (size_t ref = 0; ref < draft_.kernel->refs.size(); ++ref) {
    const std::vector<Number> sizes = sizes_of_ref(static_cast<int>(ref));
    const auto same = [](const Number& a, int64_t b) { return a.value == b; };
    if (std::equal(sizes.begin(), sizes.end(), shape.begin(), shape.end(), same)) return sizes[dim];
  }
  return number(shape[dim]);
}

Number ElementSources::size_of(const TypedPtr& node, size_t dim) const {
  const int64_t size = node->shape[dim];
  const auto checked = [&](const Number& candidate) { return candidate.value == size ? candidate : number(size); };
  if (size == 1) return number(1);
  if (const LocalUse* use = node->as<LocalUse>()) {
    const auto local = locals_.find(use->id);
    const ElementHome home = local == locals_.end() ? ElementHome::tile : local->second.home;
    if (home == ElementHome::inlined) return size_of(local->second.value, dim);
    if (home == ElementHome::box) return checked(box_sizes(draft_, local->second.box)[dim]);
    const int field = local == locals_.end() ? (tiles_.count(use->id) > 0 ? tiles_.at(use->id) : -1) : local->second.id;
    const auto tile = home == ElementHome::tile ? tile_sizes_.find(field) : tile_sizes_.end();
    if (tile != tile_sizes_.end()) return checked(tile->second[dim]);
    return size_as_block(node->shape, dim);
  }
  if (const RefRead* read = node->as<RefRead>()) {
    const std::vector<Number> sizes = sizes_of_ref(read->ref);
    for (const Number& candidate : sizes) {
      if (read->whole ? &candidate == &sizes[dim] : candidate.value == size) return checked(candidate);
    }
    return number(size);
  }
  const auto from_trailing = [&](const TypedPtr& arg) -> std::optional<Number> {
    if (arg->shape.size() + dim < node->shape.size()) return std::nullopt;
    const size_t own = arg->shape.size() + dim - node->shape.size();
    if (arg->shape[own] != size) return std::nullopt;
    const Number found = size_of(arg, own);
    return found.text == std::to_string(size) ? std::nullopt : std::optional<Number>(found);
  };
  if (const CallFunction* call = node->as<CallFunction>()) {
    for (const TypedPtr& arg : call->args) {
      if (const auto found = from_trailing(arg)) return *found;
    }
    return number(size);
  }
  const Apply* apply = node->as<Apply>();
  if (!apply || apply->args.empty()) return size_as_block(node->shape, dim);
  const std::optional<IndexMap> moved = index_map(*node), map = moved ? moved : reduction_map(*node);
  const int own = map ? map->operand_dim(dim) : -1;
  const Number block = size_as_block(node->shape, dim);
  // A part or a view with the shape of a block gets the names of that block's sizes.
  const bool is_block = moved && moved->is_in_order() && block.text != std::to_string(size);
  if (!is_block && own >= 0 && map->takes_all(static_cast<size_t>(own)))
    return size_of(apply->args[0], static_cast<size_t>(own));
  if (operation(apply->op).group == OpGroup::shape) return block;
  if (apply->op == Op::dot) {
    const bool rows = dim + 2 == node->shape.size();
    const TypedPtr& from = apply->args[rows ? 0 : 1];
    if (dim + 2 < node->shape.size()) return number(size);
    const bool transposes = rows ? apply->attributes.trans_a : apply->attributes.trans_b;
    return size_of(from, from->shape.size() - (rows == transposes ? 1 : 2));
  }
  for (const TypedPtr& operand : apply->args) {
    if (const auto found = from_trailing(operand)) return *found;
  }
  return number(size);
}

std::vector<Number> ElementSources::sizes_of(const TypedPtr& node) const {
  std::vector<Number> sizes;
  for (size_t dim = 0; dim < node->shape.size(); ++dim) sizes.push_back(size_of(node, dim));
  return sizes;
}

}  // namespace pallasgen
