#include "findings/effects.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "check/aliases.h"
#include "findings/findings.h"
#include "kernel/programs.h"

namespace pallasgen {

namespace {

enum class State : uint8_t { undefined, maybe, defined };

State join_states(State a, State b) { return a == b ? a : State::maybe; }

// The steps that one walk of the body represents, by their values of the sequential axes.
struct Steps {
  int moving = -1;  // -1: a program's first step; else this axis is past its first value, and later axes are at theirs
};

// Walks the body once, with the known facts about the step, and tracks whether each ref has been written.
class Walk {
 public:
  Walk(Context& context, const Steps& steps, std::vector<State> states, std::set<int>& reported)
      : context_(context), kernel_(context.kernel), steps_(steps), states_(std::move(states)), reported_(reported) {}

  void run() { statements(kernel_.body, true); }
  const std::vector<State>& states() const { return states_; }

 private:
  Context& context_;
  const Kernel& kernel_;
  Steps steps_;
  std::vector<State> states_;
  std::set<int>& reported_;

  SymbolFacts facts() const {
    SymbolFacts known = kernel_.facts();
    const auto sequential = [this](const Symbol& symbol) {
      return symbol.kind == SymbolKind::axis && kernel_.axes[symbol.id].sequential;
    };
    const auto minimum = known.minimum, maximum = known.maximum;
    known.minimum = [=, this](const Symbol& symbol) -> std::optional<int64_t> {
      if (sequential(symbol) && symbol.id == steps_.moving) return 1;
      return minimum(symbol);
    };
    known.maximum = [=, this](const Symbol& symbol) -> std::optional<int64_t> {
      if (sequential(symbol) && symbol.id > steps_.moving) return 0;
      return maximum(symbol);
    };
    return known;
  }

  std::optional<bool> known_condition(const TypedPtr& condition) const {
    const Bounds range = bounds(condition, facts());
    if (range.minimum == 1) return true;
    if (range.maximum == 0) return false;
    return std::nullopt;
  }

  // True if the condition has one value for all steps of a program and all data.
  bool same_for_all_steps(const TypedPtr& condition) const {
    bool same = true;
    walk(condition, [&](const Typed& node) { same = same && !node.as<RefRead>() && !node.as<LocalUse>(); });
    for (size_t axis = 0; axis < kernel_.axes.size(); ++axis) {
      if (kernel_.axes[axis].sequential && depends_on_axis(kernel_, condition, static_cast<int>(axis))) same = false;
    }
    walk(condition, [&](const Typed& node) {
      const Symbol* symbol = node.as<Symbol>();
      same = same && !(symbol && symbol->kind == SymbolKind::loop);
    });
    return same;
  }

  void read(int ref, Span span, bool certain) {
    if (!certain || states_[ref] != State::undefined || !reported_.insert(ref).second) return;
    const Ref& row = kernel_.refs[ref];
    std::string when =
        steps_.moving < 0 ? "at the first step" : fmt::format("when {} moves on", kernel_.axes[steps_.moving].name);
    if (kernel_.sequential_axes() == 0) when = "here";
    Diagnostic& out = context_.diagnostics.error(
        kUndefinedRead, span, fmt::format("'{}' is read {}, where nothing has written it", row.name, when));
    if (is_view(row)) {
      out.note(row.span,
               "nothing sets the array ahead of the launch, and no statement stores into it: `init` gives it a value, "
               "as in init: 0");
      return;
    }
    if (row.role == RefRole::output) {
      out.note(row.span, "an output block is never loaded: it starts undefined each time the block changes");
    } else {
      out.note(row.span, "scratch starts undefined in every program");
    }
    std::string guard;
    for (const Axis& axis : kernel_.axes) {
      if (axis.sequential) guard += fmt::format("{}{} == 0", guard.empty() ? "" : " and ", axis.name);
    }
    const std::string fill = fmt::format("{}[...] = {}", row.name, row.dtype == DType::boolean ? "false" : "0");
    out.note(guard.empty() ? fmt::format("write it first: {}", fill)
                           : fmt::format("fill it first: {{when: {}, do: [\"{}\"]}}", guard, fill));
  }

  void items(const std::vector<IndexItem>& list, bool certain) {
    for (const IndexItem& item : list) {
      if (const auto* integer = std::get_if<IndexInteger>(&item)) expression(integer->value, certain);
      if (const auto* slice = std::get_if<IndexSlice>(&item)) expression(slice->start, certain);
      if (const auto* gather = std::get_if<IndexGather>(&item)) expression(gather->indices, certain);
    }
  }

