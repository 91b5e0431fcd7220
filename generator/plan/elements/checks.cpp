// Run-time checks of statements by elements.
#include <fmt/format.h>

#include <algorithm>

#include "block_access.h"
#include "elements/lowering.h"
#include "tile/walk.h"

namespace pallasgen {

using namespace program;

namespace {
// Reads and writes of whole blocks have no statement of the spec.
std::string after_colon(const std::string& statement) { return statement.empty() ? "" : ": " + statement; }
}  // namespace

// The coordinate lies below 0 or behind the last element, and the mask does not keep it from being used: a fault. Gives
// the coordinate to use: a thread that stays reads the first element then.
TypedPtr ElementLowering::checked_index(const IndexedRange& range, size_t dim, const TypedPtr& coordinate,
                                        ElementSite& site) {
  if (!checks_.of_indices() || range.extents.empty()) return coordinate;
  const TypedPtr extent = range.clips ? nullptr : range.extents[dim];
  TypedPtr violated = RunTimeChecks::outside(coordinate, extent, facts());
  if (!violated) return coordinate;
  violated = both(range.mask, violated);
  const std::string fault = fmt::format("oob: an index of '{}' is outside{}", range.name, after_colon(statement_text_));
  if (!checks_.threads_stay()) {
    site.before.push_back(checks_.check(fault, violated, site.bindings));
    return coordinate;
  }
  const int scalar = add_scalar(names_.take({"outside"}), DType::boolean);
  site.before.push_back(set_scalar(scalar, violated, site.bindings, true, true));
  // As a name: an index expression has no bindings.
  const TypedPtr outside =
      make_typed({}, DType::boolean, {}, Symbol{SymbolKind::loop, -1, draft_.plan.scalars[scalar].name});
  site.before.push_back(checks_.check(fault, outside, {}));
  site.outside = either(site.outside, outside);
  return make_typed(coordinate->span, DType::index, {}, Apply{Op::where, {outside, index_constant(0), coordinate}, {}});
}

TypedPtr ElementLowering::where_inside(TypedPtr condition, const ElementSite& site) {
  if (!site.outside) return condition;
  return both(apply({}, Op::logical_not, DType::boolean, {}, {site.outside}), std::move(condition));
}

void ElementLowering::check_box(const tile::Box& box) {
  if (!checks_.of_indices()) return;
  const auto known = std::find_if(checked_.begin(), checked_.end(), [&](const tile::Box& other) {
    return other.ref == box.ref && tile::same_place(other, box);
  });
  if (known != checked_.end()) return;
  checked_.push_back(box);
  Statements before;
  std::vector<Binding> bindings;
  ElementSite site{before, bindings, 1};
  std::vector<TypedPtr> first, limits;
  for (const tile::BoxDim& dim : box.dims) {
    first.push_back(index_of(dim.first, site));
    limits.push_back(dim.limit ? index_of(dim.limit, site) : nullptr);
  }
  const Ref& ref = draft_.ref(box.ref);
  const TypedPtr violated = checks_.outside(box, first, limits, facts());
  if (!violated) return;
  const std::string fault =
      is_view(ref) ? fmt::format("oob: an index of '{}' is outside{}", ref.name, after_colon(statement_text_))
                   : fmt::format("oob: the block of '{}' lies outside", ref.name);
  std::move(before.begin(), before.end(), std::back_inserter(*body_));
  body_->push_back(checks_.check(fault, violated, std::move(bindings)));
}

// A float that goes to an array, where it is stored at all.
void ElementLowering::check_nan(int index, StoreElement& out, const ArrayPlace& place, ElementSite& site) {
  const Ref& ref = draft_.ref(index);
  if (!checks_.of_nan() || !info(ref.dtype).is_float) return;
  const int scalar = add_scalar(names_.take({draft_.names().derived(ref.name + "_value")}), ref.dtype);
  site.before.push_back(set_scalar(scalar, out.value, site.bindings, true, true));
  out.value = bind_scalar(scalar, ref.span, site);
  const TypedPtr is_nan = make_typed(ref.span, DType::boolean, {}, Apply{Op::isnan, {out.value}, {}});
  const TypedPtr stored = both(inside_condition(draft_, index, place, facts()), out.condition);
  const std::string fault = fmt::format("nan: in '{}'{}", ref.name, after_colon(statement_text_));
  site.before.push_back(checks_.check(fault, both(stored, is_nan), site.bindings));
}

Statement ElementLowering::poll_fault() {
  if (fault_seen_ < 0) fault_seen_ = add_tile("fault_seen", DType::boolean, {number(1)});
  return {"", false, PollFault{fault_seen_}};
}

TypedPtr ElementLowering::no_fault_seen(ElementSite& site) const {
  Binding seen{};
  seen.kind = SlotKind::shared;
  seen.field = fault_seen_;
  seen.index = {index_constant(0)};
  const TypedPtr value = bind(std::move(seen), "fault_seen", kernel_.span, DType::boolean, site);
  return apply({}, Op::logical_not, DType::boolean, {}, {value});
}

// A loop whose end depends on values ends with the first fault for all threads that stay.
void ElementLowering::end_after_fault(WhileLoop& loop) {
  leave_on_fault(loop.body);
  if (!checks_.ends_with_fault(loop.body)) return;
  body_->push_back(poll_fault());
  loop.body.push_back(poll_fault());
  ElementSite site{*body_, loop.bindings, 1};
  loop.condition = both(no_fault_seen(site), loop.condition);
}

}  // namespace pallasgen
