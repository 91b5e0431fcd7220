#include "findings/from_data.h"

namespace pallasgen {

FromData::FromData(const KernelStmts& body) {
  // The end of a loop passes data to its start, so this repeats until nothing is added.
  for (size_t known = SIZE_MAX; known != locals_.size() + loops_.size();) {
    known = locals_.size() + loops_.size();
    collect(body, false);
  }
}

bool FromData::decide(const TypedPtr& value) const {
  bool found = false;
  if (!value) return found;
  walk(value, [&](const Typed& node) {
    const LocalUse* local = node.as<LocalUse>();
    const Symbol* symbol = node.as<Symbol>();
    found = found || node.as<RefRead>() || (local && locals_.count(local->id) > 0) ||
            (symbol && symbol->kind == SymbolKind::loop && loops_.count(symbol->id) > 0);
  });
  return found;
}

void FromData::collect(const KernelStmts& statements, bool around) {
  for (const KernelStmt& statement : statements) {
    if (const auto* name = std::get_if<BindStmt>(&statement.node)) {
      bind(name->local, around || decide(name->value));
    } else if (const auto* atomic = std::get_if<AtomicStmt>(&statement.node)) {
      bind(atomic->old, atomic->old >= 0);
    } else if (const auto* when = std::get_if<WhenStmt>(&statement.node)) {
      const bool data = around || decide(when->condition);
      collect(when->then, data);
      collect(when->otherwise, data);
    } else if (const auto* loop = std::get_if<ForStmt>(&statement.node)) {
      const bool data = around || decide(loop->start) || decide(loop->stop) || decide(loop->step);
      if (data) loops_.insert(loop->loop);
      collect(loop->body, data);
    } else if (const auto* loop = std::get_if<WhileStmt>(&statement.node)) {
      collect(loop->body, around || decide(loop->condition));
    } else if (const auto* scope = std::get_if<ScopeStmt>(&statement.node)) {
      collect(scope->body, around);
    }
  }
}

}  // namespace pallasgen
