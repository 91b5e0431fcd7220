// Values of the body that nothing reads.
#include <fmt/format.h>

#include <set>

#include "context.h"

namespace pallasgen {

void check_unread_values(Context& context) {
  const Kernel& kernel = context.kernel;
  std::set<int> read;
  for_each_value(kernel.body, [&](const TypedPtr& value) {
    walk(value, [&](const Typed& node) {
      if (const auto* use = node.as<LocalUse>()) read.insert(use->id);
    });
  });
  // A statement that binds several names is right where one of them is read.
  std::set<size_t> right;
  const auto for_each_bind = [&](const auto& visit) {
    for_each_statement(kernel.body, [&](const KernelStmt& stmt) {
      if (const auto* bind = std::get_if<BindStmt>(&stmt.node)) visit(stmt, *bind);
    });
  };
  for_each_bind([&](const KernelStmt& stmt, const BindStmt& bind) {
    if (read.count(bind.local) > 0) right.insert(stmt.span.begin);
  });
  std::set<int> said;
  for_each_bind([&](const KernelStmt& stmt, const BindStmt& bind) {
    if (bind.rebinds || right.count(stmt.span.begin) > 0 || !said.insert(bind.local).second) return;
    context.diagnostics.warning(kUnreadValue, stmt.span, fmt::format("nothing reads '{}'", bind.name))
        .note("the generated file leaves it out; take the statement away, or use what it computes");
  });
}

}  // namespace pallasgen
