// Warnings about outputs that each step overwrites although their block stays, so that only the last step's value is
// kept: a guard of the last step, or a sum, was likely meant.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "findings/findings.h"
#include "kernel/programs.h"

namespace pallasgen {

namespace {

// The values that may differ between two steps of a program which differ only along `axes`.
class StepValues {
 public:
  StepValues(const Kernel& kernel, std::set<int> axes) : kernel_(kernel), axes_(std::move(axes)) {
    // A loop may bind a name to names that are bound further down, so this repeats until nothing is added.
    for (size_t before = SIZE_MAX; before != locals_.size();) {
      before = locals_.size();
      bind(kernel.body, false);
    }
  }

  bool vary(const TypedPtr& expr) const {
    if (!expr) return false;
    if (of_axes([&](int axis) { return depends_on_axis(kernel_, expr, axis); })) return true;
    bool found = false;
    walk(expr, [&](const Typed& node) {
      const Symbol* symbol = node.as<Symbol>();
      const LocalUse* use = node.as<LocalUse>();
      const RefRead* read = node.as<RefRead>();
      const Apply* apply = node.as<Apply>();
      found = found || (symbol && symbol->kind == SymbolKind::loop && loops_.count(symbol->id) > 0) ||
              (use && locals_.count(use->id) > 0) || (read && varies(read->ref)) ||
              (apply && apply->op == Op::valid && varies(apply->attributes.ref));
    });
    return found;
  }

  bool vary(const std::vector<IndexItem>& index) const {
    return std::any_of(index.begin(), index.end(), [&](const IndexItem& item) {
      if (const auto* integer = std::get_if<IndexInteger>(&item)) return vary(integer->value);
      if (const auto* slice = std::get_if<IndexSlice>(&item)) return vary(slice->start);
      const auto* gather = std::get_if<IndexGather>(&item);
      return gather && vary(gather->indices);
    });
  }

  bool vary(const ForStmt& loop) const { return vary(loop.start) || vary(loop.stop) || vary(loop.step); }

 private:
  template <class Predicate>
  bool of_axes(const Predicate& predicate) const {
    return std::any_of(axes_.begin(), axes_.end(), predicate);
  }

  // Memory that the body or another program writes counts as different in each step.
  bool varies(int id) const {
    const Ref& ref = kernel_.refs[static_cast<size_t>(id)];
    const bool written =
        std::any_of(kernel_.refs.begin(), kernel_.refs.end(), [&](const Ref& output) { return output.alias_of == id; });
    return ref.role != RefRole::input || written ||
           of_axes([&](int axis) { return depends_on_axis(kernel_, ref, axis); });
  }

  // `guarded`: the steps may differ in whether, or how often, the statements run.
  void bind(const KernelStmts& stmts, bool guarded) {
    for (const KernelStmt& stmt : stmts) {
      if (const auto* node = std::get_if<BindStmt>(&stmt.node)) {
        if (guarded || vary(node->value)) locals_.insert(node->local);
      } else if (const auto* atomic = std::get_if<AtomicStmt>(&stmt.node)) {
        locals_.insert(atomic->old);
      } else if (const auto* when = std::get_if<WhenStmt>(&stmt.node)) {
        const bool chosen = guarded || vary(when->condition);
        bind(when->then, chosen);
        bind(when->otherwise, chosen);
      } else if (const auto* loop = std::get_if<ForStmt>(&stmt.node)) {
        if (vary(*loop)) loops_.insert(loop->loop);
        bind(loop->body, guarded || vary(*loop));
      } else if (const auto* turns = std::get_if<WhileStmt>(&stmt.node)) {
        bind(turns->body, guarded || vary(turns->condition));
      } else if (const auto* scope = std::get_if<ScopeStmt>(&stmt.node)) {
        bind(scope->body, guarded);
      }
    }
  }

