// Where an element of what is indexed lies.
#include "element_indexing.h"
#include "elements/lowering.h"

namespace pallasgen {

using namespace program;

ElementLowering::IndexedRange ElementLowering::range_of(int index, TypedPtr mask) const {
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

TypedPtr ElementLowering::hoisted_index(const TypedPtr& expr, ElementSite& site) {
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

TypedPtr ElementLowering::index_of(const TypedPtr& expr, ElementSite& site) {
  if (const Constant* constant = expr->as<Constant>()) return make_typed(expr->span, DType::index, {}, *constant);
  if (const Symbol* symbol = expr->as<Symbol>()) return make_typed(expr->span, DType::index, {}, *symbol);
  if (const LocalUse* use = expr->as<LocalUse>()) {
    const Source source = source_of(use->id);
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

std::optional<Coordinates> ElementLowering::indexed(const std::vector<IndexItem>& items, const Coordinates& at,
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
