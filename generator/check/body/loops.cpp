// Loops of the body: counted loops, including those that `unroll: full` writes out, and loops with a condition.
#include <fmt/format.h>

#include "body/body.h"
#include "expressions/evaluate.h"
#include "names/language.h"

namespace pallasgen {

namespace {

constexpr size_t kMostTurns = 256;  // most iterations of a loop that is written out

void warn_of_idle(Context& context, int64_t unroll, const ForStmt& loop, Span span) {
  const Bounds start = bounds(loop.start, context.kernel.facts()), stop = bounds(loop.stop, context.kernel.facts());
  const std::optional<int64_t> step = constant_value(loop.step);
  const bool once = start.minimum && stop.maximum && step && *step > 0 && *stop.maximum - *start.minimum <= *step;
  if (unroll > 1 && !once) return;
  context.diagnostics
      .warning(kIdleUnroll, span,
               once ? fmt::format("'unroll' of a loop of at most one turn changes nothing")
                    : fmt::format("'unroll: 1' changes nothing: it says that one turn stands in a row"))
      .note("leave it out, or write how many turns are to stand in a row, as in `unroll: 4`");
}

}  // namespace

void BodyTyper::loop(const Stmt& stmt, const ForSyntax& syntax, KernelStmts& out) {
  const NameExpr* unrolled = syntax.unroll ? syntax.unroll->as<NameExpr>() : nullptr;
  if (unrolled && unrolled->name == "full") return unroll_fully(syntax, out);
  if (unrolled && is_language_name(unrolled->name)) {
    context_.diagnostics.error(kConstant, syntax.unroll->span, fmt::format("'unroll' is '{}'", unrolled->name))
        .note("it is how many turns stand in a row, as in `unroll: 4`, or `full`: all of them, of a constant range");
    return;
  }
  TypingContext in = names_.guards(&out);
  std::vector<TypedPtr> numbers;
  bool good = true;
  for (const ExprPtr& expr : syntax.range) {
    numbers.push_back(integer_of(in, expr, "the range of a loop"));
    good = good && numbers.back();
  }
  std::optional<int64_t> times;
  if (syntax.unroll) {
    const std::optional<int64_t> unroll = constant_integer(in, syntax.unroll, "'unroll'");
    if (unroll && *unroll < 1)
      context_.diagnostics.error(kConstant, syntax.unroll->span,
                                 fmt::format("'unroll' is {}, but must be at least 1", *unroll));
    else
      times = unroll;
  }
  ForStmt node;
  node.unroll = times;
  node.loop = context_.loops++;
  node.name = syntax.variable.name;
  const Span span = stmt.span;
  const auto number = [&](int64_t value) { return make_typed(span, DType::index, {}, Constant{value, {}}); };
  node.start = numbers.size() > 1 ? numbers[0] : number(0);
  if (!numbers.empty()) node.stop = numbers[numbers.size() > 1 ? 1 : 0];
  node.step = numbers.size() > 2 ? numbers[2] : number(1);
  if (good && constant_value(node.step) == 0) {
    context_.diagnostics.error(kConstant, syntax.range[2]->span, "the step of a loop is 0, and it would never end");
    good = false;
  }
  if (times && good) warn_of_idle(context_, *times, node, syntax.unroll->span);
  node.body =
      turn(syntax, make_typed(syntax.variable.span, DType::index, {}, Symbol{SymbolKind::loop, node.loop, node.name}));
  std::string text = fmt::format("for: {}, range: ", node.name);
  for (size_t i = 0; i < syntax.range.size(); ++i) text += (i ? ", " : "") + to_string(*syntax.range[i]);
  if (good) out.push_back({stmt.span, std::move(text), std::move(node)});
}

KernelStmts BodyTyper::turn(const ForSyntax& syntax, TypedPtr variable) {
  const Span span = syntax.variable.span;
  const std::string& name = syntax.variable.name;
  Scope& scope = names_.scope();
  scope.push();
  if (names_.may_assign(name, span)) {
    if (Local* known = scope.find(name)) {
      context_.diagnostics.error(kRebind, span, fmt::format("'{}' is a name of the body already", name))
          .note(known->span, "it is assigned here");
    }
    Local local;
    local.span = span;
    local.counts = true;
    local.value = {std::move(variable), span};
    scope.set(name, std::move(local));
  }
  KernelStmts body = statements(syntax.body);
  scope.pop();
  return body;
}

// Writes out the iterations of `unroll: full`, with the variable as a constant, up to the first one with errors.
void BodyTyper::unroll_fully(const ForSyntax& syntax, KernelStmts& out) {
  TypingContext in = names_.guards(&out);
  std::vector<int64_t> numbers;
  for (const ExprPtr& expr : syntax.range) {
    const auto number = constant_integer(in, expr, "the range of a loop with `unroll: full`");
    if (!number) return;
    numbers.push_back(*number);
  }
  const int64_t start = numbers.size() > 1 ? numbers[0] : 0, stop = numbers[numbers.size() > 1 ? 1 : 0];
  const int64_t step = numbers.size() > 2 ? numbers[2] : 1;
  Diagnostics& diagnostics = context_.diagnostics;
  if (step == 0) {
    diagnostics.error(kConstant, syntax.range[2]->span, "the step of a loop is 0, and it would never end");
    return;
  }
  const auto goes_on = [&](int64_t value) { return step > 0 ? value < stop : value > stop; };
  std::vector<int64_t> values;
  for (int64_t value = start; goes_on(value) && values.size() <= kMostTurns;) {
    values.push_back(value);
    if (__builtin_add_overflow(value, step, &value)) break;
  }
  if (values.size() > kMostTurns) {
    diagnostics
        .error(kConstant, syntax.unroll->span,
               fmt::format("`unroll: full` writes out each turn, and '{}' has more than {}", syntax.variable.name,
                           kMostTurns))
        .note("`unroll: 8` writes out eight in a row");
    return;
  }
  const int errors = diagnostics.errors();
  for (const int64_t value : values) {
    KernelStmts statements = turn(syntax, make_typed(syntax.variable.span, DType::index, {}, Constant{value, {}}));
    if (diagnostics.errors() > errors) return;
    std::move(statements.begin(), statements.end(), std::back_inserter(out));
  }
}

void BodyTyper::while_loop(const Stmt& stmt, const WhileSyntax& syntax, KernelStmts& out) {
  // No prelude, because the condition is evaluated again in each iteration.
  TypingContext in = names_.guards(nullptr);
  const TypedPtr condition = condition_of(in, syntax.condition, "while");
  WhileStmt node{condition, block(syntax.body)};
  if (condition) out.push_back({stmt.span, "while: " + to_string(*syntax.condition), std::move(node)});
}

}  // namespace pallasgen
