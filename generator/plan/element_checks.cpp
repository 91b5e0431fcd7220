// Run-time checks of a body that goes element by element.
#include <fmt/format.h>

#include <algorithm>

#include "block_access.h"
#include "element_indexing.h"
#include "element_planner.h"
#include "program_walk.h"
#include "tensor_copies.h"

namespace pallasgen {

using namespace program;

namespace {

TypedPtr or_both(TypedPtr a, TypedPtr b) {
  if (!a || !b) return a ? a : b;
  return apply({}, Op::logical_or, DType::boolean, {}, {std::move(a), std::move(b)});
}

TypedPtr and_both(TypedPtr a, TypedPtr b) {
  if (!a || !b) return a ? a : b;
  return apply({}, Op::logical_and, DType::boolean, {}, {std::move(a), std::move(b)});
}

TypedPtr compare_index(Op op, const TypedPtr& a, const TypedPtr& b) {
  return apply({}, op, DType::boolean, {}, {a, b});
}

bool proved_below(const TypedPtr& a, const TypedPtr& b, const SymbolFacts& facts) {
  const Bounds left = bounds(index_apply(Op::subtract, b, a), facts);
  return left.minimum && *left.minimum > 0;
}

bool proved_not_negative(const TypedPtr& a, const SymbolFacts& facts) {
  const Bounds range = bounds(a, facts);
  return range.minimum && *range.minimum >= 0;
}

}  // namespace

bool ElementPlanner::checks(const char* which) const {
  const std::vector<std::string>& list = kernel_.checks;
  return std::find(list.begin(), list.end(), which) != list.end();
}

Statement ElementPlanner::check(const std::string& fault, TypedPtr violated, std::vector<Binding> bindings) {
  std::vector<std::string>& faults = draft_.plan.faults;
  const auto known = std::find(faults.begin(), faults.end(), fault);
  Check statement{};
  statement.fault = static_cast<int>(known - faults.begin()) + 1;
  if (known == faults.end()) faults.push_back(fault);
  statement.violated = std::move(violated);
  statement.bindings = std::move(bindings);
  statement.stays = stays_;
  for (size_t axis = 0; axis < kernel_.axes.size(); ++axis)
    statement.point.push_back(at_place(axis_symbol(kernel_, static_cast<int>(axis))));
  return {"", false, std::move(statement)};
}

// The coordinate lies below 0 or behind the last element, and the guard (a mask) does not keep it from being used: a
// fault. Gives the coordinate to use: a thread that stays reads the first element then.
TypedPtr ElementPlanner::checked_index(const IndexedRange& range, size_t dim, const TypedPtr& coordinate,
                                       ElementSite& site) {
  if (!checks("oob") || range.extents.empty()) return coordinate;
  const TypedPtr& extent = range.extents[dim];
  TypedPtr violated;
  if (!proved_not_negative(coordinate, facts())) violated = compare_index(Op::less, coordinate, index_constant(0));
  if (!range.clips && !proved_below(coordinate, extent, facts()))
    violated = or_both(violated, compare_index(Op::greater_equal, coordinate, extent));
  if (!violated) return coordinate;
  if (range.mask) violated = and_both(range.mask, violated);
  const std::string fault = fmt::format("oob: an index of '{}' is outside: {}", range.name, statement_text_);
  if (!stays_) {
    site.before.push_back(check(fault, violated, site.bindings));
    return coordinate;
  }
  const int scalar = add_scalar(names_.take({"outside"}), DType::boolean);
  site.before.push_back(set_scalar(scalar, violated, site.bindings, true, true));
  // As a name: an index expression has no bindings.
  const TypedPtr outside =
      make_typed({}, DType::boolean, {}, Symbol{SymbolKind::loop, -1, draft_.plan.scalars[scalar].name});
  site.before.push_back(check(fault, outside, {}));
  site.outside = or_both(site.outside, outside);
  return make_typed(coordinate->span, DType::index, {}, Apply{Op::where, {outside, index_constant(0), coordinate}, {}});
}

TypedPtr ElementPlanner::where_inside(TypedPtr condition, const ElementSite& site) {
  if (!site.outside) return condition;
  return and_both(apply({}, Op::logical_not, DType::boolean, {}, {site.outside}), std::move(condition));
}

ElementPlanner::IndexedRange ElementPlanner::range_of(int index, TypedPtr mask) const {
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

// Blocks that lie wholly outside their array, along some dim of it.
void ElementPlanner::check_blocks(Statements& out) {
  if (!checks("oob")) return;
  for (size_t index = 0; index < kernel_.refs.size(); ++index) {
    const Ref& ref = kernel_.refs[index];
    const int id = static_cast<int>(index);
    if ((ref.role != RefRole::input && ref.role != RefRole::output) || is_view(ref)) continue;
    if (read_.count(id) == 0 && written_.count(id) == 0) continue;
    const std::vector<TypedPtr> first = placed(kernel_, block_coordinates(draft_, id), place_);
    TypedPtr violated;
    for (size_t d = 0; d < ref.block.size(); ++d) {
      const BlockDim& block = ref.block[d];
      if (block.kind == BlockKind::whole || !block.index) continue;
      const TypedPtr& extent = ref.array_shape[d];
      // element(n, lo, hi) may lie in its padding; of a bounded slice what counts is its size.
      const TypedPtr end = index_apply(Op::add, extent, index_constant(block.high));
      const TypedPtr last = index_apply(Op::add, first[d], index_constant(block.size + block.low));
      TypedPtr wrong;
      if (!proved_below(index_constant(0), last, draft_.facts))
        wrong = compare_index(Op::less_equal, last, index_constant(0));
      if (!proved_below(first[d], end, draft_.facts) && !follows_axis(kernel_, first[d], block.size, extent))
        wrong = or_both(wrong, compare_index(Op::greater_equal, first[d], end));
      if (block.kind == BlockKind::bounded_slice && block.slice_size) {
        const TypedPtr size = placed(kernel_, {block.slice_size}, place_).front();
        if (wrong) wrong = and_both(compare_index(Op::greater, size, index_constant(0)), wrong);
        for (const TypedPtr& below : {size, first[d]}) {
          if (!proved_not_negative(below, draft_.facts))
            wrong = or_both(wrong, compare_index(Op::less, below, index_constant(0)));
        }
        if (!proved_below(size, index_constant(block.size + 1), draft_.facts))
          wrong = or_both(wrong, compare_index(Op::greater, size, index_constant(block.size)));
      }
      // An array without elements has no inside.
      if (wrong && !proved_below(index_constant(0), extent, draft_.facts))
        wrong = and_both(compare_index(Op::greater, extent, index_constant(0)), wrong);
      violated = or_both(violated, wrong);
    }
    if (violated) out.push_back(check(fmt::format("oob: the block of '{}' lies outside", ref.name), violated, {}));
  }
}

// A float that goes to an array, where it is stored at all.
void ElementPlanner::check_nan(int index, StoreElement& out, const ArrayPlace& place, ElementSite& site) {
  const Ref& ref = draft_.ref(index);
  if (!checks("nan") || !info(ref.dtype).is_float) return;
  const int scalar = add_scalar(names_.take({draft_.names().derived(ref.name + "_value")}), ref.dtype);
  site.before.push_back(set_scalar(scalar, out.value, site.bindings, true, true));
  out.value = bind_scalar(scalar, ref.span, site);
  TypedPtr violated = make_typed(ref.span, DType::boolean, {}, Apply{Op::isnan, {out.value}, {}});
  const TypedPtr inside = inside_condition(draft_, index, place, facts());
  for (const TypedPtr& condition : {out.condition, inside}) {
    if (condition) violated = and_both(condition, violated);
  }
  site.before.push_back(
      check(fmt::format("nan: in '{}'{}{}", ref.name, statement_text_.empty() ? "" : ": ", statement_text_), violated,
            site.bindings));
}

// At the head of what runs again: another thread may have found a fault.
void ElementPlanner::leave_on_fault(Statements& out) const {
  if (!draft_.plan.faults.empty() && !stays_)
    out.insert(out.begin(), {"a fault was found: what comes is of no use", false, LeaveOnFault{}});
}

Statement ElementPlanner::poll_fault() {
  if (fault_seen_ < 0) fault_seen_ = add_tile("fault_seen", DType::boolean, {number(1)});
  return {"", false, PollFault{fault_seen_}};
}

TypedPtr ElementPlanner::no_fault_seen(ElementSite& site) const {
  Binding seen{};
  seen.kind = SlotKind::shared;
  seen.field = fault_seen_;
  seen.index = {index_constant(0)};
  const TypedPtr value = bind(std::move(seen), "fault_seen", kernel_.span, DType::boolean, site);
  return apply({}, Op::logical_not, DType::boolean, {}, {value});
}

// What `out` holds from `first` on is passed over once a fault has been found; slots are awaited and released as ever.
void ElementPlanner::pass_after_fault(Statements& out, size_t first) {
  if (draft_.plan.faults.empty() || in_rings_.empty() || first >= out.size()) return;
  const auto begin = out.begin() + static_cast<ptrdiff_t>(first);
  If unless{nullptr, {std::make_move_iterator(begin), std::make_move_iterator(out.end())}, {}, {}};
  out.erase(begin, out.end());
  ElementSite site{out, unless.bindings, 1};
  out.push_back(poll_fault());
  unless.condition = no_fault_seen(site);
  out.push_back({"after a fault nothing is computed any more", false, std::move(unless)});
}

// A loop whose end depends on values ends with the first fault for all threads that stay, unless it is one that all
// programs go round together.
void ElementPlanner::end_after_fault(WhileLoop& loop, const Statements& body) {
  if (draft_.plan.faults.empty() || !stays_) return;
  bool together = false;
  for_each_statement(body, [&](const Statement& statement) {
    together = together || std::holds_alternative<GridSync>(statement.node);
  });
  if (together) return;
  body_->push_back(poll_fault());
  loop.body.push_back(poll_fault());
  ElementSite site{*body_, loop.bindings, 1};
  loop.condition = and_both(no_fault_seen(site), loop.condition);
}

}  // namespace pallasgen
