// Statements of a body that goes element by element.
#include <fmt/format.h>

#include <algorithm>

#include "block_access.h"
#include "check/aliases.h"
#include "diagnostics/assert.h"
#include "element_indexing.h"
#include "element_planner.h"
#include "program_walk.h"
#include "values.h"

namespace pallasgen {

using namespace program;

void ElementPlanner::refuse(Span span, const std::string& what, const std::string& remedy) {
  draft_.refuse(kPlanBody, span, what).note(remedy);
}

bool ElementPlanner::take_all(const KernelStmts& statements) {
  for (const KernelStmt& statement : statements) {
    if (!take(statement)) return false;
  }
  return true;
}

bool ElementPlanner::take(const KernelStmt& statement) {
  computed_.clear();
  statement_text_ = statement.text;
  if (const auto* bind = std::get_if<BindStmt>(&statement.node)) return take_bind(statement, *bind);
  if (const auto* store = std::get_if<StoreStmt>(&statement.node)) return take_store(statement, *store);
  if (const auto* when = std::get_if<WhenStmt>(&statement.node)) return take_when(statement, *when);
  if (const auto* loop = std::get_if<ForStmt>(&statement.node)) return take_for(statement, *loop);
  if (const auto* loop = std::get_if<WhileStmt>(&statement.node)) return take_while(statement, *loop);
  if (const auto* print = std::get_if<PrintStmt>(&statement.node)) return take_print(statement, *print);
  if (const auto* atomic = std::get_if<AtomicStmt>(&statement.node)) return take_atomic(statement, *atomic);
  if (const auto* scope = std::get_if<ScopeStmt>(&statement.node)) return take_scope(*scope);
  if (std::holds_alternative<GridSyncStmt>(statement.node)) {
    body_->push_back({"every program has come here; what they wrote is seen", false, GridSync{}});
    return true;
  }
  return take_assert(statement, std::get<AssertStmt>(statement.node));
}

// Statements of a block of their own; what they name, and where values went inside, is forgotten after it.
bool ElementPlanner::take_block(const KernelStmts& statements, Statements& out) {
  const NameScope scope(names_);
  return take_section(statements, out);
}

bool ElementPlanner::take_section(const KernelStmts& statements, Statements& out) {
  Statements* outer = std::exchange(body_, &out);
  const std::map<int, Source> locals = locals_;
  const size_t depth = std::exchange(body_depth_, names_.depth());
  const bool fine = take_all(statements);
  body_depth_ = depth;
  locals_ = locals;
  body_ = outer;
  computed_.clear();
  return fine;
}

// What costs as little as reading it from a tile: no arithmetic but casts, comparisons and coordinates.
bool ElementPlanner::is_trivial(const TypedPtr& value) const {
  bool trivial = true;
  walk(value, [&](const Typed& node) {
    if (const LocalUse* use = node.as<LocalUse>()) {
      const auto local = locals_.find(use->id);
      if (local != locals_.end() && local->second.home == Home::inlined)
        trivial = trivial && is_trivial(local->second.value);
    }
    if (node.as<CallFunction>()) trivial = false;
    const Apply* apply = node.as<Apply>();
    if (!apply) return;
    const OpGroup group = operation(apply->op).group;
    const bool compares = apply->op >= Op::logical_not && apply->op <= Op::not_equal;
    const bool moves = group == OpGroup::shape || group == OpGroup::cast || group == OpGroup::mask;
    trivial = trivial && (moves || compares || node.dtype == DType::index);
  });
  return trivial;
}

// Whether an index of it may be checked at run time, and no statement uses it whenever it is bound: what is a fault is
// one even if nobody looks at the value.
bool ElementPlanner::must_be_checked(const BindStmt& bind) const {
  bool parts = false;
  walk(bind.value, [&](const Typed& node) {
    const RefRead* read = node.as<RefRead>();
    parts = parts || (read && !read->whole) || node.applies(Op::slice);
  });
  return parts && checks("oob") && used_always_.count(bind.local) == 0;
}

// Written where it is used instead of kept: used once, or trivial; and nothing that it reads can change in between.
bool ElementPlanner::can_inline(const BindStmt& bind) const {
  if (bind.rebinds || rebound_.count(bind.local) > 0 || must_be_checked(bind)) return false;
  const auto uses = uses_.find(bind.local);
  if (uses != uses_.end() && uses->second > 1 && !is_trivial(bind.value)) return false;
  bool stays = true;
  walk(bind.value, [&](const Typed& node) {
    if (const LocalUse* use = node.as<LocalUse>()) {
      const auto local = locals_.find(use->id);
      stays = stays && rebound_.count(use->id) == 0 && local != locals_.end();
    }
    if (const RefRead* read = node.as<RefRead>()) {
      const Ref& ref = draft_.ref(read->ref);
      // Stores to an output that stays in a tile come to memory after all that is read.
      const bool changes = std::any_of(written_.begin(), written_.end(), [&](int other) {
        return same_buffer(kernel_, other, read->ref) && refs_.at(other).home == Home::global;
      });
      stays = stays && ref.role == RefRole::input && !changes && read->order == pallasgen::MemoryOrder::weak;
    }
  });
  return stays;
}

bool ElementPlanner::take_bind(const KernelStmt& statement, const BindStmt& bind) {
  const TypedPtr value = at_place(bind.value);
  target_ = draft_.names().of(bind.name);
  const auto known = locals_.find(bind.local);
  const size_t first = body_->size();
  if (value->shape.empty()) {
    std::vector<Binding> bindings;
    ElementSite site{*body_, bindings, 1};
    const TypedPtr scalar = element(value, {}, site);
    if (!scalar) return false;
    const bool declares = known == locals_.end();
    if (declares) {
      Source source;
      source.home = Home::scalar;
      source.id = add_scalar(names_.declare(draft_.names().of(bind.name)), value->dtype);
      locals_[bind.local] = source;
    }
    body_->push_back(
        set_scalar(locals_[bind.local].id, scalar, std::move(bindings), declares, rebound_.count(bind.local) == 0));
    quote(*body_, first, statement.text);
    return true;
  }
  if (known != locals_.end() && known->second.home == Home::tile) {
    if (!fill_tile(known->second.id, value)) return false;
    quote(*body_, first, statement.text);
    return true;
  }
  Source source;
  if (can_inline(bind)) {
    source.home = Home::inlined;
    source.value = value;
    source.name = draft_.names().of(bind.name);
    source.quoted = statement.text;
    locals_[bind.local] = source;
    return true;
  }
  source.home = Home::tile;
  source.id = add_tile(draft_.names().of(bind.name), value->dtype, sizes_of(value));
  source.name = draft_.plan.shared.fields[source.id].name;
  if (!fill_tile(source.id, value)) return false;
  quote(*body_, first, statement.text);
  locals_[bind.local] = source;
  return true;
}

bool ElementPlanner::take_when(const KernelStmt&, const WhenStmt& when) {
  if (const auto value = evaluate_index(when.condition, [](const Symbol&) { return std::nullopt; }))
    return take_all(*value ? when.then : when.otherwise);
  If branch{};
  ElementSite site{*body_, branch.bindings, 1};
  target_ = "condition";
  branch.condition = element(at_place(when.condition), {}, site);
  if (!branch.condition) return false;
  if (!take_block(when.then, branch.then) || !take_block(when.otherwise, branch.otherwise)) return false;
  body_->push_back({"", false, std::move(branch)});
  return true;
}

// A bound of a loop, which stays what it was before the loop where the body binds a name of it anew.
TypedPtr ElementPlanner::bound_of(const TypedPtr& bound, ElementSite& site) {
  const TypedPtr placed = at_place(bound);
  bool changes = false;
  walk(placed, [&](const Typed& node) {
    const LocalUse* use = node.as<LocalUse>();
    const RefRead* read = node.as<RefRead>();
    changes = changes || (use && rebound_.count(use->id) > 0) || (read && written_.count(read->ref) > 0);
  });
  return changes ? hoisted_index(placed, site) : index_of(placed, site);
}

bool ElementPlanner::take_for(const KernelStmt&, const ForStmt& loop) {
  ForRange range{};
  ElementSite site{*body_, range.bindings, 1};
  target_ = draft_.names().of(loop.name);
  range.variable = draft_.names().of(loop.name);
  range.start = loop.start ? bound_of(loop.start, site) : index_constant(0);
  range.stop = bound_of(loop.stop, site);
  range.step = loop.step ? bound_of(loop.step, site) : index_constant(1);
  if (!range.start || !range.stop || !range.step) return false;
  if (bounds(range.step, facts()).minimum.value_or(0) > 0) {
    const std::optional<int64_t> below = bounds(range.stop, facts()).maximum;
    loops_[loop.loop] = {bounds(range.start, facts()).minimum, below ? std::optional(*below - 1) : std::nullopt};
  }
  const bool taken = take_block(loop.body, range.body);
  loops_.erase(loop.loop);
  if (!taken) return false;
  body_->push_back({"", false, std::move(range)});
  return true;
}

bool ElementPlanner::take_while(const KernelStmt&, const WhileStmt& loop) {
  const TypedPtr condition = at_place(loop.condition);
  WhileLoop out{};
  target_ = "condition";
  Statements before;
  {
    const NameScope scope(names_);
    ElementSite site{before, out.bindings, 1};
    Statements* outer = std::exchange(body_, &before);
    out.condition = element(condition, {}, site);
    body_ = outer;
  }
  if (!out.condition) return false;
  if (before.empty()) {
    if (!take_block(loop.body, out.body)) return false;
    leave_on_fault(out.body);
    end_after_fault(out, out.body);
    body_->push_back({"", false, std::move(out)});
    return true;
  }
  // A condition that takes statements is evaluated inside, and the rest of the turn stands under it.
  const int holds = add_scalar(names_.take({"goes_on"}), DType::boolean);
  std::vector<Binding> bindings = std::move(out.bindings);
  before.push_back(set_scalar(holds, out.condition, std::move(bindings), false, false));
  WhileLoop turns{};
  ElementSite test{*body_, turns.bindings, 1};
  turns.condition = bind_scalar(holds, loop.condition->span, test);
  turns.body = std::move(before);
  If goes_on{turns.condition, {}, {}, turns.bindings};
  if (!take_block(loop.body, goes_on.then)) return false;
  turns.body.push_back({"", false, std::move(goes_on)});
  leave_on_fault(turns.body);
  end_after_fault(turns, turns.body);
  body_->push_back(set_scalar(holds, typed_constant(DType::boolean, true), {}, true, false));
  body_->push_back({"", false, std::move(turns)});
  return true;
}

}  // namespace pallasgen
