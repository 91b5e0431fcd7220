// What a body that goes element by element runs before, in and after the steps of its sequential axes.
#include <fmt/format.h>

#include <algorithm>

#include "block_access.h"
#include "check/aliases.h"
#include "diagnostics/assert.h"
#include "element_planner.h"
#include "values.h"

namespace pallasgen {

using namespace program;

namespace {

void append(Statements& to, Statements from) {
  for (Statement& statement : from) to.push_back(std::move(statement));
}

const WhenStmt* top_guard(const Kernel& kernel, const KernelStmt& statement) {
  const WhenStmt* when = std::get_if<WhenStmt>(&statement.node);
  return when && guard_kind(kernel, when->condition) != GuardKind::none ? when : nullptr;
}

// What the statements name, as far as it is known after them.
void collect_bound(const KernelStmts& statements, std::set<int>& bound) {
  for (const KernelStmt& statement : statements) {
    if (const auto* bind = std::get_if<BindStmt>(&statement.node)) bound.insert(bind->local);
    if (const auto* atomic = std::get_if<AtomicStmt>(&statement.node)) bound.insert(atomic->old);
    if (const auto* scope = std::get_if<ScopeStmt>(&statement.node)) collect_bound(scope->body, bound);
  }
}

bool stores_to(const KernelStmts& statements, int ref) {
  bool found = false;
  for_each_statement(statements, [&](const KernelStmt& statement) {
    const auto* store = std::get_if<StoreStmt>(&statement.node);
    const auto* atomic = std::get_if<AtomicStmt>(&statement.node);
    found = found || (store && store->ref == ref) || (atomic && atomic->ref == ref);
  });
  return found;
}

AtomicKind combination(const std::string& reduce) {
  return reduce == "add" ? AtomicKind::add : reduce == "min" ? AtomicKind::min : AtomicKind::max;
}

}  // namespace

ElementPlanner::ElementPlanner(Draft& draft, std::map<int, InRing> in_rings)
    : draft_(draft), kernel_(*draft.kernel), in_rings_(std::move(in_rings)), names_(kernel_) {}

std::optional<Statements> ElementPlanner::run() {
  stays_ = !in_rings_.empty();
  for_each_statement(kernel_.body, [&](const KernelStmt& statement) {
    stays_ = stays_ || std::holds_alternative<GridSyncStmt>(statement.node);
  });
  find_uses(kernel_.body, 0);
  for (size_t ref = 0; ref < kernel_.refs.size(); ++ref) {
    if (!choose_home(static_cast<int>(ref))) return std::nullopt;
  }
  Statements out;
  if (!starts(out) || !(kernel_.sequential_axes() > 0 ? run_steps(out) : run_plain(out))) return std::nullopt;
  return out;
}

// Scalars that live through the steps; blocks that begin as the input whose buffer they are.
bool ElementPlanner::starts(Statements& out) {
  for (const auto& [index, source] : refs_) {
    const Ref& ref = draft_.ref(index);
    if (source.home == Home::scalar) out.push_back(set_scalar(source.id, zero_of(ref.dtype), {}, true, false));
    place_ = StepPlace::first;
    if (moving_axis(index) < 0 && !start_as_input(index, out)) return false;
  }
  return true;
}

// The block of an output that is its input's buffer, as memory holds it: no ring's slot, which the steps wait for.
bool ElementPlanner::start_as_input(int index, Statements& out) {
  const Ref& ref = draft_.ref(index);
  const Source source = refs_.at(index);
  if (source.home == Home::global || !starts_as_input(kernel_, ref)) return true;
  body_ = &out;
  from_memory_ = true;
  const TypedPtr whole = make_typed(ref.span, ref.dtype, ref.shape,
                                    RefRead{*ref.alias_of, {}, true, {}, {}, draft_.ref(*ref.alias_of).name});
  bool taken = true;
  if (source.home == Home::tile) {
    taken = fill_tile(source.id, whole);
  } else {
    std::vector<Binding> bindings;
    ElementSite site{out, bindings, 1};
    const TypedPtr value = element(whole, {}, site);
    taken = value != nullptr;
    if (taken) out.push_back(set_scalar(source.id, value, std::move(bindings), false, false));
  }
  from_memory_ = false;
  return taken;
}

// The blocks that begin at the head of a step along the axis: where the step before had another, or there was none.
bool ElementPlanner::start_moving(int axis, Statements& steps) {
  for (size_t index = 0; index < kernel_.refs.size(); ++index) {
    const Ref& ref = kernel_.refs[index];
    if (ref.role != RefRole::output || moving_axis(static_cast<int>(index)) != axis) continue;
    Statements start;
    place_ = StepPlace::in_loop;
    if (!start_as_input(static_cast<int>(index), start)) return false;
    if (start.empty()) continue;
    const TypedPtr step = axis_symbol(kernel_, axis);
    TypedPtr begins = apply({}, Op::equal, DType::boolean, {}, {step, index_constant(0)});
    for (const BlockDim& dim : ref.block) {
      if (!dim.index || !mentions(dim.index, SymbolKind::axis, axis)) continue;
      const TypedPtr before = substitute(dim.index, [&](const Symbol& symbol) -> TypedPtr {
        return symbol.kind == SymbolKind::axis && symbol.id == axis ? index_apply(Op::subtract, step, index_constant(1))
                                                                    : nullptr;
      });
      const TypedPtr differs = apply({}, Op::not_equal, DType::boolean, {}, {before, dim.index});
      begins = apply({}, Op::logical_or, DType::boolean, {}, {begins, differs});
    }
    if (!moves_each_step(ref, axis)) {
      Statements guarded;
      guarded.push_back({"", false, If{begins, std::move(start), {}, {}}});
      start = std::move(guarded);
    }
    append(start, std::move(steps));
    steps = std::move(start);
  }
  return true;
}

// Whether the block is another with each step along the axis.
bool ElementPlanner::moves_each_step(const Ref& ref, int axis) {
  return std::any_of(ref.block.begin(), ref.block.end(), [&](const BlockDim& dim) {
    const std::optional<Affine> form = dim.index ? affine(dim.index) : std::nullopt;
    return form && std::any_of(form->terms.begin(), form->terms.end(), [&](const Affine::Term& term) {
             return term.symbol.kind == SymbolKind::axis && term.symbol.id == axis;
           });
  });
}

bool ElementPlanner::run_plain(Statements& out) {
  body_ = &out;
  place_ = StepPlace::in_loop;
  const size_t first = out.size();
  check_blocks(out);
  if (!take_all(kernel_.body)) return false;
  for (size_t ref = 0; ref < kernel_.refs.size(); ++ref) {
    if (!write_back(static_cast<int>(ref), out)) return false;
  }
  pass_after_fault(out, first);
  return true;
}

GuardKind ElementPlanner::guard(const KernelStmt& statement) const {
  const WhenStmt* when = std::get_if<WhenStmt>(&statement.node);
  if (!when || !when->otherwise.empty()) return GuardKind::none;
  return guard_kind(kernel_, when->condition);
}

// Whether the statements use a name that the body assigns in each step.
bool ElementPlanner::uses_step_values(const KernelStmts& statements) const {
  std::set<int> bound;
  collect_bound(kernel_.body, bound);
  bool found = false;
  for_each_value(statements, [&](const TypedPtr& value) {
    walk(value, [&](const Typed& node) {
      const LocalUse* use = node.as<LocalUse>();
      found = found || (use && bound.count(use->id) > 0);
    });
  });
  return found;
}

// if (steps_k == 0) …; with several axes any of them without a step leaves none at all, unless its size depends on
// the steps of others: then a variable tells.
Statement ElementPlanner::when_no_step(Statements then, Statements otherwise) const {
  TypedPtr condition;
  std::vector<Binding> bindings;
  if (stepped_ >= 0) {
    Statements none;
    ElementSite site{none, bindings, 1};
    condition = bind_scalar(stepped_, kernel_.span, site);
    if (then.empty()) return {"", false, If{condition, std::move(otherwise), {}, bindings}};
    condition = apply({}, Op::logical_not, DType::boolean, {}, {condition});
    return {"", false, If{condition, std::move(then), std::move(otherwise), bindings}};
  }
  for (size_t axis = 0; axis < kernel_.axes.size(); ++axis) {
    if (!kernel_.axes[axis].sequential) continue;
    const TypedPtr none = apply({}, Op::equal, DType::boolean, {},
                                {axis_size_symbol(kernel_, static_cast<int>(axis)), index_constant(0)});
    condition = condition ? apply({}, Op::logical_or, DType::boolean, {}, {condition, none}) : none;
  }
  if (then.empty()) {
    condition = apply({}, Op::logical_not, DType::boolean, {}, {condition});
    return {"", false, If{condition, std::move(otherwise), {}, {}}};
  }
  return {"", false, If{condition, std::move(then), std::move(otherwise), {}}};
}

// The last sequential axis that moves the ref's block, -1: none does.
int ElementPlanner::moving_axis(int index) const {
  const Ref& ref = draft_.ref(index);
  for (size_t axis = kernel_.axes.size(); axis-- > 0;) {
    if (!kernel_.axes[axis].sequential) continue;
    for (const BlockDim& dim : ref.block) {
      for (const TypedPtr& expr : {dim.index, dim.slice_size}) {
        if (expr && mentions(expr, SymbolKind::axis, static_cast<int>(axis))) return static_cast<int>(axis);
      }
    }
  }
  return -1;
}

bool ElementPlanner::run_steps(Statements& out) {
  const KernelStmts& body = kernel_.body;
  size_t first = 0, last = body.size();
  // Guards of the first step may leave the loop from its top, those of the last from its end.
  while (first < last && guard(body[first]) == GuardKind::first) ++first;
  while (last > first && guard(body[last - 1]) == GuardKind::last &&
         !uses_step_values(std::get<WhenStmt>(body[last - 1].node).then))
    --last;
  const bool others =
      std::any_of(body.begin() + static_cast<ptrdiff_t>(first), body.begin() + static_cast<ptrdiff_t>(last),
                  [&](const KernelStmt& statement) { return top_guard(kernel_, statement); });
  // A step at which a guard holds may not exist: where the sizes of axes depend on the steps of others.
  const bool certain =
      has_step_at(kernel_, StepPlace::first, draft_.facts) && has_step_at(kernel_, StepPlace::last, draft_.facts);
  // Outputs that move go home at the end of their step, before what stands after the loop would write them.
  bool moves = false;
  for (size_t ref = 0; ref < kernel_.refs.size(); ++ref) {
    const Ref& r = kernel_.refs[ref];
    moves = moves || (r.role == RefRole::output && refs_.at(static_cast<int>(ref)).home != Home::global &&
                      moving_axis(static_cast<int>(ref)) >= 0);
  }
  if ((others && may_have_no_step(kernel_, draft_.facts)) || moves || !certain) first = 0, last = body.size();
  const auto take_guards = [&](size_t from, size_t to, StepPlace place) {
    body_ = &out;
    place_ = place;
    for (size_t i = from; i < to; ++i) {
      if (!take_section(std::get<WhenStmt>(body[i].node).then, out)) return false;
    }
    return true;
  };
  const bool own_sizes = std::any_of(kernel_.axes.begin(), kernel_.axes.end(), [&](const Axis& axis) {
    return axis.sequential && mentions_steps(kernel_, axis.size);
  });
  Statements steps;
  if (own_sizes && may_have_no_step(kernel_, draft_.facts)) {
    stepped_ = add_scalar(names_.take({"stepped"}), DType::boolean);
    out.push_back(set_scalar(stepped_, typed_constant(DType::boolean, false), {}, true, false));
    steps.push_back(set_scalar(stepped_, typed_constant(DType::boolean, true), {}, false, false));
  }
  if (!take_guards(0, first, StepPlace::first)) return false;
  body_ = &steps;
  place_ = StepPlace::in_loop;
  check_blocks(steps);
  for (size_t i = first; i < last; ++i) {
    if (!take(body[i])) return false;
  }
  locals_.clear();
  for (size_t axis = kernel_.axes.size(); axis-- > 0;) {
    if (!kernel_.axes[axis].sequential) continue;
    if (!write_back_moving(static_cast<int>(axis), steps)) return false;
    leave_on_fault(steps);
    if (axis + 1 == kernel_.axes.size()) pass_after_fault(steps, stepped_ >= 0 ? 1 : 0);
    if (!start_moving(static_cast<int>(axis), steps)) return false;
    Statements outer;
    outer.push_back({"", false, ForSteps{static_cast<int>(axis), {}, std::move(steps)}});
    steps = std::move(outer);
  }
  append(out, std::move(steps));
  const bool none = first == 0 && last == body.size() && may_have_no_step(kernel_, draft_.facts);
  if (none && !run_without_step(out)) return false;
  if (!take_guards(last, body.size(), StepPlace::last)) return false;
  place_ = StepPlace::last;
  for (size_t ref = 0; ref < kernel_.refs.size(); ++ref) {
    if (moving_axis(static_cast<int>(ref)) >= 0) continue;
    Statements home;
    if (!write_back(static_cast<int>(ref), home)) return false;
    const bool guarded = std::any_of(body.begin(), body.end(), [&](const KernelStmt& statement) {
      const WhenStmt* when = top_guard(kernel_, statement);
      return when && stores_to(when->then, static_cast<int>(ref));
    });
    if (!home.empty() && !guarded && may_have_no_step(kernel_, draft_.facts)) {
      out.push_back(when_no_step({}, std::move(home)));
    } else {
      append(out, std::move(home));
    }
  }
  return true;
}

// A program without a step runs the guards of its first and last step, once each and in order.
bool ElementPlanner::run_without_step(Statements& out) {
  Statements guards;
  const NameScope scope(names_);
  for (const KernelStmt& statement : kernel_.body) {
    const WhenStmt* when = top_guard(kernel_, statement);
    if (!when || uses_step_values(when->then)) continue;
    place_ = guard_kind(kernel_, when->condition) == GuardKind::first ? StepPlace::first : StepPlace::last;
    body_ = &guards;
    if (!take_section(when->then, guards)) return false;
  }
  place_ = StepPlace::last;
  for (size_t ref = 0; ref < kernel_.refs.size(); ++ref) {
    const bool moves = moving_axis(static_cast<int>(ref)) >= 0;
    const bool written = std::any_of(kernel_.body.begin(), kernel_.body.end(), [&](const KernelStmt& statement) {
      const WhenStmt* when = top_guard(kernel_, statement);
      return when && stores_to(when->then, static_cast<int>(ref));
    });
    if (moves && written && !write_back(static_cast<int>(ref), guards)) return false;
  }
  if (!guards.empty()) out.push_back(when_no_step(std::move(guards), {}));
  return true;
}

// The blocks that leave at the end of a step along the axis: where the next step has another, or there is none.
bool ElementPlanner::write_back_moving(int axis, Statements& out) {
  for (size_t index = 0; index < kernel_.refs.size(); ++index) {
    const Ref& ref = kernel_.refs[index];
    if (ref.role != RefRole::output || moving_axis(static_cast<int>(index)) != axis) continue;
    Statements home;
    place_ = StepPlace::in_loop;
    if (!write_back(static_cast<int>(index), home)) return false;
    if (home.empty()) continue;
    TypedPtr leaves = apply(
        {}, Op::equal, DType::boolean, {},
        {axis_symbol(kernel_, axis), index_apply(Op::subtract, axis_size_symbol(kernel_, axis), index_constant(1))});
    for (const BlockDim& dim : ref.block) {
      if (!dim.index || !mentions(dim.index, SymbolKind::axis, axis)) continue;
      const TypedPtr next = substitute(dim.index, [&](const Symbol& symbol) -> TypedPtr {
        if (symbol.kind != SymbolKind::axis || symbol.id != axis) return nullptr;
        return index_apply(Op::add, axis_symbol(kernel_, axis), index_constant(1));
      });
      const TypedPtr differs = apply({}, Op::not_equal, DType::boolean, {}, {next, dim.index});
      leaves = apply({}, Op::logical_or, DType::boolean, {}, {leaves, differs});
    }
    TypedPtr condition = moves_each_step(ref, axis) ? nullptr : leaves;
    for (size_t inner = static_cast<size_t>(axis) + 1; inner < kernel_.axes.size(); ++inner) {
      if (bounds(kernel_.axes[inner].size, draft_.facts).minimum.value_or(0) > 0) continue;
      const TypedPtr steps = apply({}, Op::greater, DType::boolean, {},
                                   {axis_size_symbol(kernel_, static_cast<int>(inner)), index_constant(0)});
      condition = condition ? apply({}, Op::logical_and, DType::boolean, {}, {condition, steps}) : steps;
    }
    if (condition)
      out.push_back({"", false, If{condition, std::move(home), {}, {}}});
    else
      append(out, std::move(home));
  }
  return true;
}

// The block in its tile, whole, to memory; combined into it where the output says so.
bool ElementPlanner::write_back(int index, Statements& out) {
  const Ref& ref = draft_.ref(index);
  const Source& source = refs_.at(index);
  if (ref.role != RefRole::output || source.home == Home::global) return true;
  const NameScope scope(names_);
  const ElementLoop elements = loop_over(sizes_of_ref(index), nullptr);
  Statements body;
  StoreElement store{};
  ElementSite site{body, store.bindings, 1};
  store.value = element_at(index, elements.at, ref.span, site);
  const ArrayPlace place = array_place(draft_, index, elements.at, place_, facts());
  store.ref = index;
  store.index = place.index;
  store.may_leave = place.may_leave;
  statement_text_.clear();
  check_nan(index, store, place, site);
  store.condition = place.inside;
  if (ref.reduce) {
    AtomicUpdate update{};
    update.kind = combination(*ref.reduce);
    store.atomic = update;
  }
  body.push_back({"", false, std::move(store)});
  Statement loop = for_elements(elements, std::move(body));
  loop.comment = fmt::format("the block of {} goes {} memory", ref.name, ref.reduce ? "into" : "to");
  out.push_back(std::move(loop));
  bytes_ += static_cast<double>(bytes_of(ref.dtype, elements_of(ref.shape)));
  return true;
}

}  // namespace pallasgen