  const Kernel& kernel_;
  const std::set<int> axes_;
  std::set<int> locals_, loops_;
};

// The innermost sequential axes along which the ref's block stays, except those of at most one step.
std::set<int> axes_of_stay(const Kernel& kernel, const Ref& ref) {
  std::set<int> axes;
  for (int axis = static_cast<int>(kernel.axes.size()) - 1; axis >= 0; --axis) {
    if (!kernel.axes[axis].sequential || depends_on_axis(kernel, ref, axis)) break;
    const Bounds size = bounds(kernel.axes[axis].size, kernel.facts());
    if (!size.maximum || *size.maximum > 1) axes.insert(axis);
  }
  return axes;
}

// True if the output's new contents depend on its old ones: it is read, added to, or changed by atomics.
bool reads_back(const Kernel& kernel, int ref) {
  bool found = false;
  for_each_value(kernel.body, [&](const TypedPtr& value) {
    walk(value, [&](const Typed& node) {
      const RefRead* read = node.as<RefRead>();
      found = found || (read && read->ref == ref);
    });
  });
  for_each_statement(kernel.body, [&](const KernelStmt& stmt) {
    const auto* store = std::get_if<StoreStmt>(&stmt.node);
    const auto* atomic = std::get_if<AtomicStmt>(&stmt.node);
    found = found || (store && store->ref == ref && store->op) || (atomic && atomic->ref == ref);
  });
  return found;
}

// The first statement that writes the same elements of the output in each step, with a new value, or null.
const KernelStmt* overwriting(const KernelStmts& stmts, int ref, const StepValues& values) {
  for (const KernelStmt& stmt : stmts) {
    const KernelStmt* found = nullptr;
    if (const auto* store = std::get_if<StoreStmt>(&stmt.node)) {
      const bool anew = store->ref == ref && !values.vary(store->index) && !values.vary(store->mask);
      if (anew && values.vary(store->value)) found = &stmt;
    } else if (const auto* when = std::get_if<WhenStmt>(&stmt.node); when && !values.vary(when->condition)) {
      found = overwriting(when->then, ref, values);
      if (!found) found = overwriting(when->otherwise, ref, values);
    } else if (const auto* loop = std::get_if<ForStmt>(&stmt.node); loop && !values.vary(*loop)) {
      found = overwriting(loop->body, ref, values);
    } else if (const auto* turns = std::get_if<WhileStmt>(&stmt.node); turns && !values.vary(turns->condition)) {
      found = overwriting(turns->body, ref, values);
    } else if (const auto* scope = std::get_if<ScopeStmt>(&stmt.node)) {
      found = overwriting(scope->body, ref, values);
    }
    if (found) return found;
  }
  return nullptr;
}

}  // namespace

void check_unguarded_outputs(Context& context) {
  const Kernel& kernel = context.kernel;
  for (size_t i = 0; i < kernel.refs.size(); ++i) {
    const Ref& ref = kernel.refs[i];
    const int id = static_cast<int>(i);
    if (ref.role != RefRole::output || is_view(ref) || ref.reduce || ref.alias_of || reads_back(kernel, id)) continue;
    const std::set<int> axes = axes_of_stay(kernel, ref);
    if (axes.empty()) continue;
    const KernelStmt* stmt = overwriting(kernel.body, id, StepValues(kernel, axes));
    if (!stmt) continue;
    std::vector<std::string> names, first, last;
    for (const int axis : axes) {
      const std::string& name = kernel.axes[axis].name;
      names.push_back(fmt::format("'{}'", name));
      first.push_back(fmt::format("{} == 0", name));
      last.push_back(fmt::format("{0} == num_programs({0}) - 1", name));
    }
    Diagnostic& out = context.diagnostics.warning(
        kUnguardedOutput, stmt->span,
        fmt::format("'{}' is written in every step of {}, along which its block stays: each step overwrites it, and "
                    "the value of the last step alone is kept",
                    ref.name, fmt::join(names, " and ")));
    out.note(fmt::format("write it in the last step alone: {{when: {}, do: […]}}", fmt::join(last, " and ")));
    const bool gathers = std::any_of(kernel.refs.begin(), kernel.refs.end(),
                                     [](const Ref& other) { return other.role == RefRole::scratch; });
    if (!gathers)
      out.note(
          fmt::format("for a sum over the steps, {0}[...] = 0 under {{when: {1}, do: […]}}, and then "
                      "{0}[...] += … in every step",
                      ref.name, fmt::join(first, " and ")));
  }
}

}  // namespace pallasgen
