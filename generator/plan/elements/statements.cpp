// Statements of a role whose elements are computed one by one.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "diagnostics/assert.h"
#include "elements/lowering.h"
#include "fragments/fragment_access.h"
#include "homes/inlined_values.h"
#include "program/index_terms.h"
#include "proofs/reductions.h"
#include "tile/walk.h"

namespace pallasgen {

using namespace program;

ElementLowering::ElementLowering(Draft& draft, const tile::Program& program, const tile::Role& role,
                                 FragmentValues& values, std::set<int>& declared)
    : walk_(draft, program, role, values, declared),
      draft_(draft),
      sources_(walk_),
      places_(walk_, sources_, expressions_),
      loops_(walk_, sources_, expressions_),
      warps_(walk_, sources_, expressions_, loops_),
      expressions_(walk_, sources_, places_, loops_),
      stores_(walk_, sources_, places_, expressions_),
      boxes_(walk_, sources_, places_, expressions_, loops_) {}

ElementLowering::Body::Body(ElementLowering& lowering, Statements& out)
    : lowering_(lowering),
      outer_(std::exchange(lowering.walk_.body, &out)),
      locals_(lowering.sources_.locals()),
      checked_(lowering.walk_.checked),
      scope_(lowering.walk_.names) {
  lowering.walk_.quoted.clear();
}

ElementLowering::Body::~Body() {
  ElementWalk& walk = lowering_.walk_;
  walk.body = outer_;
  walk.quoted.clear();
  walk.checked = std::move(checked_);
  lowering_.sources_.restore(std::move(locals_));
}

void ElementLowering::lower(const tile::Statement& statement) {
  if (const TypedPtr assigned = assigned_by_elements(walk_.program, statement))
    return assign(*tile::defined_by(statement), assigned, statement.origin);
  if (const auto* node = statement.as<tile::Assign>()) return declare(node->value);
  if (const auto* node = statement.as<tile::Read>()) return boxes_.read(*node, statement.origin);
  if (const auto* node = statement.as<tile::Write>()) return boxes_.write(*node);
  if (const auto* node = statement.as<tile::Fetch>()) return boxes_.fetch(*node);
  if (const auto* node = statement.as<tile::Flush>()) return boxes_.flush(*node);
  if (const auto* node = statement.as<StoreStmt>()) return stores_.store(statement, *node);
  if (const auto* node = statement.as<AtomicStmt>()) return stores_.update(statement, *node);
  if (const auto* node = statement.as<PrintStmt>()) return print(statement, *node);
  if (const auto* node = statement.as<AssertStmt>()) return check(*node);
  if (const auto* node = statement.as<tile::Forget>()) {
    const ElementSource& source = sources_.source_of_ref(node->ref);
    if (source.home == ElementHome::scalar)
      walk_.body->push_back(set_scalar(source.id, zero_of(draft_.ref(node->ref).dtype), {}, true, false));
    return;
  }
  PALLASGEN_ASSERT(statement.as<GridSyncStmt>(), statement.span);
  walk_.body->push_back({"every program has come here; what they wrote is seen", false, GridSync{}});
}

Statement ElementLowering::poll_fault() {
  if (fault_seen_ < 0) fault_seen_ = sources_.add_tile("fault_seen", DType::boolean, {number(1)});
  return {"", false, PollFault{fault_seen_}};
}

// Threads that stay read one poll of faults from shared memory, so that all of them leave the loop together.
void ElementLowering::end_after_fault(WhileLoop& loop) {
  walk_.checks.leave_on_fault(loop.body);
  if (!walk_.checks.ends_with_fault(loop.body)) return;
  walk_.body->push_back(poll_fault());
  loop.body.push_back(poll_fault());
  ElementSite site{*walk_.body, loop.bindings};
  const TypedPtr seen = bind_shared(draft_.plan, fault_seen_, {index_constant(0)}, draft_.kernel->span, site);
  loop.condition = both(apply({}, Op::logical_not, DType::boolean, {}, {seen}), loop.condition);
}

void ElementLowering::hold_in_ring(tile::ValueId value, int ring, int member) {
  ElementSource source;
  source.home = ElementHome::slot;
  source.id = ring;
  source.member = member;
  source.name = fragment_name(draft_, walk_.program.value(value));
  sources_.set(value.index, std::move(source));
}

void ElementLowering::declare(tile::ValueId id) {
  const tile::Value& value = walk_.program.value(id);
  if (!is_number(value)) {
    if (value.home == tile::Home::shared && walk_.uses.got.count(id.index) == 0) sources_.tile_of(id);
    return;
  }
  if (!walk_.declared.insert(id.index).second) return;
  walk_.body->push_back(set_scalar(walk_.values.scalar(id), zero_of(value.dtype), {}, true, false));
}

int ElementLowering::add_variable(const std::string& name, DType dtype, TypedPtr value) {
  const int scalar = walk_.add_scalar({name}, dtype);
  walk_.body->push_back(set_scalar(scalar, std::move(value), {}, true, false));
  return scalar;
}

void ElementLowering::enter_loop(const tile::For& loop) {
  const Bounds step = bounds(loop.step, walk_.facts()), first = bounds(loop.first, walk_.facts());
  const Bounds stop = bounds(loop.last, walk_.facts());
  const auto next_to = [](std::optional<int64_t> end, int64_t by) {
    int64_t next = 0;
    return end && !__builtin_add_overflow(*end, by, &next) ? std::optional(next) : std::nullopt;
  };
  if (step.minimum.value_or(0) > 0)
    draft_.loops[loop.variable.id] = {first.minimum, next_to(stop.maximum, -1)};
  else if (step.maximum.value_or(0) < 0)
    draft_.loops[loop.variable.id] = {next_to(stop.minimum, 1), first.maximum};
}

void ElementLowering::leave_loop(const tile::For& loop) { draft_.loops.erase(loop.variable.id); }

void ElementLowering::assign_number(tile::ValueId value, const TypedPtr& expr) {
  if (takes_warps(*draft_.kernel, expr)) return warps_.reduce_to_number(expr, walk_.target, value);
  std::vector<Binding> bindings;
  ElementSite site{*walk_.body, bindings};
  const Shape& shape = walk_.program.value(value).shape;
  const Coordinates at(shape.size(), index_constant(0));
  if (is_computed_whole(*draft_.kernel, expr)) {
    // A thread loads it with its order; then all threads read it from shared memory.
    const int cell = sources_.add_tile(walk_.target + "_cell", expr->dtype, {number(1)});
    loops_.fill_tile(cell, expr);
    const TypedPtr loaded = bind_shared(draft_.plan, cell, {index_constant(0)}, expr->span, site);
    return walk_.set_number(value, loaded, std::move(bindings));
  }
  const TypedPtr number = expressions_.element_of(expr, shape, at, site);
  walk_.set_number(value, number, std::move(bindings));
}

// Fills the value's tile with the elements of the expression. Scans and reductions by warps compute directly into it.
void ElementLowering::fill(tile::ValueId id, const TypedPtr& expr) {
  const Apply* apply = expr->as<Apply>();
  const bool by_warps = takes_warps(*draft_.kernel, expr);
  const int tile = sources_.tile_of(id, by_warps ? expr : nullptr);
  const bool scans = apply && is_scan(apply->op) && is_computed_whole(*draft_.kernel, expr);
  if (scans) return by_warps ? warps_.scan(expr, *apply, tile) : loops_.scan(expr, *apply, tile);
  if (by_warps) return warps_.reduce(expr, walk_.target, tile);
  loops_.fill_tile(tile, expr);
}

void ElementLowering::assign(tile::ValueId id, const TypedPtr& expr, const std::string& origin) {
  const tile::Value& value = walk_.program.value(id);
  walk_.target = draft_.names().of(value.name);
  if (const int kept = walk_.kept_dim(expr); kept >= 0) walk_.kept_dims[id.index] = kept;
  const size_t first = walk_.body->size();
  const auto* use = expr->as<LocalUse>();
  const bool whole = use && expr->shape == value.shape;
  if (value.inlined) {
    ElementSource source;
    source.home = ElementHome::inlined;
    source.value = expr;
    source.quoted = origin;
    return sources_.set(id.index, std::move(source));
  }
  if (is_number(value)) {
    assign_number(id, expr);
  } else if (whole && walk_.program.value({use->id}).home != tile::Home::shared &&
             !is_number(walk_.program.value({use->id}))) {
    walk_.body->push_back(store_tile(draft_, walk_.values, sources_.tile_of(id), {use->id}));
    return;
  } else {
    fill(id, expr);
    sources_.reset(id.index);
  }
  walk_.quote(first, origin);
}

// Returns an argument, in the spec's words, of the print at this place of the spec.
std::string ElementLowering::printed_text(Span span, size_t argument) const {
  std::string text;
  for_each_statement(draft_.kernel->body, [&](const KernelStmt& statement) {
    const auto* print = std::get_if<PrintStmt>(&statement.node);
    if (print && statement.span.begin == span.begin) text = to_string(print->args[argument]);
  });
  return text;
}

void ElementLowering::print(const tile::Statement& statement, const PrintStmt& print) {
  Print out{};
  out.texts = print.texts;
  ElementSite site{*walk_.body, out.bindings};
  walk_.target = "printed";
  for (size_t i = 0; i < print.args.size(); ++i) {
    const TypedPtr& arg = print.args[i];
    if (!arg->shape.empty()) {
      walk_.refuse(statement.span, fmt::format("print of {}, an array", printed_text(statement.span, i)),
                   "print one element, or a reduction");
      return;
    }
    out.args.push_back(expressions_.element(arg, {}, site));
  }
  walk_.body->push_back({"", false, std::move(out)});
}

void ElementLowering::check(const AssertStmt& assertion) {
  Assert out{};
  ElementSite site{*walk_.body, out.bindings};
  walk_.target = "condition";
  out.condition = expressions_.element(assertion.condition, {}, site);
  out.message = assertion.message;
  walk_.body->push_back({"", false, std::move(out)});
}

TypedPtr ElementLowering::condition(const TypedPtr& expr, const std::string& name, std::vector<Binding>& bindings) {
  ElementSite site{*walk_.body, bindings};
  walk_.target = name;
  return expressions_.element(expr, {}, site);
}

// A bound that may change, because the body may define its names anew, is copied to a variable before the loop.
TypedPtr ElementLowering::bound_of(const TypedPtr& bound, const std::string& name, std::vector<Binding>& bindings) {
  ElementSite site{*walk_.body, bindings};
  walk_.target = name;
  return walk_.homes.stays(bound) ? places_.index_of(bound, site) : places_.hoisted_index(bound, site);
}

}  // namespace pallasgen
