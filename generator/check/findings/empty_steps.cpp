#include <fmt/format.h>

#include <functional>
#include <set>

#include "findings/findings.h"
#include "kernel/programs.h"

namespace pallasgen {

// Reports guards of the first or the last step that read a block of that step, since a program without steps has none.
void check_empty_steps(Context& context) {
  const Kernel& kernel = context.kernel;
  const Axis* empty = nullptr;
  for (const Axis& axis : kernel.axes) {
    const Bounds size = bounds(axis.size, kernel.facts());
    if (axis.sequential && size.minimum.value_or(0) <= 0 && size.maximum != 0) empty = &axis;
  }
  if (!empty) return;
  for (const KernelStmt& stmt : kernel.body) {
    const WhenStmt* when = std::get_if<WhenStmt>(&stmt.node);
    if (!when || guard_kind(kernel, when->condition) == GuardKind::none) continue;
    std::set<int> reported;
    const auto visit = [&](const Typed& node) {
      const RefRead* read = node.as<RefRead>();
      if (!read) return;
      const Ref& ref = kernel.refs[read->ref];
      if (ref.role != RefRole::input) return;
      for (size_t axis = 0; axis < kernel.axes.size(); ++axis) {
        if (!kernel.axes[axis].sequential || !depends_on_axis(kernel, ref, static_cast<int>(axis)) ||
            !reported.insert(read->ref).second)
          continue;
        Diagnostic& out = context.diagnostics.error(
            kEmptySteps, node.span,
            fmt::format(
                "'{}' moves with '{}', which may have no step; this guard runs even then, without a block of '{}'",
                ref.name, kernel.axes[axis].name, ref.name));
        out.note(empty->span,
                 fmt::format("its size is {}; a dim with min: 1 says that there is a step", to_string(empty->size)));
        out.note("or read it in a statement that is not guarded");
      }
    };
    const std::function<void(const KernelStmts&)> all = [&](const KernelStmts& stmts) {
      for (const KernelStmt& inner : stmts) {
        if (const auto* bind = std::get_if<BindStmt>(&inner.node)) walk(bind->value, visit);
        if (const auto* store = std::get_if<StoreStmt>(&inner.node)) walk(store->value, visit);
        if (const auto* nested = std::get_if<WhenStmt>(&inner.node)) {
          walk(nested->condition, visit);
          all(nested->then);
          all(nested->otherwise);
        }
        if (const auto* loop = std::get_if<ForStmt>(&inner.node)) all(loop->body);
      }
    };
    all(when->then);
  }
}

}  // namespace pallasgen
