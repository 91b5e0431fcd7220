#include "check/kernel.h"

namespace pallasgen {

void for_each_statement(const KernelStmts& statements, const std::function<void(const KernelStmt&)>& visit) {
  for (const KernelStmt& statement : statements) {
    visit(statement);
    if (const auto* when = std::get_if<WhenStmt>(&statement.node)) {
      for_each_statement(when->then, visit);
      for_each_statement(when->otherwise, visit);
    }
    if (const auto* loop = std::get_if<ForStmt>(&statement.node)) for_each_statement(loop->body, visit);
    if (const auto* loop = std::get_if<WhileStmt>(&statement.node)) for_each_statement(loop->body, visit);
    if (const auto* scope = std::get_if<ScopeStmt>(&statement.node)) for_each_statement(scope->body, visit);
  }
}

void for_each_value(const KernelStmts& statements, const std::function<void(const TypedPtr&)>& visit) {
  const auto some = [&](const TypedPtr& value) {
    if (value) visit(value);
  };
  const auto items = [&](const std::vector<IndexItem>& list) {
    for (const IndexItem& item : list) {
      if (const auto* integer = std::get_if<IndexInteger>(&item)) some(integer->value);
      if (const auto* slice = std::get_if<IndexSlice>(&item)) some(slice->start);
      if (const auto* gather = std::get_if<IndexGather>(&item)) some(gather->indices);
    }
  };
  for_each_statement(statements, [&](const KernelStmt& statement) {
    if (const auto* bind = std::get_if<BindStmt>(&statement.node)) some(bind->value);
    if (const auto* store = std::get_if<StoreStmt>(&statement.node)) {
      some(store->value);
      some(store->mask);
      items(store->index);
    }
    if (const auto* atomic = std::get_if<AtomicStmt>(&statement.node)) {
      some(atomic->value);
      some(atomic->compare);
      some(atomic->mask);
      items(atomic->index);
    }
    if (const auto* when = std::get_if<WhenStmt>(&statement.node)) some(when->condition);
    if (const auto* loop = std::get_if<ForStmt>(&statement.node)) {
      some(loop->start);
      some(loop->stop);
      some(loop->step);
    }
    if (const auto* loop = std::get_if<WhileStmt>(&statement.node)) some(loop->condition);
    if (const auto* print = std::get_if<PrintStmt>(&statement.node)) {
      for (const TypedPtr& arg : print->args) some(arg);
    }
    if (const auto* assertion = std::get_if<AssertStmt>(&statement.node)) some(assertion->condition);
  });
}

}  // namespace pallasgen
