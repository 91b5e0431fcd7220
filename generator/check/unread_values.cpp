// Values of the body that nothing reads.
#include <fmt/format.h>

#include <set>

#include "context.h"
#include "names_of.h"

namespace pallasgen {

namespace {

using VisitSyntax = std::function<void(const ExprPtr&)>;

// The expressions of the statements as they are written, also those under conditions that consts decide.
void visit_written(const StmtList& list, const VisitSyntax& visit) {
  for (const Stmt& stmt : list) {
    if (const auto* text = std::get_if<StatementSyntax>(&stmt.node)) {
      if (const auto* assign = std::get_if<AssignSyntax>(text)) visit(assign->value);
      if (const auto* store = std::get_if<StoreSyntax>(text)) visit(store->target), visit(store->value);
      if (const auto* call = std::get_if<CallSyntax>(text)) visit(call->call);
    } else if (const auto* when = std::get_if<WhenSyntax>(&stmt.node)) {
      visit(when->condition);
      visit_written(when->then, visit);
      visit_written(when->otherwise, visit);
    } else if (const auto* loop = std::get_if<ForSyntax>(&stmt.node)) {
      for (const ExprPtr& bound : loop->range) visit(bound);
      if (loop->unroll) visit(loop->unroll);
      visit_written(loop->body, visit);
    } else if (const auto* loop = std::get_if<WhileSyntax>(&stmt.node)) {
      visit(loop->condition);
      visit_written(loop->body, visit);
    } else if (const auto* scope = std::get_if<ScopeSyntax>(&stmt.node)) {
      visit_written(scope->body, visit);
    } else if (const auto* print = std::get_if<PrintSyntax>(&stmt.node)) {
      for (const ExprPtr& argument : print->args) visit(argument);
    } else if (const auto* assertion = std::get_if<AssertSyntax>(&stmt.node)) {
      visit(assertion->condition);
    }
  }
}

}  // namespace

void check_unread_values(Context& context) {
  std::set<std::string> read;
  visit_written(context.spec.body, [&](const ExprPtr& expr) {
    visit_names(expr, [&](const std::string& name, Span) { read.insert(name); });
  });
  // A statement that binds several names is right where one of them is read.
  std::set<size_t> right;
  std::set<int> said;
  const auto for_each_bind = [&](const auto& visit) {
    for_each_statement(context.kernel.body, [&](const KernelStmt& stmt) {
      if (const auto* bind = std::get_if<BindStmt>(&stmt.node)) visit(stmt, *bind);
    });
  };
  for_each_bind([&](const KernelStmt& stmt, const BindStmt& bind) {
    if (read.count(bind.name) > 0) right.insert(stmt.span.begin);
  });
  for_each_bind([&](const KernelStmt& stmt, const BindStmt& bind) {
    if (bind.rebinds || right.count(stmt.span.begin) > 0 || !said.insert(bind.local).second) return;
    context.diagnostics.warning(kUnreadValue, stmt.span, fmt::format("nothing reads '{}'", bind.name))
        .note("take the statement away, or use what it computes");
  });
}

}  // namespace pallasgen
