#include "tile/parts.h"

#include <algorithm>
#include <optional>

#include "tile/walk.h"

namespace pallasgen::tile {

bool is_part(const IndexMap& part) {
  return std::all_of(part.dims.begin(), part.dims.end(),
                     [](const IndexMapDim& dim) { return dim.step == 1 && constant_value(dim.first); });
}

namespace {

// True if the map takes ranges and single elements at a place that is equal in all threads, and adds no dim.
bool is_at_known_place(const Program& program, const IndexMap& part) {
  return part.added().empty() && std::all_of(part.dims.begin(), part.dims.end(), [&](const IndexMapDim& dim) {
           bool known = dim.first && dim.first->dtype == DType::index;
           walk(known ? dim.first : nullptr, [&](const Typed& node) {
             const auto* use = node.as<LocalUse>();
             known = known && !node.as<RefRead>() && (!use || program.value({use->id}).dtype == DType::index);
           });
           return known;
         });
}

bool ends_with_range(const IndexMap& part) {
  return !part.dims.empty() && !part.dims.back().along.empty() && part.dims.back().step == 1;
}

}  // namespace

bool is_box(const Program& program, const IndexMap& part) {
  return ends_with_range(part) && is_at_known_place(program, part) &&
         std::all_of(part.dims.begin(), part.dims.end(), [](const IndexMapDim& dim) { return dim.step == 1; });
}

bool has_rows_apart(const Program& program, const IndexMap& part) {
  int rows = 0;  // dims that have them
  for (size_t d = 0; d + 1 < part.dims.size(); ++d) rows += part.taken(d) > 1 ? 1 : 0;
  return ends_with_range(part) && is_at_known_place(program, part) && rows <= 1;
}

Box part_of(const Box& whole, const IndexMap& part) {
  Box out = whole;
  size_t next = 0;
  for (BoxDim& dim : out.dims) {
    if (!dim.size) continue;
    const IndexMapDim& taken = part.dims[next];
    advance(dim, taken.first);
    if (part.taken(next) != dim.size) dim.size_text = taken.size_text;
    dim.size = taken.along.empty() ? std::nullopt : std::optional(part.taken(next));
    ++next;
  }
  return out;
}

bool has_part(const Box& whole, const IndexMap& part) {
  size_t next = 0;
  return std::all_of(whole.dims.begin(), whole.dims.end(),
                     [&](const BoxDim& dim) { return !dim.size || part.takes_all(next++) || !dim.limit; });
}

bool overlaps_array(const Box& whole, const IndexMap& part) {
  size_t next = 0;
  return std::all_of(whole.dims.begin(), whole.dims.end(), [&](const BoxDim& dim) {
    return !dim.size || constant_value(part.dims[next++].first) == 0 || !dim.may_leave;
  });
}

bool are_apart(const IndexMap& a, const IndexMap& b) {
  for (size_t d = 0; d < a.dims.size(); ++d) {
    const int64_t first = *constant_value(a.dims[d].first), other = *constant_value(b.dims[d].first);
    if (first + a.taken(d) <= other || other + b.taken(d) <= first) return true;
  }
  return false;
}

Shape shape_of_part(const IndexMap& part) {
  Shape shape;
  for (size_t d = 0; d < part.dims.size(); ++d) {
    if (!part.dims[d].along.empty()) shape.push_back(part.taken(d));
  }
  return shape;
}

const Apply* part_loaded_by(const Program& program, const Assign& assign) {
  const Home home = program.value(assign.value).home;
  const Apply* part = assign.expr ? assign.expr->applies(Op::slice) : nullptr;
  const auto* block = part ? part->args[0]->as<LocalUse>() : nullptr;
  if (!block || home == Home::shared || home == Home::scalar || program.value({block->id}).home != Home::shared)
    return nullptr;
  const std::optional<IndexMap> map = index_map(*assign.expr);
  return map && has_rows_apart(program, *map) ? part : nullptr;
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

std::string place_of_part(const IndexMap& part) {
  std::string out;
  for (size_t d = 0; d < part.dims.size(); ++d) {
    const IndexMapDim& dim = part.dims[d];
    const std::optional<int64_t> first = constant_value(dim.first);
    const auto* symbol = dim.first->as<Symbol>();
    if (!dim.along.empty() && first == 0 && part.taken(d) == part.operand[d]) continue;
    out += "_" + (first ? std::to_string(*first) : symbol ? symbol->name : "at");
  }
  return out;
}

}  // namespace pallasgen::tile
