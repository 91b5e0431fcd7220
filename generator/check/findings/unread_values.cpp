// Warnings about values of the body that nothing reads.
#include <fmt/format.h>

#include <set>

#include "findings/findings.h"
#include "names/names_of.h"

namespace pallasgen {

void check_unread_values(Context& context) {
  std::set<std::string> read;
  visit_expressions(context.spec.body, [&](const ExprPtr& expr) {
    visit_names(expr, [&](const std::string& name, Span) { read.insert(name); });
  });
  // Names inside functions of the language or the spec appear in no expression of the body, but locals are used.
  std::set<int> used;
  for_each_value(context.kernel.body, [&](const TypedPtr& expr) {
    walk(expr, [&](const Typed& node) {
      if (const auto* use = node.as<LocalUse>()) used.insert(use->id);
    });
  });
  // A statement that binds several names is fine if one of them is read.
  std::set<size_t> right;
  std::set<int> said;
  const auto for_each_bind = [&](const auto& visit) {
    for_each_statement(context.kernel.body, [&](const KernelStmt& stmt) {
      if (const auto* bind = std::get_if<BindStmt>(&stmt.node)) visit(stmt, *bind);
    });
  };
  for_each_bind([&](const KernelStmt& stmt, const BindStmt& bind) {
    if (read.count(bind.name) > 0 || used.count(bind.local) > 0) right.insert(stmt.span.begin);
  });
  for_each_bind([&](const KernelStmt& stmt, const BindStmt& bind) {
    if (bind.rebinds || right.count(stmt.span.begin) > 0 || !said.insert(bind.local).second) return;
    context.diagnostics.warning(kUnreadValue, stmt.span, fmt::format("nothing reads '{}'", bind.name))
        .note("take the statement away, or use what it computes");
  });
}

}  // namespace pallasgen
