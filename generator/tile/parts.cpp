#include "tile/parts.h"

#include <algorithm>
#include <optional>

#include "expression/index_map.h"
#include "tile/walk.h"

namespace pallasgen::tile {

namespace {

// The items that index a dim of the block.
std::vector<const IndexItem*> of_dims(const std::vector<IndexItem>& items) {
  std::vector<const IndexItem*> out;
  for (const IndexItem& item : items) {
    if (!std::holds_alternative<IndexNewAxis>(item)) out.push_back(&item);
  }
  return out;
}

TypedPtr start_of(const IndexItem& item) {
  const auto* range = std::get_if<IndexSlice>(&item);
  return range ? range->start : std::get<IndexInteger>(item).value;
}

int64_t size_of(const IndexItem& item) {
  const auto* range = std::get_if<IndexSlice>(&item);
  return range ? range->size : 1;
}

}  // namespace

bool is_part(const std::vector<IndexItem>& items, size_t rank) {
  const std::vector<const IndexItem*> dims = of_dims(items);
  return dims.size() == rank && std::all_of(dims.begin(), dims.end(), [](const IndexItem* item) {
           const auto* range = std::get_if<IndexSlice>(item);
           const auto* at = std::get_if<IndexInteger>(item);
           return (range && range->step == 1 && constant_value(range->start)) || (at && constant_value(at->value));
         });
}

namespace {

// True if the index is equal in all threads.
bool is_known(const Program& program, const TypedPtr& at) {
  bool known = at && at->dtype == DType::index;
  if (known) {
    walk(at, [&](const Typed& node) {
      const auto* use = node.as<LocalUse>();
      known = known && !node.as<RefRead>() && (!use || program.value({use->id}).dtype == DType::index);
    });
  }
  return known;
}

}  // namespace

bool is_box(const Program& program, const std::vector<IndexItem>& items, const Shape& block) {
  if (items.size() != block.size() || items.empty() || !std::holds_alternative<IndexSlice>(items.back())) return false;
  return std::all_of(items.begin(), items.end(), [&](const IndexItem& item) {
    const auto* range = std::get_if<IndexSlice>(&item);
    const auto* at = std::get_if<IndexInteger>(&item);
    return range ? range->step == 1 && is_known(program, range->start) : at && is_known(program, at->value);
  });
}

bool has_rows_apart(const Program& program, const std::vector<IndexItem>& items, const Shape& block) {
  const auto* last = items.empty() ? nullptr : std::get_if<IndexSlice>(&items.back());
  if (items.size() != block.size() || !last || last->step != 1) return false;
  int rows = 0;  // dims that have them
  for (const IndexItem& item : items) {
    const auto* range = std::get_if<IndexSlice>(&item);
    const auto* at = std::get_if<IndexInteger>(&item);
    if (range ? range->step < 1 || !is_known(program, range->start) : !at || !is_known(program, at->value))
      return false;
    rows += range && range != last && range->size > 1 ? 1 : 0;
  }
  return rows <= 1;
}

Box part_of(const Box& whole, const std::vector<IndexItem>& items) {
  Box part = whole;
  const std::vector<const IndexItem*> dims = of_dims(items);
  auto item = dims.begin();
  for (BoxDim& dim : part.dims) {
    if (!dim.size) continue;
    const auto* range = std::get_if<IndexSlice>(*item);
    advance(dim, start_of(**item));
    if (range && range->size != dim.size) dim.size_text = range->size_text;
    dim.size = range ? std::optional(range->size) : std::nullopt;
    ++item;
  }
  return part;
}

bool has_part(const Box& whole, const std::vector<IndexItem>& items) {
  const std::vector<const IndexItem*> dims = of_dims(items);
  auto item = dims.begin();
  for (const BoxDim& dim : whole.dims) {
    if (!dim.size) continue;
    if (dim.limit && (constant_value(start_of(**item)) != 0 || size_of(**item) != *dim.size)) return false;
    ++item;
  }
  return true;
}

bool meets_array(const Box& whole, const std::vector<IndexItem>& items) {
  const std::vector<const IndexItem*> dims = of_dims(items);
  auto item = dims.begin();
  for (const BoxDim& dim : whole.dims) {
    if (!dim.size) continue;
    if (dim.may_leave && constant_value(start_of(**item)) != 0) return false;
    ++item;
  }
  return true;
}

bool are_apart(const std::vector<IndexItem>& a, const std::vector<IndexItem>& b) {
  const std::vector<const IndexItem*> left = of_dims(a), right = of_dims(b);
  for (size_t d = 0; d < left.size() && d < right.size(); ++d) {
    const int64_t first = *constant_value(start_of(*left[d])), other = *constant_value(start_of(*right[d]));
    if (first + size_of(*left[d]) <= other || other + size_of(*right[d]) <= first) return true;
  }
  return false;
}

Shape shape_of_part(const std::vector<IndexItem>& items) {
  Shape shape;
  for (const IndexItem& item : items) {
    if (const auto* range = std::get_if<IndexSlice>(&item)) shape.push_back(range->size);
  }
  return shape;
}

TypedPtr with_new_axes(const TypedPtr& part, const std::vector<IndexItem>& items) {
  OpAttributes attributes;
  Shape shape;
  bool any = false;
  for (const IndexItem& item : items) {
    const bool is_new = std::holds_alternative<IndexNewAxis>(item);
    const auto* range = std::get_if<IndexSlice>(&item);
    any = any || is_new;
    if (!is_new && !range) continue;
    shape.push_back(range ? range->size : 1);
    if (is_new)
      attributes.items.push_back(item);
    else
      attributes.items.emplace_back(IndexSlice{index_constant(0), range->size});
  }
  if (!any) return nullptr;
  return make_typed(part->span, part->dtype, std::move(shape), Apply{Op::slice, {part}, std::move(attributes)});
}

const Apply* part_loaded_by(const Program& program, const Assign& assign) {
  const Home home = program.value(assign.value).home;
  const Apply* part = assign.expr ? assign.expr->applies(Op::slice) : nullptr;
  const auto* block = part ? part->args[0]->as<LocalUse>() : nullptr;
  if (!block || home == Home::shared || home == Home::scalar || program.value({block->id}).home != Home::shared)
    return nullptr;
  return has_rows_apart(program, part->attributes.items, part->args[0]->shape) ? part : nullptr;
}

namespace {

// True if the operation can be computed in registers by the threads that hold its arguments.
bool is_of_registers(const Typed& node, const Apply& apply) {
  const OpGroup group = operation(apply.op).group;
  const std::optional<IndexMap> map = index_map(node);
  return apply.op == Op::slice || (map && map->is_in_order()) || group == OpGroup::elementwise ||
         group == OpGroup::cast || group == OpGroup::reduce || group == OpGroup::scalars || group == OpGroup::matrix;
}

void find_under(const TypedPtr& expr, bool under, std::set<int>& out) {
  if (const auto* use = expr->as<LocalUse>(); use && under) out.insert(use->id);
  const Apply* apply = expr->as<Apply>();
  const auto* call = expr->as<CallFunction>();
  const bool inside = under || (apply && !is_of_registers(*expr, *apply));
  for (const TypedPtr& arg : apply ? apply->args : call ? call->args : std::vector<TypedPtr>{})
    find_under(arg, inside, out);
}

}  // namespace

void find_by_elements(const TypedPtr& expr, std::set<int>& out) { find_under(expr, false, out); }

std::string place_of_part(const std::vector<IndexItem>& items, const Shape& block) {
  const std::vector<const IndexItem*> dims = of_dims(items);
  std::string out;
  for (size_t d = 0; d < dims.size(); ++d) {
    const TypedPtr start = start_of(*dims[d]);
    const std::optional<int64_t> first = constant_value(start);
    const auto* symbol = start->as<Symbol>();
    if (std::holds_alternative<IndexSlice>(*dims[d]) && first == 0 && size_of(*dims[d]) == block[d]) continue;
    out += "_" + (first ? std::to_string(*first) : symbol ? symbol->name : "at");
  }
  return out;
}

}  // namespace pallasgen::tile
