// What a body does with its names and refs, and where refs live.
#include <fmt/format.h>

#include <algorithm>

#include "element_planner.h"

namespace pallasgen {

namespace {

// Whether the index puts dims between, but leaves no element out.
bool takes_all(const Apply& slice, const Shape& shape) {
  const auto gathers = [](const IndexItem& item) { return std::holds_alternative<IndexGather>(item); };
  const std::vector<IndexItem>& items = slice.attributes.items;
  return std::none_of(items.begin(), items.end(), gathers) && elements_of(shape) == elements_of(slice.args[0]->shape);
}

}  // namespace

void ElementPlanner::find_uses(const TypedPtr& value, int depth) {
  if (!value) return;
  std::set<int> in_parts;
  walk(value, [&](const Typed& node) {
    const Apply* slice = node.applies(Op::slice);
    if (!slice || takes_all(*slice, node.shape)) return;
    walk(slice->args[0], [&](const Typed& part) {
      if (const LocalUse* use = part.as<LocalUse>()) in_parts.insert(use->id);
    });
  });
  walk(value, [&](const Typed& node) {
    if (const LocalUse* use = node.as<LocalUse>()) {
      const auto bound = depths_.find(use->id);
      // All elements, by what is not itself left out where nothing uses it.
      if (!in_bind_ && in_parts.count(use->id) == 0 && guards_of_.count(use->id) > 0 &&
          guards_of_.at(use->id) == guards_)
        used_always_.insert(use->id);
      // A use in a loop that does not assign the name counts for many.
      uses_[use->id] += bound != depths_.end() && bound->second < depth ? 2 : 1;
    }
    if (const RefRead* read = node.as<RefRead>()) read_.insert(read->ref);
  });
}

void ElementPlanner::find_uses(const KernelStmts& statements, int depth) {
  const auto find_in_index = [&](const std::vector<IndexItem>& items) {
    for (const IndexItem& item : items) {
      if (const auto* integer = std::get_if<IndexInteger>(&item)) find_uses(integer->value, depth);
      if (const auto* slice = std::get_if<IndexSlice>(&item)) find_uses(slice->start, depth);
      if (const auto* gather = std::get_if<IndexGather>(&item)) find_uses(gather->indices, depth);
    }
  };
  for (const KernelStmt& statement : statements) {
    if (const auto* bind = std::get_if<BindStmt>(&statement.node)) {
      in_bind_ = true;
      find_uses(bind->value, depth);
      in_bind_ = false;
      depths_.emplace(bind->local, depth);
      guards_of_.emplace(bind->local, guards_);
      if (bind->rebinds) rebound_.insert(bind->local);
    }
    if (const auto* store = std::get_if<StoreStmt>(&statement.node)) {
      find_uses(store->value, depth);
      find_uses(store->mask, depth);
      find_in_index(store->index);
      written_.insert(store->ref);
      ++stores_[store->ref];
      if (store->op) read_.insert(store->ref);
    }
    if (const auto* atomic = std::get_if<AtomicStmt>(&statement.node)) {
      for (const TypedPtr& value : {atomic->value, atomic->compare, atomic->mask}) find_uses(value, depth);
      find_in_index(atomic->index);
      written_.insert(atomic->ref);
      ++stores_[atomic->ref];
      if (atomic->old >= 0) depths_.emplace(atomic->old, depth);
      if (atomic->rebinds) rebound_.insert(atomic->old);
      updated_.insert(atomic->ref);
    }
    if (const auto* scope = std::get_if<ScopeStmt>(&statement.node)) find_uses(scope->body, depth);
    if (const auto* when = std::get_if<WhenStmt>(&statement.node)) {
      find_uses(when->condition, depth);
      ++guards_;
      find_uses(when->then, depth);
      find_uses(when->otherwise, depth);
      --guards_;
    }
    if (const auto* loop = std::get_if<ForStmt>(&statement.node)) {
      for (const TypedPtr& bound : {loop->start, loop->stop, loop->step}) find_uses(bound, depth);
      ++guards_;
      find_uses(loop->body, depth + 1);
      --guards_;
    }
    if (const auto* loop = std::get_if<WhileStmt>(&statement.node)) {
      find_uses(loop->condition, depth + 1);
      ++guards_;
      find_uses(loop->body, depth + 1);
      --guards_;
    }
    if (const auto* print = std::get_if<PrintStmt>(&statement.node)) {
      for (const TypedPtr& arg : print->args) find_uses(arg, depth);
    }
    if (const auto* assertion = std::get_if<AssertStmt>(&statement.node)) find_uses(assertion->condition, depth);
  }
}

namespace {

int scopes_in(const KernelStmts& statements) {
  int scopes = 0;
  for_each_statement(statements,
                     [&](const KernelStmt& statement) { scopes += std::holds_alternative<ScopeStmt>(statement.node); });
  return scopes;
}

// Scopes are numbered in the order of the body, those inside one right behind it.
void note_scope(const Kernel& kernel, int ref, SharedField& field) {
  int number = 0;
  for_each_statement(kernel.body, [&](const KernelStmt& statement) {
    const auto* scope = std::get_if<ScopeStmt>(&statement.node);
    if (!scope) return;
    if (std::find(scope->refs.begin(), scope->refs.end(), ref) != scope->refs.end()) {
      field.scope = number;
      field.last_scope = number + scopes_in(scope->body);
    }
    ++number;
  });
}

}  // namespace

bool ElementPlanner::is_input_read(const Ref& output) const {
  return output.alias_of && read_.count(*output.alias_of) > 0;
}

// An output goes straight to memory unless something keeps it: it is read, its buffer is an input that is read, or it
// is combined into memory once.
bool ElementPlanner::choose_home(int index) {
  const Ref& ref = draft_.ref(index);
  const bool outside = ref.role == RefRole::input || ref.role == RefRole::workspace || ref.space == MemorySpace::gmem;
  const bool keeps = ref.role == RefRole::scratch || read_.count(index) > 0 || is_input_read(ref) || ref.reduce;
  Source source;
  if (outside || !keeps) {
    refs_[index] = source;
    return true;
  }
  const std::string name = draft_.names().of(ref.name);
  if (ref.shape.empty() && updated_.count(index) == 0) {
    source.home = Home::scalar;
    source.id = add_scalar(names_.take({draft_.names().derived(ref.name + "_value")}), ref.dtype);
  } else {
    source.home = Home::tile;
    source.id = add_tile(name, ref.dtype, ref.shape.empty() ? std::vector<Number>{number(1)} : sizes_of_ref(index));
    if (ref.scoped) note_scope(kernel_, index, draft_.plan.shared.fields[source.id]);
    source.name = draft_.plan.shared.fields[source.id].name;
  }
  refs_[index] = source;
  return true;
}

}  // namespace pallasgen
