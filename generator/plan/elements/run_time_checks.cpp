#include "elements/run_time_checks.h"

#include <algorithm>

#include "check/inside.h"
#include "check/steps.h"
#include "program/program_walk.h"
#include "proofs/block_access.h"
#include "questions/uses.h"
#include "tile/walk.h"

namespace pallasgen {

using namespace program;

namespace {

// True if threads of the role wait for one another other than at barriers of the CTA, which do not count threads that
// have left: at barriers of rings or of the grid, for dynamic work, or because a warp shares a value.
bool wait_for_others(const tile::Program& program, const tile::Role& role) {
  bool found = !program.channels.empty() || tile::work_kind(*program.declarations) == tile::WorkKind::dynamic;
  tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
    const auto value = tile::defined_by(statement);
    const bool of_fragments = value && !is_number(program.value(*value)) && !goes_by_elements(program, statement);
    found = found || statement.as<GridSyncStmt>() || of_fragments;
  });
  return found;
}

TypedPtr compare(Op op, const TypedPtr& a, const TypedPtr& b) { return apply({}, op, DType::boolean, {}, {a, b}); }

bool proved_below(const TypedPtr& a, const TypedPtr& b, const SymbolFacts& facts) {
  return bounds(index_apply(Op::subtract, b, a), facts).minimum.value_or(0) > 0;
}

// Returns the facts that hold if an array has elements along the dim.
SymbolFacts with_elements(const TypedPtr& extent, const SymbolFacts& facts) {
  const Symbol* dim = extent->as<Symbol>();
  if (!dim) return facts;
  SymbolFacts known = facts;
  known.minimum = [id = dim->id, kind = dim->kind, least = facts.minimum](const Symbol& symbol) {
    const std::optional<int64_t> minimum = least(symbol);
    return symbol.kind == kind && symbol.id == id ? std::max<int64_t>(minimum.value_or(1), 1) : minimum;
  };
  return known;
}

}  // namespace

RunTimeChecks::RunTimeChecks(Draft& draft, const tile::Program& program, const tile::Role& role)
    : draft_(draft),
      kernel_(*draft.kernel),
      indices_(kernel_.checks_for("oob")),
      nan_(kernel_.checks_for("nan")),
      stays_(wait_for_others(program, role)) {}

// Returns the axis along which copies run ahead: that of the innermost current loop, else of the innermost one to come.
int RunTimeChecks::stepping_axis() const {
  if (!inside_.empty()) return *inside_.rbegin();
  int axis = -1;
  for (size_t each = 0; each < kernel_.axes.size(); ++each) {
    const int id = static_cast<int>(each);
    if (kernel_.axes[each].sequential && behind_.count(id) == 0) axis = id;
  }
  return axis;
}

// Returns the step of the program, or of the copies, along each axis: the first one before the loop over a sequential
// axis, the last one after it.
std::vector<TypedPtr> RunTimeChecks::point() const {
  std::vector<TypedPtr> out;
  const int stepping = ahead_ ? stepping_axis() : -1;
  for (size_t axis = 0; axis < kernel_.axes.size(); ++axis) {
    const int id = static_cast<int>(axis);
    const bool steps = kernel_.axes[axis].sequential && inside_.count(id) == 0;
    // After all loops, the size of one axis may depend on the last step of another.
    const TypedPtr last = inside_.empty() ? at_last_step(kernel_, axis_symbol(kernel_, id))
                                          : index_apply(Op::subtract, axis_size_symbol(kernel_, id), index_constant(1));
    out.push_back(!steps ? axis_symbol(kernel_, id) : behind_.count(id) > 0 ? last : index_constant(0));
    if (id == stepping) out.back() = simplify(index_apply(Op::add, out.back(), ahead_));
  }
  return out;
}

