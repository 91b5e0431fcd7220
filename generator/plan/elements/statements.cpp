// Statements of a role whose elements are computed one by one.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "diagnostics/assert.h"
#include "elements/lowering.h"
#include "fragments/fragment_access.h"
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
      whole_(walk_, sources_, expressions_, loops_, warps_),
      expressions_(walk_, sources_, places_, loops_, whole_),
      stores_(walk_, sources_, places_, expressions_, whole_),
      boxes_(walk_, sources_, places_, expressions_, whole_) {}

ElementLowering::Body::Body(ElementLowering& lowering, Statements& out)
    : lowering_(lowering),
      outer_(std::exchange(lowering.walk_.body, &out)),
      locals_(lowering.sources_.locals()),
      checked_(lowering.walk_.checked),
      depth_(lowering.walk_.body_depth),
      scope_(lowering.walk_.names) {
  lowering.walk_.body_depth = lowering.walk_.names.depth();
}

ElementLowering::Body::~Body() {
  ElementWalk& walk = lowering_.walk_;
  walk.body = outer_;
  walk.checked = std::move(checked_);
  walk.body_depth = depth_;
  lowering_.sources_.restore(std::move(locals_));
  lowering_.whole_.forget();
}

bool ElementLowering::lower(const tile::Statement& statement, const tile::Statement* next) {
  whole_.forget();
  if (const auto* node = statement.as<tile::Assign>()) return assign(node->value, node->expr, statement.origin, next);
  if (const auto* node = statement.as<tile::Read>()) return boxes_.read(*node, statement.origin);
  if (const auto* node = statement.as<tile::Write>()) return boxes_.write(*node);
  if (const auto* node = statement.as<tile::Fetch>()) return boxes_.fetch(*node);
  if (const auto* node = statement.as<tile::Flush>()) return boxes_.flush(*node);
  if (const auto* node = statement.as<StoreStmt>()) return stores_.store(statement, *node);
  if (const auto* node = statement.as<AtomicStmt>()) return stores_.update(statement, *node);
  if (const auto* node = statement.as<PrintStmt>()) return print(statement, *node);
  if (const auto* node = statement.as<AssertStmt>()) return check(*node);
  if (const auto* node = statement.as<tile::Dot>()) {
    const TypedPtr& product = node->product;
    const TypedPtr sum = node->start ? make_typed(product->span, product->dtype, product->shape,
                                                  Apply{Op::add, {node->start, product}, {}})
                                     : product;
    return assign(node->value, sum, statement.origin, next);
  }
  if (const auto* node = statement.as<tile::Forget>()) {
    const ElementSource& source = sources_.source_of_ref(node->ref);
    if (source.home == ElementHome::scalar)
      walk_.body->push_back(set_scalar(source.id, zero_of(draft_.ref(node->ref).dtype), {}, true, false));
    return true;
  }
  PALLASGEN_ASSERT(statement.as<GridSyncStmt>(), statement.span);
  walk_.body->push_back({"every program has come here; what they wrote is seen", false, GridSync{}});
  return true;
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
  ElementSite site{*walk_.body, loop.bindings, 1};
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

bool ElementLowering::assign_number(tile::ValueId value, const TypedPtr& expr, const std::string& origin) {
  const size_t first = walk_.body->size();
  std::vector<Binding> bindings;
  ElementSite site{*walk_.body, bindings, 1};
  const Shape& shape = walk_.program.value(value).shape;
  const Coordinates at(shape.size(), index_constant(0));
  const TypedPtr number = expressions_.element_of(expr, shape, at, site);
  if (!number) return false;
  walk_.set_number(value, number, std::move(bindings));
  walk_.quote(first, origin);
  return true;
}

// Fills the value's tile with the elements of the expression. Scans and reductions by warps compute directly into it.
bool ElementLowering::fill(tile::ValueId id, const TypedPtr& expr) {
  const Apply* apply = expr->as<Apply>();
  bool reads_own = false;
  walk(expr, [&](const Typed& node) {
    const auto* use = node.as<LocalUse>();
    reads_own = reads_own || (use && use->id == id.index);
  });
  const bool whole = expr->shape == walk_.program.value(id).shape;
  if (apply && is_scan(apply->op) && !reads_own && whole) return whole_.scan(expr, *apply, sources_.tile_of(id));
  if (takes_warps(*draft_.kernel, expr) && whole && !sources_.has_tile(id) && elements_of(expr->shape) > 1) {
    const std::optional<ElementSource> made = warps_.reduce(expr, walk_.target);
    if (made) sources_.set_tile(id, made->id);
    return made.has_value();
  }
  return whole_.fill_tile(sources_.tile_of(id), expr);
}

bool ElementLowering::assign(tile::ValueId id, const TypedPtr& expr, const std::string& origin,
                             const tile::Statement* next) {
  const tile::Value& value = walk_.program.value(id);
  walk_.target = draft_.names().of(value.name);
  if (!expr) {
    declare(id);
    return true;
  }
  if (is_number(value)) return assign_number(id, expr, origin);
  const auto* use = expr->as<LocalUse>();
  const bool whole = use && expr->shape == value.shape;
  if (whole && walk_.program.value({use->id}).home != tile::Home::shared &&
      !is_number(walk_.program.value({use->id}))) {
    walk_.body->push_back(store_tile(draft_, walk_.values, sources_.tile_of(id), {use->id}));
    return true;
  }
  if (expr->shape == value.shape && sources_.can_inline(id, expr, next)) {
    ElementSource source;
    source.home = ElementHome::inlined;
    source.value = expr;
    source.name = walk_.target;
    source.quoted = origin;
    sources_.set(id.index, std::move(source));
    return true;
  }
  const size_t first = walk_.body->size();
  if (!fill(id, expr)) return false;
  walk_.quote(first, origin);
  sources_.reset(id.index);
  return true;
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

bool ElementLowering::print(const tile::Statement& statement, const PrintStmt& print) {
  Print out{};
  out.texts = print.texts;
  ElementSite site{*walk_.body, out.bindings, 1};
  walk_.target = "printed";
  for (size_t i = 0; i < print.args.size(); ++i) {
    const TypedPtr& arg = print.args[i];
    if (!arg->shape.empty()) {
      walk_.refuse(statement.span, fmt::format("print of {}, an array", printed_text(statement.span, i)),
                   "print one element, or a reduction");
      return false;
    }
    out.args.push_back(expressions_.element(arg, {}, site));
    if (!out.args.back()) return false;
  }
  walk_.body->push_back({"", false, std::move(out)});
  return true;
}

bool ElementLowering::check(const AssertStmt& assertion) {
  Assert out{};
  ElementSite site{*walk_.body, out.bindings, 1};
  walk_.target = "condition";
  out.condition = expressions_.element(assertion.condition, {}, site);
  if (!out.condition) return false;
  out.message = assertion.message;
  walk_.body->push_back({"", false, std::move(out)});
  return true;
}

TypedPtr ElementLowering::condition(const TypedPtr& expr, const std::string& name, std::vector<Binding>& bindings) {
  whole_.forget();
  ElementSite site{*walk_.body, bindings, 1};
  walk_.target = name;
  return expressions_.element(expr, {}, site);
}

TypedPtr ElementLowering::condition_in(Statements& before, const TypedPtr& expr, std::vector<Binding>& bindings) {
  const NameScope scope(walk_.names);
  Statements* outer = std::exchange(walk_.body, &before);
  const TypedPtr made = condition(expr, "condition", bindings);
  walk_.body = outer;
  return made;
}

// A bound that may change, because the body may define its names anew, is copied to a variable before the loop.
TypedPtr ElementLowering::bound_of(const TypedPtr& bound, const std::string& name, std::vector<Binding>& bindings) {
  whole_.forget();
  ElementSite site{*walk_.body, bindings, 1};
  walk_.target = name;
  return sources_.stays(bound) ? places_.index_of(bound, site) : places_.hoisted_index(bound, site);
}

}  // namespace pallasgen
