// Warnings about outputs that are written only under a guard that does not test steps: it may hold wherever the output
// is read.
#include <fmt/format.h>

#include <map>

#include "check/aliases.h"
#include "findings/findings.h"

namespace pallasgen {

namespace {

class GuardedOutput {
 public:
  GuardedOutput(const Kernel& kernel, int ref) : kernel_(kernel), ref_(ref) {
    for_each_statement(kernel.body, [&](const KernelStmt& stmt) {
      if (const auto* bind = std::get_if<BindStmt>(&stmt.node)) bound_.emplace(bind->local, bind->value);
    });
  }

  // The guard that decides whether the output is written; null if none does.
  const KernelStmt* run() { return writes(kernel_.body) ? nullptr : guard_; }

 private:
  bool writes(const KernelStmts& stmts) {
    for (const KernelStmt& stmt : stmts)
      if (writes(stmt)) return true;
    return false;
  }

  bool writes(const KernelStmt& stmt) {
    if (const auto* node = std::get_if<StoreStmt>(&stmt.node)) return node->ref == ref_;
    if (const auto* node = std::get_if<AtomicStmt>(&stmt.node)) return node->ref == ref_;
    if (const auto* node = std::get_if<ScopeStmt>(&stmt.node)) return writes(node->body);
    if (const auto* node = std::get_if<ForStmt>(&stmt.node)) return writes(node->body);
    if (const auto* node = std::get_if<WhileStmt>(&stmt.node)) return writes(node->body);
    const auto* node = std::get_if<WhenStmt>(&stmt.node);
    if (!node) return false;
    const bool then = writes(node->then), otherwise = writes(node->otherwise);
    if (then == otherwise || chooses_among_turns(node->condition)) return then || otherwise;
    const Bounds range = bounds(node->condition, kernel_.facts());
    if (range.minimum == 1) return then;
    if (range.maximum == 0) return otherwise;
    if (!guard_) guard_ = &stmt;
    return false;
  }

  // True if the condition may differ between steps, iterations of a loop, or tickets, so that some may pass.
  bool chooses_among_turns(const TypedPtr& condition) const {
    bool found = false;
    walk(condition, [&](const Typed& node) {
      const Symbol* symbol = node.as<Symbol>();
      const LocalUse* use = node.as<LocalUse>();
      if (symbol && symbol->kind == SymbolKind::axis) found = found || kernel_.axes[symbol->id].sequential;
      if (symbol && symbol->kind == SymbolKind::let)
        found = found || chooses_among_turns(kernel_.lets[symbol->id].value);
      found = found || (symbol && (symbol->kind == SymbolKind::loop || symbol->kind == SymbolKind::ticket));
      const auto value = use ? bound_.find(use->id) : bound_.end();
      // Following a local that a loop binds to itself would not end.
      if (value != bound_.end()) found = found || mentions_turns(value->second);
    });
    return found;
  }

  bool mentions_turns(const TypedPtr& value) const {
    bool found = false;
    walk(value, [&](const Typed& node) {
      const Symbol* symbol = node.as<Symbol>();
      found = found || node.as<LocalUse>() ||
              (symbol && symbol->kind != SymbolKind::dim && symbol->kind != SymbolKind::scalar);
    });
    return found;
  }

  const Kernel& kernel_;
  const int ref_;
  std::map<int, TypedPtr> bound_;  // first value of each local
  const KernelStmt* guard_ = nullptr;
};

}  // namespace

void check_doubtful_guards(Context& context) {
  const Kernel& kernel = context.kernel;
  for (size_t i = 0; i < kernel.refs.size(); ++i) {
    const Ref& ref = kernel.refs[i];
    if (ref.role != RefRole::output || is_view(ref) || ref.init || ref.alias_of) continue;
    const KernelStmt* guard = GuardedOutput(kernel, static_cast<int>(i)).run();
    if (!guard) continue;
    const WhenStmt& when = std::get<WhenStmt>(guard->node);
    context.diagnostics
        .warning(
            kGuardedOutput, guard->span,
            fmt::format("'{}' is written only under this guard, {}: where it does not hold, the block of '{}' stays "
                        "undefined",
                        ref.name, to_string(when.condition), ref.name))
        .note(
            fmt::format("write '{}' under `else:` too, or in front of the guard; or give the output `init`", ref.name));
  }
}

}  // namespace pallasgen