Statement RunTimeChecks::check(const std::string& fault, TypedPtr violated, std::vector<Binding> bindings) {
  std::vector<std::string>& faults = draft_.plan.faults;
  const auto known = std::find(faults.begin(), faults.end(), fault);
  Check statement{};
  statement.fault = static_cast<int>(known - faults.begin()) + 1;
  if (known == faults.end()) faults.push_back(fault);
  statement.violated = std::move(violated);
  statement.bindings = std::move(bindings);
  statement.stays = stays_;
  statement.point = point();
  return {"", false, std::move(statement)};
}

TypedPtr RunTimeChecks::outside(const TypedPtr& coordinate, const TypedPtr& extent, const SymbolFacts& facts) {
  TypedPtr violated;
  if (!at_least_zero(coordinate, facts)) violated = compare(Op::less, coordinate, index_constant(0));
  if (extent && !proved_below(coordinate, extent, facts))
    violated = either(violated, compare(Op::greater_equal, coordinate, extent));
  return violated;
}

TypedPtr RunTimeChecks::unless_disproved(const TypedPtr& condition, const SymbolFacts& facts) {
  return condition && bounds(condition, facts).maximum != 0 ? condition : nullptr;
}

TypedPtr RunTimeChecks::outside(const tile::Box& box, const std::vector<TypedPtr>& first,
                                const std::vector<TypedPtr>& limits, const SymbolFacts& facts) const {
  const Ref& ref = draft_.ref(box.ref);
  TypedPtr violated;
  for (size_t d = 0; d < box.dims.size(); ++d) {
    if (is_view(ref)) {  // past its end, reads give `fill`
      violated = either(violated, outside(first[d], nullptr, facts));
      continue;
    }
    const BlockDim& block = ref.block[d];
    if (block.kind == BlockKind::whole || !block.index) continue;
    const TypedPtr& extent = ref.array_shape[d];
    // element(n, lo, hi) may lie in its padding; an empty bounded slice may begin past the end.
    const TypedPtr end = index_apply(Op::add, extent, index_constant(block.high));
    const int64_t size = block.size + block.low;
    const TypedPtr last = index_apply(Op::add, first[d], index_constant(size));
    // Nothing is outside an array without elements: `wrong` is limited to others below.
    const SymbolFacts inner = with_elements(extent, facts);
    TypedPtr wrong;
    if (!proved_below(index_constant(0), last, inner))
      wrong =
          size == 1 ? compare(Op::less, first[d], index_constant(0)) : compare(Op::less_equal, last, index_constant(0));
    if (!proved_below(first[d], end, inner) && !follows_axis(kernel_, box.dims[d].first, block.size, extent))
      wrong = either(wrong, compare(Op::greater_equal, first[d], end));
    if (const TypedPtr& limit = limits[d]) {
      if (wrong) wrong = both(compare(Op::greater, limit, index_constant(0)), wrong);
      for (const TypedPtr& below : {limit, first[d]}) wrong = either(wrong, outside(below, nullptr, facts));
      if (!proved_below(limit, index_constant(block.size + 1), facts))
        wrong = either(wrong, compare(Op::greater, limit, index_constant(block.size)));
    }
    if (wrong && !proved_below(index_constant(0), extent, facts))
      wrong = both(compare(Op::greater, extent, index_constant(0)), wrong);
    violated = either(violated, wrong);
  }
  return violated;
}

void RunTimeChecks::leave_on_fault(Statements& body) const {
  if (!draft_.plan.faults.empty() && !stays_)
    body.insert(body.begin(), {"a fault was found: what comes is of no use", false, LeaveOnFault{}});
}

bool RunTimeChecks::ends_with_fault(const Statements& body) const {
  bool together = false;
  for_each_statement(body, [&](const Statement& statement) {
    together = together || std::holds_alternative<GridSync>(statement.node);
  });
  return !draft_.plan.faults.empty() && stays_ && !together;
}

void RunTimeChecks::enter(int axis) { inside_.insert(axis); }

void RunTimeChecks::leave(int axis) {
  inside_.erase(axis);
  behind_.insert(axis);
}

}  // namespace pallasgen
