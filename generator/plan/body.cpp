#include <fmt/format.h>

#include <algorithm>

#include "body_planner.h"
#include "program_walk.h"
#include "tensor_copies.h"

namespace pallasgen {

using namespace program;

namespace {

bool mentions_sequential(const Kernel& kernel, const Ref& ref, bool innermost_only) {
  for (size_t axis = 0; axis < kernel.axes.size(); ++axis) {
    if (!kernel.axes[axis].sequential || (innermost_only && axis + 1 < kernel.axes.size())) continue;
    for (const BlockDim& dim : ref.block) {
      if (dim.index && mentions(dim.index, SymbolKind::axis, static_cast<int>(axis))) return true;
    }
  }
  return false;
}

}  // namespace

std::optional<PlannedBody> BodyPlanner::run() {
  for (const Ref& ref : kernel_.refs) {
    const int index = static_cast<int>(&ref - kernel_.refs.data());
    if (ref.role != RefRole::scratch) {
      if (!check_direct_access(draft_, index)) fine_ = false;
    } else if (ref.space != MemorySpace::automatic && ref.space != MemorySpace::reg && ref.space != MemorySpace::acc) {
      draft_.refuse(kPlanOperand, ref.span, fmt::format("scratch '{}' in shared memory is not planned yet", ref.name))
          .note("`space: reg` works");
      fine_ = false;
    }
  }
  if (!fine_) return std::nullopt;
  count_stores(kernel_.body);
  for (Section* section : {&out_.before, &out_.step, &out_.after}) section->declares_at_use = frame_.rows.has_value();
  if (!run_sections()) return std::nullopt;
  if (!write_back()) return std::nullopt;
  std::set<int> counted;
  for (const auto& [fragment, registers] : fragment_registers_) {
    if (counted.insert(fragment).second) out_.registers += registers;
  }
  return std::move(out_);
}

bool BodyPlanner::run_sections() {
  const bool steps = kernel_.sequential_axes() > 0;
  size_t first = 0, last = kernel_.body.size();
  if (steps) {
    // Guards of the first step may leave the loop only from its top, those of the last only from its end.
    // They do so only where each program that has steps has that one.
    const bool first_exists = has_step_at(kernel_, StepPlace::first, draft_.facts);
    const bool last_exists = has_step_at(kernel_, StepPlace::last, draft_.facts);
    while (first_exists && first < last && guard(kernel_.body[first]) == GuardKind::first) ++first;
    while (last_exists && last > first && guard(kernel_.body[last - 1]) == GuardKind::last) --last;
  }
  place_ = StepPlace::first;
  section_ = &out_.before;
  for (size_t i = 0; i < first; ++i) {
    if (!take_all(std::get<WhenStmt>(kernel_.body[i].node).then)) return false;
  }
  leave_section();
  place_ = StepPlace::in_loop;
  section_ = &out_.step;
  for (size_t i = first; i < last; ++i) {
    if (steps && guard(kernel_.body[i]) != GuardKind::none) {
      draft_
          .refuse(
              kPlanBody, kernel_.body[i].span,
              "a guard of the first step below other statements, of the last step above them, or of a step that may "
              "not exist, is not planned yet")
          .note("the first step's guards work at the top of the body, the last step's at its end");
      return false;
    }
    if (!take(kernel_.body[i])) return false;
  }
  leave_section();
  place_ = StepPlace::last;
  section_ = &out_.after;
  for (size_t i = last; i < kernel_.body.size(); ++i) {
    if (!take_all(std::get<WhenStmt>(kernel_.body[i].node).then)) return false;
  }
  return true;
}

// What was declared inside the steps is out of scope after them: it is computed again where it is asked for.
void BodyPlanner::leave_section() {
  reads_.forget();
  for (auto& [id, local] : locals_) local.fragment = -1, local.left = true;
  std::erase_if(fragments_, [&](const auto& entry) { return !is_persistent(entry.first); });
}

GuardKind BodyPlanner::guard(const KernelStmt& statement) const {
  const WhenStmt* when = std::get_if<WhenStmt>(&statement.node);
  if (!when || !when->otherwise.empty()) return GuardKind::none;
  return guard_kind(kernel_, when->condition);
}

void BodyPlanner::count_stores(const KernelStmts& statements) {
  for (const KernelStmt& statement : statements) {
    if (const StoreStmt* store = std::get_if<StoreStmt>(&statement.node)) {
      stores_[store->ref].push_back(store);
    } else if (const WhenStmt* when = std::get_if<WhenStmt>(&statement.node)) {
      count_stores(when->then);
      count_stores(when->otherwise);
    }
  }
}

bool BodyPlanner::take_all(const KernelStmts& statements) {
  for (const KernelStmt& statement : statements) {
    if (!take(statement)) return false;
  }
  return true;
}

bool BodyPlanner::take(const KernelStmt& statement) {
  quoted_ = statement.text;
  reduced_.clear();
  if (const BindStmt* bind = std::get_if<BindStmt>(&statement.node)) return take_bind(statement, *bind);
  if (const StoreStmt* store = std::get_if<StoreStmt>(&statement.node)) return take_store(statement, *store);
  if (const WhenStmt* when = std::get_if<WhenStmt>(&statement.node)) return take_when(statement, *when);
  draft_.refuse(kPlanBody, statement.span, "this statement is not planned yet")
      .note("planned are bindings, stores and guards");
  return false;
}

bool BodyPlanner::take_when(const KernelStmt& statement, const WhenStmt& when) {
  if (const auto value = evaluate_index(when.condition, [](const Symbol&) { return std::nullopt; }))
    return take_all(*value ? when.then : when.otherwise);
  bool reads = false;
  walk(when.condition, [&](const Typed& node) { reads = reads || node.as<RefRead>() || node.as<LocalUse>(); });
  if (reads) {
    draft_.refuse(kPlanBody, statement.span, "a guard that reads values is not planned yet")
        .note("guards over axes, dims and scalars work");
    return false;
  }
  Statements outer = std::move(section_->body);
  section_->body.clear();
  If branch{at_place(when.condition), {}, {}};
  const auto locals = locals_;
  if (!take_all(when.then)) return false;
  branch.then = std::move(section_->body);
  section_->body.clear();
  locals_ = locals;
  if (!take_all(when.otherwise)) return false;
  branch.otherwise = std::move(section_->body);
  locals_ = locals;
  section_->body = std::move(outer);
  section_->body.push_back({"", false, std::move(branch)});
  return true;
}

// A binding becomes a fragment when its first use asks for one of its own shape; others are written in place.
bool BodyPlanner::take_bind(const KernelStmt& statement, const BindStmt& bind) {
  if (bind.rebinds || locals_.count(bind.local)) {
    draft_.refuse(kPlanBody, statement.span, fmt::format("a second binding of '{}' is not planned yet", bind.name))
        .note("scratch with `space: reg` can be assigned again");
    return false;
  }
  Local local{bind.value, statement.text, -1};
  if (const std::optional<Loop> loop = loop_of_binding(bind.value)) {
    local.fragment = declare(draft_.names().of(bind.name), bind.value->dtype, *loop);
    if (!compute(local.fragment, bind.value, bind.value->shape, *loop)) return false;
  }
  locals_[bind.local] = std::move(local);
  return true;
}

bool BodyPlanner::take_store(const KernelStmt& statement, const StoreStmt& store) {
  const Ref& ref = draft_.ref(store.ref);
  if (store.mask) {
    draft_.refuse(kPlanBody, statement.span, "a masked store is not planned yet").note("`where` works");
    return false;
  }
  if (ref.role == RefRole::workspace || ref.role == RefRole::input) {
    draft_.refuse(kPlanBody, statement.span, fmt::format("a store to '{}' is not planned yet", ref.name));
    return false;
  }
  if (!store_is_whole(kernel_, store)) return take_part(statement, store);
  const Loop loop = reads_.loop_of(store.ref);
  const bool persistent = is_persistent(store.ref);
  const bool known = fragments_.count(store.ref) > 0;
  if (!known) {
    fragments_[store.ref] = declare(block_name(ref), ref.dtype, loop, persistent);
    out_.persistent = out_.persistent || persistent;
  }
  // A block is combined into memory once, when it is left: with the last step, or in each.
  if (ref.reduce && !persistent && (stores_[store.ref].size() > 1 || !moves_each_step(ref))) {
    draft_.refuse(kPlanBody, statement.span,
                  fmt::format("'{}' is stored more often than it is combined into memory", ref.name));
    return false;
  }
  const int target = fragments_[store.ref];
  TypedPtr value = store.value;
  if (store.op) {
    if (written_.count(store.ref) == 0) {
      draft_.refuse(kPlanBody, statement.span, fmt::format("'{}' is read before it is written", ref.name));
      return false;
    }
    value = make_typed(
        value->span, ref.dtype, ref.shape,
        Apply{*store.op, {make_typed({}, ref.dtype, ref.shape, RefRead{store.ref, {}, true, {}, {}}), value}, {}});
  }
  if (!compute(target, value, ref.shape, loop)) return false;
  written_.insert(store.ref);
  if (section_ != &out_.step) written_without_step_.insert(store.ref);
  if (ref.role == RefRole::output && !persistent) store_block(store.ref, target, loop, section_->body);
  return true;
}

// o[2:4, :] = value: straight to memory, by a layout of the part.
bool BodyPlanner::take_part(const KernelStmt& statement, const StoreStmt& store) {
  const Ref& ref = draft_.ref(store.ref);
  if (ref.role != RefRole::output || ref.reduce || store.op || is_persistent(store.ref) || frame_.splits() ||
      stores_[store.ref].size() > 1) {
    draft_.refuse(kPlanBody, statement.span, fmt::format("a store to a part of '{}' is not planned yet here", ref.name))
        .note("planned are one store to a part of an output in a body without sequential accumulation");
    return false;
  }
  std::optional<BlockPart> part = reads_.part_of(store.ref, store.index, place_);
  if (!part) {
    draft_.refuse(kPlanBody, statement.span, "a scatter is not planned yet");
    return false;
  }
  const Loop loop = reads_.loop_of_shape(part->shape);
  const int target = declare(block_name(ref), ref.dtype, loop);
  if (!compute(target, store.value, part->shape, loop)) return false;
  const std::vector<int> along = loop.dims_of(part->shape);
  for (int& dim : part->dims) dim = dim < 0 ? dim : along[dim];
  Access access = reads_.access(store.ref, std::move(*part), loop);
  section_->body.push_back({"past the end: dropped", false, StoreGlobal{target, std::move(access), {}}});
  out_.bytes += bytes_of(ref.dtype, loop.elements());
  return true;
}

bool BodyPlanner::moves_each_step(const Ref& ref) const {
  return kernel_.sequential_axes() == 0 || mentions_sequential(kernel_, ref, true);
}

bool BodyPlanner::is_persistent(int ref) const {
  const Ref& r = draft_.ref(ref);
  if (kernel_.sequential_axes() == 0) return false;
  return r.role == RefRole::scratch || !mentions_sequential(kernel_, r, false);
}

std::string BodyPlanner::block_name(const Ref& ref) const {
  return ref.role == RefRole::scratch ? draft_.names().of(ref.name) : draft_.names().derived(ref.name + "_block");
}

void BodyPlanner::store_block(int ref, int fragment, const Loop& loop, Statements& where) {
  BlockPart part = reads_.whole_part(ref, section_ == &out_.after ? StepPlace::last : place_);
  Access access = reads_.access(ref, std::move(part), loop);
  const std::string comment = access.masked ? "past the end: dropped" : "";
  StoreGlobal store{fragment, std::move(access), {}};
  if (const auto& reduce = draft_.ref(ref).reduce) {
    store.combine = *reduce == "add" ? AtomicKind::add : *reduce == "min" ? AtomicKind::min : AtomicKind::max;
    store.access.vector = number(1);
  }
  where.push_back({comment, false, std::move(store)});
  out_.bytes += bytes_of(draft_.ref(ref).dtype, loop.elements());
}

// steps_k != 0, for every axis that may have no step; null where there is always one.
TypedPtr BodyPlanner::any_step() const {
  TypedPtr condition;
  for (size_t axis = 0; axis < kernel_.axes.size(); ++axis) {
    const Axis& a = kernel_.axes[axis];
    if (!a.sequential || bounds(a.size, draft_.facts).minimum.value_or(0) > 0) continue;
    const TypedPtr some = apply({}, Op::not_equal, DType::boolean, {},
                                {axis_size_symbol(kernel_, static_cast<int>(axis)), index_constant(0)});
    condition = condition ? apply({}, Op::logical_and, DType::boolean, {}, {condition, some}) : some;
  }
  return condition;
}

// Whether every program stores to the output, at the top of the body or in a guard of the first or last step.
bool BodyPlanner::always_stored(int ref) const {
  const auto stores = [&](const KernelStmt& statement) {
    const auto* store = std::get_if<StoreStmt>(&statement.node);
    return store && store->ref == ref;
  };
  return std::any_of(kernel_.body.begin(), kernel_.body.end(), [&](const KernelStmt& statement) {
    if (stores(statement)) return true;
    if (guard(statement) == GuardKind::none) return false;
    const KernelStmts& then = std::get<WhenStmt>(statement.node).then;
    return std::any_of(then.begin(), then.end(), stores);
  });
}

// Outputs that stayed in registers through the steps. One that only steps write keeps what it had where there is none.
bool BodyPlanner::write_back() {
  section_ = &out_.after;
  const TypedPtr stepped = any_step();
  Statements home;
  for (const auto& [ref, fragment] : fragments_) {
    if (draft_.ref(ref).role != RefRole::output || !is_persistent(ref)) continue;
    if (draft_.ref(ref).alias_of && !always_stored(ref)) {
      draft_.refuse(
          kPlanBody, draft_.ref(ref).span,
          fmt::format("'{}', which starts as the input whose buffer it is and is written under a guard, is not "
                      "planned yet in registers",
                      draft_.ref(ref).name));
      return false;
    }
    const bool always = !stepped || written_without_step_.count(ref) > 0;
    const bool own_sizes = std::any_of(kernel_.axes.begin(), kernel_.axes.end(), [&](const Axis& axis) {
      return axis.sequential && mentions_steps(kernel_, axis.size);
    });
    if (!always && own_sizes) {
      draft_.refuse(kPlanBody, draft_.ref(ref).span,
                    fmt::format("'{}', which no step may write where the number of steps depends on steps, is not "
                                "planned yet in registers",
                                draft_.ref(ref).name));
      return false;
    }
    store_block(ref, fragment, reads_.loop_of(ref), always ? out_.after.body : home);
  }
  if (!home.empty()) out_.after.body.push_back({"", false, If{stepped, std::move(home), {}, {}}});
  return true;
}

namespace {

// Whether the statement, or one inside it, reads or sets the fragment.
bool mentions(const Statement& statement, int fragment) {
  bool found = false;
  for_each_statement({statement}, [&](const Statement& inner) {
    if (const auto* node = std::get_if<Elementwise>(&inner.node)) {
      for (const ElementwiseStatement& part : node->statements) found = found || part.target == fragment;
    }
    if (const auto* node = std::get_if<ReduceFragment>(&inner.node))
      found = found || node->target == fragment || node->source == fragment;
    if (const auto* node = std::get_if<StoreGlobal>(&inner.node)) found = found || node->fragment == fragment;
    for_each_binding(inner, [&](const Binding& binding) { found = found || binding.fragment == fragment; });
  });
  return found;
}

}  // namespace

program::Statements in_order(Section section) {
  Statements body = std::move(section.body), first;
  for (Statement& declaration : section.declarations) {
    const int fragment = std::get<DeclareFragment>(declaration.node).fragment;
    const auto use = section.declares_at_use ? std::find_if(body.begin(), body.end(),
                                                            [&](const Statement& s) { return mentions(s, fragment); })
                                             : body.end();
    if (use == body.end()) {
      first.push_back(std::move(declaration));
      continue;
    }
    // What both come from stands above the declaration.
    std::string* quoted = nullptr;
    if (auto* reduce = std::get_if<ReduceFragment>(&use->node)) quoted = &reduce->quoted;
    if (auto* loop = std::get_if<Elementwise>(&use->node); loop && loop->statements.size() == 1)
      quoted = &loop->statements[0].quoted;
    if (quoted && !quoted->empty()) declaration.comment = std::exchange(*quoted, {}), declaration.quotes = true;
    body.insert(use, std::move(declaration));
  }
  program::Statements all = std::move(section.shared_loads);
  for (program::Statements* part : {&section.loads, &first, &body}) {
    for (program::Statement& statement : *part) all.push_back(std::move(statement));
  }
  return all;
}

std::optional<PlannedBody> plan_body(Draft& draft, const BlockFrame& frame) { return BodyPlanner(draft, frame).run(); }

}  // namespace pallasgen