  void expression(const TypedPtr& expr, bool certain) {
    if (!expr) return;
    if (const RefRead* node = expr->as<RefRead>()) {
      items(node->index, certain);
      expression(node->mask, certain);
      expression(node->other, certain);
      read(node->ref, expr->span, certain && !node->mask);
    } else if (const Apply* node = expr->as<Apply>()) {
      // A scalar condition selects one arm; `and` and `or` may stop after the left operand.
      const bool branches = node->op == Op::where && node->args[0]->shape.empty();
      const bool stops = (node->op == Op::logical_and || node->op == Op::logical_or) && expr->shape.empty();
      for (size_t i = 0; i < node->args.size(); ++i)
        expression(node->args[i], certain && !((branches || stops) && i > 0));
      items(node->attributes.items, certain);
    } else if (const CallFunction* node = expr->as<CallFunction>()) {
      for (const TypedPtr& arg : node->args) expression(arg, certain);
    }
  }

  void branch(const KernelStmts& stmts, bool certain, const std::vector<State>& before, std::vector<State>& after) {
    states_ = before;
    statements(stmts, certain);
    after = states_;
  }

  void when(const WhenStmt& node, bool certain) {
    expression(node.condition, certain);
    if (const std::optional<bool> known = known_condition(node.condition)) {
      statements(*known ? node.then : node.otherwise, certain);
      return;
    }
    const bool stays = certain && same_for_all_steps(node.condition);
    const std::vector<State> before = states_;
    std::vector<State> a, b;
    branch(node.then, stays, before, a);
    branch(node.otherwise, stays, before, b);
    for (size_t i = 0; i < a.size(); ++i) states_[i] = join_states(a[i], b[i]);
  }

  void visit_conditional(const KernelStmts& stmts) {
    const std::vector<State> before = states_;
    statements(stmts, false);
    for (size_t i = 0; i < before.size(); ++i) states_[i] = join_states(states_[i], before[i]);
  }

  void statements(const KernelStmts& stmts, bool certain) {
    for (const KernelStmt& stmt : stmts) statement(stmt, certain);
  }

