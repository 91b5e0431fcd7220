#include "element_indexing.h"

#include "element_planner.h"

namespace pallasgen {

using namespace program;

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

// Dims are grouped as far as they stay apart, so that one that stays keeps its coordinate.
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

int64_t elements_of(const Shape& shape) {
  int64_t elements = 1;
  for (int64_t size : shape) elements *= size;
  return elements;
}

std::vector<IndexItem> ElementPlanner::at_place(std::vector<IndexItem> items) const {
  for (IndexItem& item : items) {
    if (auto* integer = std::get_if<IndexInteger>(&item)) integer->value = at_place(integer->value);
    if (auto* slice = std::get_if<IndexSlice>(&item); slice && slice->start) slice->start = at_place(slice->start);
    if (auto* gather = std::get_if<IndexGather>(&item)) gather->indices = at_place(gather->indices);
  }
  return items;
}

TypedPtr ElementPlanner::hoisted_index(const TypedPtr& expr, ElementSite& site) {
  std::vector<Binding> bindings;
  ElementSite inner{site.before, bindings, site.turns};
  const TypedPtr value = element(expr, {}, inner);
  if (!value) return nullptr;
  const RefRead* read = expr->as<RefRead>();
  const int scalar =
      add_scalar(names_.take({read ? draft_.names().derived(read->name + "_at") : "entry"}), expr->dtype);
  site.before.push_back(set_scalar(scalar, value, bindings, true, true));
  return variable(draft_.plan.scalars[scalar].name);
}

TypedPtr ElementPlanner::index_of(const TypedPtr& expr, ElementSite& site) {
  if (const Constant* constant = expr->as<Constant>()) return make_typed(expr->span, DType::index, {}, *constant);
  if (const Symbol* symbol = expr->as<Symbol>()) return make_typed(expr->span, DType::index, {}, *symbol);
  if (const LocalUse* use = expr->as<LocalUse>()) {
    const Source& source = locals_.at(use->id);
    if (source.home == Home::scalar) return variable(draft_.plan.scalars[source.id].name);
    return hoisted_index(expr, site);
  }
  const Apply* apply = expr->as<Apply>();
  if (apply && apply->op == Op::cast && expr->dtype == DType::index) return index_of(apply->args[0], site);
  if (!apply || expr->dtype != DType::index) return hoisted_index(expr, site);
  std::vector<TypedPtr> args;
  for (const TypedPtr& arg : apply->args) {
    if (arg->dtype != DType::index) return hoisted_index(expr, site);
    args.push_back(index_of(arg, site));
    if (!args.back()) return nullptr;
  }
  return pallasgen::apply(expr->span, apply->op, DType::index, {}, std::move(args), apply->attributes);
}

std::optional<Coordinates> ElementPlanner::indexed(const std::vector<IndexItem>& items, const Coordinates& at,
                                                   ElementSite& site, const IndexedRange& range) {
  const Selected selected = selected_by(items);
  const auto first = at.begin() + static_cast<ptrdiff_t>(selected.front);
  const auto last = first + static_cast<ptrdiff_t>(selected.arrays.size());
  const Coordinates arrays(first, last);
  Coordinates rest(at.begin(), first);
  rest.insert(rest.end(), last, at.end());
  Coordinates inner;
  size_t next = 0;
  for (const IndexItem& item : items) {
    if (std::holds_alternative<IndexNewAxis>(item)) {
      ++next;
      continue;
    }
    TypedPtr coordinate;
    if (const IndexInteger* integer = std::get_if<IndexInteger>(&item)) {
      coordinate = index_of(integer->value, site);
    } else if (const IndexSlice* slice = std::get_if<IndexSlice>(&item)) {
      const TypedPtr start = slice->start ? index_of(slice->start, site) : index_constant(0);
      if (start) coordinate = add(start, multiply(rest[next++], index_constant(slice->step)));
    } else {
      const TypedPtr& array = std::get<IndexGather>(item).indices;
      std::vector<Binding> bindings;
      ElementSite own{site.before, bindings, site.turns};
      const TypedPtr value = element(array, broadcast_at(array->shape, selected.arrays, arrays), own);
      if (!value) return std::nullopt;
      const Apply* cast = value->applies(Op::cast);
      if (bindings.empty() && cast && cast->args[0]->dtype == DType::index) {
        coordinate = cast->args[0];  // an iota
      } else {
        const RefRead* read = array->as<RefRead>();
        const LocalUse* use = array->as<LocalUse>();
        const std::string name = read ? read->name : use ? use->name : "";
        const int scalar =
            add_scalar(names_.take({name.empty() ? "entry" : draft_.names().derived(name + "_at")}), array->dtype);
        site.before.push_back(set_scalar(scalar, value, bindings, true, true));
        coordinate = variable(draft_.plan.scalars[scalar].name);
      }
    }
    if (!coordinate) return std::nullopt;
    inner.push_back(checked_index(range, inner.size(), coordinate, site));
  }
  return inner;
}

}  // namespace pallasgen
