// Places of elements: coordinates that indices select, places in arrays, and reads of elements there.
#include "elements/places.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/inside.h"
#include "diagnostics/assert.h"
#include "elements/expressions.h"
#include "expression/index_map.h"
#include "program/index_terms.h"
#include "program/numbers.h"
#include "proofs/element_indexing.h"

namespace pallasgen {

using namespace program;

TypedPtr ElementPlaces::element_of_source(const ElementSource& source, const TypedPtr& node, const Coordinates& at,
                                          ElementSite& site) {
  if (source.home == ElementHome::scalar) return bind_scalar(draft_.plan, source.id, node->span, site);
  if (source.home == ElementHome::box)
    return element_of_array(source.box.ref, box_place(source.box, at, site), node->span, site);
  if (source.home == ElementHome::slot) return element_of_slot(source, at, node, site);
  PALLASGEN_ASSERT(source.home == ElementHome::tile, node->span);
  return bind_shared(draft_.plan, source.id, in_tile(at), node->span, site);
}

TypedPtr ElementPlaces::element_of_ref(int index, const Coordinates& at, Span span, ElementSite& site,
                                       std::optional<program::MemoryOrder> order) {
  const ElementSource& source = sources_.source_of_ref(index);
  if (source.home == ElementHome::scalar) return bind_scalar(draft_.plan, source.id, span, site);
  if (source.home == ElementHome::tile) return bind_shared(draft_.plan, source.id, in_tile(at), span, site);
  return element_of_array(index, place_of(index, at, site), span, site, order);
}

TypedPtr ElementPlaces::element_of_array(int index, const ArrayPlace& place, Span span, ElementSite& site,
                                         std::optional<program::MemoryOrder> order) {
  const Ref& ref = draft_.ref(index);
  Binding binding{};
  binding.kind = SlotKind::global;
  binding.ref = index;
  binding.index = place.index;
  binding.may_leave = place.may_leave;
  binding.order = order;
  if (ref.fill) binding.outside = typed_constant(ref.dtype, *ref.fill);
  const bool leaves = std::find(place.may_leave.begin(), place.may_leave.end(), true) != place.may_leave.end();
  if (!leaves) binding.outside = nullptr;
  const TypedPtr value = bind_element(std::move(binding), ref.name, span, ref.dtype, site);
  if (!place.inside) return value;
  return make_typed(
      span, ref.dtype, {},
      Apply{
          Op::where, {place.inside, value, ref.fill ? typed_constant(ref.dtype, *ref.fill) : zero_of(ref.dtype)}, {}});
}

// Elements outside the array have, in the slot, the value that reads of them give.
TypedPtr ElementPlaces::element_of_slot(const ElementSource& source, const Coordinates& at, const TypedPtr& node,
                                        ElementSite& site) {
  const std::vector<Number> sizes = sources_.sizes_of(node);
  TypedPtr offset = index_constant(0);
  for (size_t d = 0; d < at.size(); ++d)
    offset = index_apply(Op::add, multiply(std::move(offset), to_index(sizes[d])), at[d]);
  Binding binding{};
  binding.kind = SlotKind::shared;
  binding.ring = source.id;
  binding.field = draft_.plan.rings[static_cast<size_t>(source.id)].operands[static_cast<size_t>(source.member)].field;
  binding.index = {offset};
  return bind_element(std::move(binding), source.name, node->span, node->dtype, site);
}

ArrayPlace ElementPlaces::box_place(const tile::Box& box, const Coordinates& at, ElementSite& site) {
  const Ref& ref = draft_.ref(box.ref);
  ArrayPlace out;
  size_t dim = 0;
  for (size_t d = 0; d < box.dims.size(); ++d) {
    const tile::BoxDim& from = box.dims[d];
    const TypedPtr first = index_of(from.first, site);
    const TypedPtr coordinate = from.size ? at[dim++] : nullptr;
    TypedPtr index = coordinate ? add(first, coordinate) : first;
    if (from.each) index = gathered_index(from.each, {index}, site);
    out.may_leave.push_back(from.may_leave &&
                            !stays_inside(*draft_.kernel, index, 1, ref.array_shape[d], walk_.facts()));
    out.index.push_back(index);
    if (!from.limit) continue;
    const TypedPtr below = apply({}, Op::less, DType::boolean, {}, {coordinate, index_of(from.limit, site)});
    out.inside = both(out.inside, below);
  }
  return out;
}

ArrayPlace ElementPlaces::place_of(int ref, const Coordinates& at, ElementSite& site) {
  const ElementSource& source = sources_.source_of_ref(ref);
  if (source.box.ref >= 0) return box_place(source.box, at, site);
  return array_place(draft_, ref, at, walk_.facts());
}

IndexedRange ElementPlaces::range_of(int index, TypedPtr mask) const {
  const Ref& ref = draft_.ref(index);
  IndexedRange range;
  range.name = ref.name;
  range.mask = std::move(mask);
  range.clips = is_view(ref);
  std::vector<TypedPtr> runtime;  // extents of the array along the dims that the body sees
  for (size_t d = 0; d < ref.array_shape.size(); ++d) {
    if (ref.block.empty() || ref.block[d].kind != BlockKind::squeezed) runtime.push_back(ref.array_shape[d]);
  }
  for (size_t d = 0; d < ref.shape.size(); ++d)
    range.extents.push_back(ref.shape[d] >= 0 ? index_constant(ref.shape[d]) : runtime[d]);
  return range;
}

TypedPtr ElementPlaces::hoisted_index(const TypedPtr& expr, ElementSite& site) {
  std::vector<Binding> bindings;
  ElementSite inner{site.before, bindings};
  const TypedPtr value = expressions_.element(expr, {}, inner);
  const RefRead* read = expr->as<RefRead>();
  return in_variable(read ? read->name : "", value, std::move(bindings), expr->dtype, site);
}

// Declares a variable of the site, named after the source of its value.
TypedPtr ElementPlaces::in_variable(const std::string& name, const TypedPtr& value, std::vector<Binding> bindings,
                                    DType dtype, ElementSite& site) {
  const int scalar = walk_.add_scalar({name.empty() ? "entry" : draft_.names().derived(name + "_at")}, dtype);
  site.before.push_back(set_scalar(scalar, value, std::move(bindings), true, true));
  return variable(draft_.plan.scalars[scalar].name);
}

TypedPtr ElementPlaces::index_of(const TypedPtr& expr, ElementSite& site) {
  if (const Constant* constant = expr->as<Constant>()) return make_typed(expr->span, DType::index, {}, *constant);
  if (const Symbol* symbol = expr->as<Symbol>()) return make_typed(expr->span, DType::index, {}, *symbol);
  if (const LocalUse* use = expr->as<LocalUse>()) {
    const ElementSource source = sources_.source_of_value(use->id);
    if (source.home == ElementHome::scalar) return variable(draft_.plan.scalars[source.id].name);
    return hoisted_index(expr, site);
  }
  const Apply* apply = expr->as<Apply>();
  if (apply && apply->op == Op::cast && expr->dtype == DType::index) return index_of(apply->args[0], site);
  if (!apply || expr->dtype != DType::index) return hoisted_index(expr, site);
  std::vector<TypedPtr> args;
  for (const TypedPtr& arg : apply->args) {
    if (arg->dtype != DType::index) return hoisted_index(expr, site);
    args.push_back(index_of(arg, site));
  }
  return pallasgen::apply(expr->span, apply->op, DType::index, {}, std::move(args), apply->attributes);
}

TypedPtr ElementPlaces::gathered_index(const TypedPtr& indices, const Coordinates& at, ElementSite& site) {
  const LocalUse* use = indices->as<LocalUse>();
  if (use && sources_.source_of_value(use->id).home == ElementHome::scalar) return index_of(indices, site);
  std::vector<Binding> bindings;
  ElementSite own{site.before, bindings};
  const TypedPtr value = expressions_.element(indices, at, own);
  const Apply* cast = value->applies(Op::cast);
  if (bindings.empty() && cast && cast->args[0]->dtype == DType::index) return cast->args[0];  // an iota
  const RefRead* read = indices->as<RefRead>();
  const std::string name = read ? read->name : use ? use->name : "";
  return in_variable(name, value, std::move(bindings), indices->dtype, site);
}

Coordinates ElementPlaces::indexed(const std::vector<IndexItem>& items, const Coordinates& at, ElementSite& site,
                                   const IndexedRange& range) {
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
      coordinate = add(start, multiply(rest[next++], index_constant(slice->step)));
    } else {
      const TypedPtr& array = std::get<IndexGather>(item).indices;
      coordinate = gathered_index(array, broadcast_map(array->shape, selected.arrays).operand_indices(arrays), site);
    }
    inner.push_back(checked_index(range, inner.size(), coordinate, site));
  }
  return inner;
}

