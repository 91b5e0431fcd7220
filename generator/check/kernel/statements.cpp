#include "check/kernel.h"

namespace pallasgen {

namespace {

template <class Statements, class Visit>
void walk_statements(Statements& statements, const Visit& visit) {
  for (auto& statement : statements) {
    visit(statement);
    if (auto* when = std::get_if<WhenStmt>(&statement.node)) {
      walk_statements(when->then, visit);
      walk_statements(when->otherwise, visit);
    }
    if (auto* loop = std::get_if<ForStmt>(&statement.node)) walk_statements(loop->body, visit);
    if (auto* loop = std::get_if<WhileStmt>(&statement.node)) walk_statements(loop->body, visit);
    if (auto* scope = std::get_if<ScopeStmt>(&statement.node)) walk_statements(scope->body, visit);
  }
}

// Visits the values of one statement, but not of those inside it.
template <class Statement, class Visit>
void walk_values(Statement& statement, const Visit& visit) {
  const auto some = [&](auto& value) {
    if (value) visit(value);
  };
  const auto items = [&](auto& list) {
    for (auto& item : list) {
      if (auto* integer = std::get_if<IndexInteger>(&item)) some(integer->value);
      if (auto* slice = std::get_if<IndexSlice>(&item)) some(slice->start);
      if (auto* gather = std::get_if<IndexGather>(&item)) some(gather->indices);
    }
  };
  if (auto* bind = std::get_if<BindStmt>(&statement.node)) some(bind->value);
  if (auto* store = std::get_if<StoreStmt>(&statement.node)) {
    some(store->value);
    some(store->mask);
    items(store->index);
  }
  if (auto* atomic = std::get_if<AtomicStmt>(&statement.node)) {
    some(atomic->value);
    some(atomic->compare);
    some(atomic->mask);
    items(atomic->index);
  }
  if (auto* when = std::get_if<WhenStmt>(&statement.node)) some(when->condition);
  if (auto* loop = std::get_if<ForStmt>(&statement.node)) {
    some(loop->start);
    some(loop->stop);
    some(loop->step);
  }
  if (auto* loop = std::get_if<WhileStmt>(&statement.node)) some(loop->condition);
  if (auto* print = std::get_if<PrintStmt>(&statement.node)) {
    for (auto& arg : print->args) some(arg);
  }
  if (auto* assertion = std::get_if<AssertStmt>(&statement.node)) some(assertion->condition);
}

}  // namespace

void for_each_statement(const KernelStmts& statements, const std::function<void(const KernelStmt&)>& visit) {
  walk_statements(statements, visit);
}

void for_each_value(const KernelStmts& statements, const std::function<void(const TypedPtr&)>& visit) {
  walk_statements(statements, [&](const KernelStmt& statement) { walk_values(statement, visit); });
}

void change_statements(KernelStmts& statements, const std::function<void(KernelStmt&)>& change) {
  walk_statements(statements, change);
}

void change_values(KernelStmts& statements, const std::function<void(TypedPtr&)>& change) {
  walk_statements(statements, [&](KernelStmt& statement) { walk_values(statement, change); });
}

}  // namespace pallasgen
