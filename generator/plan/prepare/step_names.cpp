#include "prepare/step_names.h"

#include <algorithm>
#include <utility>

#include "program/index_terms.h"

namespace pallasgen {

namespace {

const BindStmt& bind_of(const KernelStmt& statement) { return std::get<BindStmt>(statement.node); }

}  // namespace

StepNames::StepNames(const Kernel& kernel, KernelStmts binds) : binds_(std::move(binds)) {
  for (const KernelStmt& statement : binds_) {
    walk(bind_of(statement).value, [&](const Typed& node) {
      const LocalUse* use = node.as<LocalUse>();
      if (node.as<RefRead>() || (use && of_inputs_.count(use->id) > 0)) of_inputs_.insert(bind_of(statement).local);
    });
  }
  for_each_statement(kernel.body, [&](const KernelStmt& statement) {
    if (const auto* bind = std::get_if<BindStmt>(&statement.node)) next_local_ = std::max(next_local_, bind->local + 1);
    if (const auto* atomic = std::get_if<AtomicStmt>(&statement.node))
      next_local_ = std::max(next_local_, atomic->old + 1);
  });
}

KernelStmts StepNames::in_step(const KernelStmts& body) const {
  const std::set<int> needed = needed_by(body, of_inputs_);
  KernelStmts kept;
  for (const KernelStmt& statement : binds_) {
    const int local = bind_of(statement).local;
    if (of_inputs_.count(local) == 0 || needed.count(local) > 0) kept.push_back(statement);
  }
  return kept;
}

KernelStmts StepNames::in_guard(KernelStmts statements) {
  // Names that depend on no input are bound here too: without a step, nothing else binds them.
  std::set<int> names;
  for (const KernelStmt& statement : binds_) names.insert(bind_of(statement).local);
  const std::set<int> needed = needed_by(statements, names);
  KernelStmts all;
  std::map<int, int> own;
  for (const KernelStmt& statement : binds_) {
    if (needed.count(bind_of(statement).local) == 0) continue;
    all.push_back(statement);
    auto& bind = std::get<BindStmt>(all.back().node);
    bind.local = own.emplace(bind.local, next_local_++).first->second;
  }
  all.insert(all.end(), std::make_move_iterator(statements.begin()), std::make_move_iterator(statements.end()));
  change_values(all, [&](TypedPtr& value) {
    value = rewrite(value, [&](const TypedPtr& node) -> TypedPtr {
      const LocalUse* use = node->as<LocalUse>();
      const auto found = use ? own.find(use->id) : own.end();
      if (found == own.end()) return nullptr;
      return make_typed(node->span, node->dtype, node->shape, LocalUse{found->second, use->name});
    });
  });
  return all;
}

std::set<int> StepNames::needed_by(const KernelStmts& statements, const std::set<int>& among) const {
  std::set<int> needed;
  const auto add = [&](const TypedPtr& value) {
    walk(value, [&](const Typed& node) {
      const LocalUse* use = node.as<LocalUse>();
      if (use && among.count(use->id) > 0) needed.insert(use->id);
    });
  };
  for_each_value(statements, add);
  for (size_t i = binds_.size(); i-- > 0;) {
    if (needed.count(bind_of(binds_[i]).local) > 0) add(bind_of(binds_[i]).value);
  }
  return needed;
}

}  // namespace pallasgen