// Adds the check that a coordinate, if the mask lets it be used, is neither below 0 nor past the last element. Returns
// the coordinate to use: after a fault, a thread that stays reads the first element.
TypedPtr ElementPlaces::checked_index(const IndexedRange& range, size_t dim, const TypedPtr& coordinate,
                                      ElementSite& site) {
  if (!walk_.checks.of_indices() || range.extents.empty()) return coordinate;
  const TypedPtr extent = range.clips ? nullptr : range.extents[dim];
  TypedPtr violated = RunTimeChecks::outside(coordinate, extent, walk_.facts());
  if (!violated) return coordinate;
  violated = RunTimeChecks::unless_disproved(both(range.mask, violated), walk_.facts());
  if (!violated) return coordinate;
  const std::string fault = fmt::format("oob: an index of '{}' is outside{}", range.name, walk_.statement_of_fault());
  if (!walk_.checks.threads_stay()) {
    site.before.push_back(walk_.checks.check(fault, violated, site.bindings));
    return coordinate;
  }
  const int scalar = walk_.add_scalar({"outside"}, DType::boolean);
  site.before.push_back(set_scalar(scalar, violated, site.bindings, true, true));
  // A variable by its name: an index expression has no bindings.
  const TypedPtr outside =
      make_typed({}, DType::boolean, {}, Symbol{SymbolKind::loop, -1, draft_.plan.scalars[scalar].name});
  site.before.push_back(walk_.checks.check(fault, outside, {}));
  site.outside = either(site.outside, outside);
  return make_typed(coordinate->span, DType::index, {}, Apply{Op::where, {outside, index_constant(0), coordinate}, {}});
}

}  // namespace pallasgen
