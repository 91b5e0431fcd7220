#include <fmt/format.h>

#include "findings/findings.h"
#include "kernel/programs.h"

namespace pallasgen {

namespace {

// The reason why programs of one grid may disagree on the value; empty if they cannot.
std::string differs(const Kernel& kernel, const TypedPtr& value) {
  std::string why;
  for (size_t axis = 0; axis < kernel.axes.size() && why.empty(); ++axis) {
    if (!kernel.axes[axis].sequential && depends_on_axis(kernel, value, static_cast<int>(axis)))
      why = fmt::format("it depends on the axis '{}'", kernel.axes[axis].name);
  }
  walk(value, [&](const Typed& node) {
    if (!why.empty()) return;
    const Symbol* symbol = node.as<Symbol>();
    if (symbol && symbol->kind == SymbolKind::ticket) why = "it depends on ticket()";
    if (const RefRead* read = node.as<RefRead>()) why = fmt::format("it reads '{}'", read->name);
    if (const LocalUse* local = node.as<LocalUse>()) why = fmt::format("it reads '{}'", local->name);
  });
  return why;
}

class GridSyncCheck {
 public:
  explicit GridSyncCheck(Context& context) : context_(context), kernel_(context.kernel) {}

  void run() {
    for (size_t axis = 0; axis < kernel_.axes.size(); ++axis) {
      if (!kernel_.axes[axis].sequential || !kernel_.axes[axis].size) continue;
      const std::string why = differs(kernel_, kernel_.axes[axis].size);
      if (!why.empty()) around_ = fmt::format("the number of steps along '{}': {}", kernel_.axes[axis].name, why);
    }
    if (kernel_.skip) around_ = "'skip'";
    statements(kernel_.body);
  }

 private:
  Context& context_;
  const Kernel& kernel_;
  std::string around_;  // reason why a program may not reach the statement

  void inside(const KernelStmts& body, std::string_view what, const TypedPtr& value) {
    const std::string before = around_;
    const std::string why = value ? differs(kernel_, value) : "";
    if (!why.empty()) around_ = fmt::format("{}: {}", what, why);
    statements(body);
    around_ = before;
  }

  void statements(const KernelStmts& list) {
    for (const KernelStmt& statement : list) {
      if (const auto* when = std::get_if<WhenStmt>(&statement.node)) {
        inside(when->then, "a guard", when->condition);
        inside(when->otherwise, "a guard", when->condition);
      }
      if (const auto* loop = std::get_if<ForStmt>(&statement.node)) {
        const std::string before = around_;
        for (const TypedPtr& bound : {loop->start, loop->step}) {
          if (bound && !differs(kernel_, bound).empty()) around_ = "the bounds of a loop: " + differs(kernel_, bound);
        }
        inside(loop->body, "the bounds of a loop", loop->stop);
        around_ = before;
      }
      if (const auto* loop = std::get_if<WhileStmt>(&statement.node)) inside(loop->body, "a loop", loop->condition);
      if (const auto* scope = std::get_if<ScopeStmt>(&statement.node)) inside(scope->body, "", nullptr);
      if (!std::holds_alternative<GridSyncStmt>(statement.node)) continue;
      if (!kernel_.schedule.cooperative.value) {
        context_.diagnostics.error(kGridSync, statement.span, "grid_sync() waits for programs that may not have begun")
            .note("write schedule: {cooperative: true}, so that all programs of the grid run at once");
      }
      if (around_.empty()) continue;
      context_.diagnostics
          .error(kGridSync, statement.span,
                 fmt::format("not every program may come to grid_sync(), because of {}", around_))
          .note("it must stand where all programs come together, as often in each of them");
    }
  }
};

}  // namespace

void check_grid_sync(Context& context) { GridSyncCheck(context).run(); }

}  // namespace pallasgen