  void statement(const KernelStmt& stmt, bool certain) {
    if (const auto* node = std::get_if<BindStmt>(&stmt.node)) expression(node->value, certain);
    if (const auto* node = std::get_if<StoreStmt>(&stmt.node)) {
      expression(node->value, certain);
      expression(node->mask, certain);
      items(node->index, certain);
      if (node->op) read(node->ref, stmt.span, certain);
      State& state = states_[node->ref];
      state = node->whole && !node->mask ? State::defined : state == State::defined ? State::defined : State::maybe;
    }
    if (const auto* node = std::get_if<AtomicStmt>(&stmt.node)) {
      expression(node->value, certain);
      expression(node->compare, certain);
      expression(node->mask, certain);
      items(node->index, certain);
      read(node->ref, stmt.span, certain && !node->mask);
    }
    if (const auto* node = std::get_if<ScopeStmt>(&stmt.node)) {
      for (int ref : node->refs) states_[ref] = State::undefined;
      statements(node->body, certain);
    }
    if (const auto* node = std::get_if<WhenStmt>(&stmt.node)) when(*node, certain);
    if (const auto* node = std::get_if<ForStmt>(&stmt.node)) {
      expression(node->start, certain);
      expression(node->stop, certain);
      expression(node->step, certain);
      const Bounds start = bounds(node->start, facts()), stop = bounds(node->stop, facts()),
                   step = bounds(node->step, facts());
      const bool runs =
          start.maximum && stop.minimum && *start.maximum < *stop.minimum && step.minimum && *step.minimum > 0;
      runs ? statements(node->body, certain) : visit_conditional(node->body);
    }
    if (const auto* node = std::get_if<WhileStmt>(&stmt.node)) {
      expression(node->condition, certain);
      visit_conditional(node->body);
    }
    if (const auto* node = std::get_if<PrintStmt>(&stmt.node)) {
      for (const TypedPtr& arg : node->args) expression(arg, certain);
    }
    if (const auto* node = std::get_if<AssertStmt>(&stmt.node)) expression(node->condition, certain);
  }
};

void collect_stores(const KernelStmts& stmts, int ref, std::vector<const KernelStmt*>& out) {
  for_each_statement(stmts, [&](const KernelStmt& stmt) {
    if (const auto* store = std::get_if<StoreStmt>(&stmt.node); store && store->ref == ref) out.push_back(&stmt);
    if (const auto* atomic = std::get_if<AtomicStmt>(&stmt.node); atomic && atomic->ref == ref) out.push_back(&stmt);
  });
}

// The innermost sequential axis on which the output's block depends, if an affine entry of the index map moves with it;
// -1 if the block depends on no sequential axis, -2 if no affine entry does.
int moving_axis(const Kernel& kernel, const Ref& ref) {
  int deepest = -1;
  for (size_t axis = 0; axis < kernel.axes.size(); ++axis) {
    const int id = static_cast<int>(axis);
    if (kernel.axes[axis].sequential && depends_on_axis(kernel, ref, id)) deepest = id;
  }
  if (deepest < 0) return -1;
  for (const BlockDim& dim : ref.block) {
    const std::optional<Affine> form = affine(dim.index);
    if (!form) continue;
    for (const Affine::Term& term : form->terms) {
      if (term.symbol.kind == SymbolKind::axis && term.symbol.id == deepest) return deepest;
    }
  }
  return -2;
}

// True if an array in global memory has no value to read: no `init`, no input's contents, no store and no exchange.
bool is_never_set(const Kernel& kernel, int ref) {
  const Ref& row = kernel.refs[static_cast<size_t>(ref)];
  const bool outside = row.role == RefRole::output || row.role == RefRole::workspace;
  if (!is_view(row) || !outside || row.init || starts_as_input(kernel, row)) return false;
  bool stored = false;
  for_each_statement(kernel.body, [&](const KernelStmt& stmt) {
    const auto* store = std::get_if<StoreStmt>(&stmt.node);
    const auto* atomic = std::get_if<AtomicStmt>(&stmt.node);
    const int to = store ? store->ref : atomic && atomic->op == AtomicOp::exchange ? atomic->ref : -1;
    stored = stored || to == ref;
  });
  return !stored;
}

}  // namespace

void check_effects(Context& context) {
  const Kernel& kernel = context.kernel;
  std::set<int> reported;
  std::vector<std::vector<const KernelStmt*>> stores(kernel.refs.size());
  std::vector<State> first(kernel.refs.size(), State::undefined);
  for (size_t i = 0; i < kernel.refs.size(); ++i) {
    const Ref& ref = kernel.refs[i];
    collect_stores(kernel.body, static_cast<int>(i), stores[i]);
    // Views start as defined: the interpreter tracks their elements.
    if (ref.role == RefRole::input || is_view(ref) || (ref.role == RefRole::output && starts_as_input(kernel, ref)))
      first[i] = State::defined;
    if (ref.role != RefRole::output || !stores[i].empty() || (first[i] == State::defined && !is_view(ref))) continue;
    reported.insert(static_cast<int>(i));
    context.diagnostics.error(kUnwrittenOutput, ref.span, fmt::format("nothing writes the output '{}'", ref.name))
        .note(fmt::format("the body must assign it: {}[...] = …", ref.name));
  }
  std::vector<State> known = first;
  for (size_t i = 0; i < known.size(); ++i) {
    if (is_never_set(kernel, static_cast<int>(i))) known[i] = State::undefined;
  }
  Walk start(context, {}, known, reported);
  start.run();
  for (size_t axis = 0; axis < kernel.axes.size(); ++axis) {
    const Bounds size = bounds(kernel.axes[axis].size, kernel.facts());
    if (!kernel.axes[axis].sequential || (size.maximum && *size.maximum < 2)) continue;
    std::vector<State> later(kernel.refs.size(), State::defined);
    std::vector<size_t> fresh;
    for (size_t i = 0; i < kernel.refs.size(); ++i) {
      const Ref& ref = kernel.refs[i];
      if (ref.role != RefRole::output || first[i] == State::defined ||
          moving_axis(kernel, ref) != static_cast<int>(axis))
        continue;
      later[i] = State::undefined;
      fresh.push_back(i);
    }
    if (fresh.empty()) continue;
    Walk walk(context, {static_cast<int>(axis)}, later, reported);
    walk.run();
    if (axis + 1 != kernel.axes.size()) continue;  // later steps of inner axes may write the block
    for (size_t i : fresh) {
      if (walk.states()[i] != State::undefined || stores[i].empty() || !reported.insert(static_cast<int>(i)).second)
        continue;
      context.diagnostics
          .error(kUnwrittenOutput, stores[i][0]->span,
                 fmt::format("the block of '{}' moves with '{}', but is written only at the first step",
                             kernel.refs[i].name, kernel.axes[axis].name))
          .note(kernel.refs[i].index_map_span, "an output that is written once must not depend on the axis");
    }
  }
  for (size_t i = 0; i < kernel.refs.size(); ++i) {
    const Ref& ref = kernel.refs[i];
    if (ref.role == RefRole::output && !stores[i].empty() && first[i] == State::undefined &&
        !reported.count(static_cast<int>(i)))
      check_coverage(context, ref, stores[i]);
  }
}

}  // namespace pallasgen
