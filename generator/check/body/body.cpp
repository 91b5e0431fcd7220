#include "body/body.h"

#include <fmt/format.h>

#include "body/quoted.h"
#include "body/stores.h"
#include "check/print_format.h"
#include "declarations/declarations.h"
#include "expressions/calls.h"
#include "expressions/evaluate.h"
#include "expressions/operators.h"

namespace pallasgen {

std::vector<std::string> print_texts(const std::string& format) {
  std::vector<std::string> texts(1);
  for (size_t i = 0; i < format.size(); ++i) {
    const std::string_view two = std::string_view(format).substr(i, 2);
    if (two == "{}" || two == "{{" || two == "}}") ++i;
    if (two == "{}")
      texts.emplace_back();
    else
      texts.back() += two[0];
  }
  return texts;
}

std::string print_format(const std::vector<std::string>& texts) {
  std::string format;
  for (const std::string& text : texts) {
    if (&text != &texts.front()) format += "{}";
    for (const char c : text) format += c == '{' || c == '}' ? std::string(2, c) : std::string(1, c);
  }
  return format;
}

namespace {

void print(BodyNames& names, const Stmt& stmt, const PrintSyntax& syntax, KernelStmts& out) {
  PrintStmt node{print_texts(syntax.format), {}};
  TypingContext in = names.values(&out);
  bool good = true;
  for (const ExprPtr& arg : syntax.args) {
    node.args.push_back(value_of(in, arg));
    good = good && node.args.back();
  }
  const size_t places = node.texts.size() - 1;
  if (places != syntax.args.size()) {
    in.diagnostics->error(kArguments, stmt.span,
                          fmt::format("print has {} places {{}} for {} argument{}", places, syntax.args.size(),
                                      syntax.args.size() == 1 ? "" : "s"));
    good = false;
  }
  if (good) out.push_back({stmt.span, "print: " + syntax.format, std::move(node)});
}

}  // namespace

void BodyTyper::not_yet(Span span, const std::string& what) {
  context_.diagnostics.error(kNotYet, span, fmt::format("{} has no meaning yet", what));
}

KernelStmts BodyTyper::statements(const StmtList& list) {
  KernelStmts out;
  for (const Stmt& stmt : list) statement(stmt, out);
  return out;
}

KernelStmts BodyTyper::block(const StmtList& list) {
  names_.scope().push();
  KernelStmts out = statements(list);
  names_.scope().pop();
  return out;
}

void BodyTyper::statement(const Stmt& stmt, KernelStmts& out) {
  if (const auto* text = std::get_if<StatementSyntax>(&stmt.node)) {
    const Stmt shown = {stmt.span, *text, quoted(context_, *text)};
    if (const auto* syntax = std::get_if<AssignSyntax>(text)) assign(shown, *syntax, out);
    if (const auto* syntax = std::get_if<StoreSyntax>(text)) store(shown, *syntax, out);
    if (const auto* syntax = std::get_if<CallSyntax>(text)) call(shown, *syntax, out);
  } else if (const auto* syntax = std::get_if<WhenSyntax>(&stmt.node)) {
    when(stmt, *syntax, out);
  } else if (const auto* syntax = std::get_if<ForSyntax>(&stmt.node)) {
    loop(stmt, *syntax, out);
  } else if (const auto* syntax = std::get_if<WhileSyntax>(&stmt.node)) {
    while_loop(stmt, *syntax, out);
  } else if (const auto* syntax = std::get_if<PrintSyntax>(&stmt.node)) {
    print(names_, stmt, *syntax, out);
  } else if (const auto* syntax = std::get_if<AssertSyntax>(&stmt.node)) {
    TypingContext in = names_.guards(&out);
    const TypedPtr condition = condition_of(in, syntax->condition, "assert");
    if (condition)
      out.push_back({stmt.span, "assert: " + to_string(*syntax->condition), AssertStmt{condition, syntax->message}});
  } else if (const auto* syntax = std::get_if<ScopeSyntax>(&stmt.node)) {
    scope(stmt, *syntax, out);
  } else if (const auto* syntax = std::get_if<ProfileSyntax>(&stmt.node)) {
    not_yet(stmt.span, fmt::format("'profile: {}'", syntax->name));
  } else if (std::holds_alternative<InlineCudaSyntax>(stmt.node)) {
    not_yet(stmt.span, "'inline_cuda'");
  } else if (const auto* syntax = std::get_if<MeshSyntax>(&stmt.node)) {
    not_yet(stmt.span, fmt::format("'{}', a statement of mesh kernels,", syntax->form));
  }
}

void BodyTyper::bind(const std::string& name, Span name_span, TypedPtr value, const Stmt& stmt, KernelStmts& out) {
  if (std::optional<BindStmt> node = names_.bind(name, name_span, std::move(value)))
    out.push_back({stmt.span, stmt.text, std::move(*node)});
}

void BodyTyper::assign(const Stmt& stmt, const AssignSyntax& syntax, KernelStmts& out) {
  const CallExpr* call = syntax.value->as<CallExpr>();
  const NameExpr* callee = call ? call->callee->as<NameExpr>() : nullptr;
  if (const auto op = callee ? atomic_named(callee->name) : std::nullopt)
    return atomic_call(names_, stmt, *call, *op, &syntax, out);
  TypingContext in = names_.values(&out);
  if (syntax.names.size() != 1) return assign_several(stmt, syntax, in, out);
  const TypedPtr value = settled(in, value_of(in, syntax.value), fmt::format("'{}'", syntax.names[0]));
  const bool allowed = names_.may_assign(syntax.names[0], syntax.name_spans[0]);
  if (!allowed) return;
  if (!value) return names_.poison(syntax.names[0], syntax.name_spans[0]);
  bind(syntax.names[0], syntax.name_spans[0], value, stmt, out);
}

// `a, b = f(x)`, where the function returns a list of as many values: all are computed before a name is bound.
void BodyTyper::assign_several(const Stmt& stmt, const AssignSyntax& syntax, TypingContext& in, KernelStmts& out) {
  const Value value = evaluate(in, syntax.value);
  const Sequence* list = value.as<Sequence>();
  if (!value.poisoned() && (!list || list->size() != syntax.names.size())) {
    context_.diagnostics
        .error(kStatement, syntax.value->span,
               fmt::format("{} gives {} value{}, not {}", to_string(*syntax.value), list ? list->size() : 1,
                           list && list->size() != 1 ? "s" : "", syntax.names.size()))
        .note("a function whose value is a list gives several: \"halves(x)\": \"[x * 0.5, x - x * 0.5]\"");
    list = nullptr;
  }
  std::vector<TypedPtr> values;
  for (size_t i = 0; list && i < list->size(); ++i) {
    values.push_back(settled(in, read(in, (*list)[i]), fmt::format("'{}'", syntax.names[i])));
    // A value may use a name that this statement binds before it.
    if (values.back() && list->size() > 1) values.back() = keep(in, syntax.names[i] + "_next", values.back(), true);
  }
  for (size_t i = 0; i < syntax.names.size(); ++i) {
    if (!names_.may_assign(syntax.names[i], syntax.name_spans[i])) continue;
    if (i >= values.size() || !values[i]) {
      names_.poison(syntax.names[i], syntax.name_spans[i]);
    } else {
      bind(syntax.names[i], syntax.name_spans[i], values[i], stmt, out);
    }
  }
}

bool BodyTyper::bind_output(const Named& output, const ExprPtr& value, KernelStmts& out) {
  Stmt stmt;
  stmt.span = value->span;
  stmt.text = output.name + " = " + to_string(*value);
  const int errors = context_.diagnostics.errors();
  assign(stmt, AssignSyntax{{output.name}, {output.span}, value}, out);
  return context_.diagnostics.errors() == errors;
}

void BodyTyper::call(const Stmt& stmt, const CallSyntax& syntax, KernelStmts& out) {
  const CallExpr* call = syntax.call->as<CallExpr>();
  const NameExpr* callee = call ? call->callee->as<NameExpr>() : nullptr;
  if (callee && callee->name == "store") return store_call(names_, stmt, *call, out);
  if (const auto op = callee ? atomic_named(callee->name) : std::nullopt)
    return atomic_call(names_, stmt, *call, *op, nullptr, out);
  TypingContext in = names_.values(nullptr);
  if (callee && callee->name == "grid_sync") {
    if (bind_arguments(in, *call, stmt.span, callee->name)) out.push_back({stmt.span, stmt.text, GridSyncStmt{}});
    return;
  }
  const Value value = evaluate(in, syntax.call);
  if (value.poisoned()) return;
  context_.diagnostics
      .error(kStatement, stmt.span, fmt::format("{} has no effect: nothing takes its value", to_string(*syntax.call)))
      .note("assign it to a name or to a ref: c[...] = …");
}

void BodyTyper::when(const Stmt& stmt, const WhenSyntax& syntax, KernelStmts& out) {
  TypingContext in = names_.guards(&out);
  const TypedPtr condition = condition_of(in, syntax.condition, "when");
  const Constant* constant = condition ? condition->as<Constant>() : nullptr;
  if (constant) {  // the other branch is not checked
    KernelStmts taken = block(std::get<bool>(constant->value) ? syntax.then : syntax.otherwise);
    std::move(taken.begin(), taken.end(), std::back_inserter(out));
    return;
  }
  WhenStmt node{condition, block(syntax.then), block(syntax.otherwise)};
  if (condition) out.push_back({stmt.span, "when: " + to_string(*syntax.condition), std::move(node)});
}

void BodyTyper::store(const Stmt& stmt, const StoreSyntax& syntax, KernelStmts& out) {
  if (!names_.in_reference()) return store_part(names_, stmt, syntax, out);
  const SubscriptExpr* subscript = syntax.target->as<SubscriptExpr>();
  if (!subscript) return;
  const NameExpr* name = subscript->base->as<NameExpr>();
  const bool whole = subscript->items.size() == 1 && subscript->items[0]->as<EllipsisLiteral>();
  if (!name || !whole || syntax.op) {
    context_.diagnostics.error(kReference, stmt.span, "the reference gives each output its whole value: write c = …");
    return;
  }
  assign(stmt, AssignSyntax{{name->name}, {subscript->base->span}, syntax.value}, out);
}

// A scope: scratch that exists only during the statements in it.
void BodyTyper::scope(const Stmt& stmt, const ScopeSyntax& syntax, KernelStmts& out) {
  if (names_.in_reference()) {
    context_.diagnostics.error(kReference, stmt.span, "the reference has no memory to allocate");
    return;
  }
  ScopeStmt node;
  std::vector<std::string> names;
  for (const RefSpec& spec : syntax.refs) {
    if (!names_.may_assign(spec.name, spec.span)) continue;
    if (const Local* local = names_.scope().find(spec.name)) {
      context_.diagnostics
          .error(kNameClash, spec.span, fmt::format("'{}' is the name of a value of the body already", spec.name))
          .note(local->span, "it is assigned here");
      continue;
    }
    const int id = check_scoped_ref(context_, spec);
    context_.names[spec.name] = Name{NameKind::ref, id, spec.span};
    names.push_back(spec.name);
    if (id < 0) continue;
    Ref& ref = context_.kernel.refs[id];
    ref.scoped = true;
    // Refs of two scopes may share a name in the spec, but not in the generated file.
    if (const int before = scoped_names_[spec.name]++; before > 0) ref.name += fmt::format("_{}", before + 1);
    node.refs.push_back(id);
  }
  node.body = block(syntax.body);
  for (const std::string& name : names) context_.names.erase(name);
  out.push_back({stmt.span, "scope", std::move(node)});
}

namespace {

void collect_names(const StmtList& list, std::set<std::string>& names) {
  for (const Stmt& stmt : list) {
    if (const auto* text = std::get_if<StatementSyntax>(&stmt.node)) {
      if (const auto* assign = std::get_if<AssignSyntax>(text))
        names.insert(assign->names.begin(), assign->names.end());
    } else if (const auto* when = std::get_if<WhenSyntax>(&stmt.node)) {
      collect_names(when->then, names);
      collect_names(when->otherwise, names);
    } else if (const auto* loop = std::get_if<ForSyntax>(&stmt.node)) {
      names.insert(loop->variable.name);
      collect_names(loop->body, names);
    } else if (const auto* loop = std::get_if<WhileSyntax>(&stmt.node)) {
      collect_names(loop->body, names);
    } else if (const auto* scope = std::get_if<ScopeSyntax>(&stmt.node)) {
      for (const RefSpec& ref : scope->refs) names.insert(ref.name);
      collect_names(scope->body, names);
    }
  }
}

}  // namespace

void check_body(Context& context) {
  collect_names(context.spec.body, context.body_names);
  context.kernel.body = BodyTyper(context, kBodyPlace).statements(context.spec.body);
}

}  // namespace pallasgen
