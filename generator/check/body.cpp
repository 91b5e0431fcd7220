#include "body.h"

#include <fmt/format.h>

namespace pallasgen {

namespace {

bool untyped(const TypedPtr& value) { return value->dtype == DType::index || value->dtype == DType::literal; }
bool bare_literal(const TypedPtr& value) { return untyped(value) && value->as<Constant>(); }

}  // namespace

Place BodyTyper::guard_place() const {
  Place place = place_;
  place.integers_are_index = true;
  return place;
}

void BodyTyper::not_yet(Span span, const std::string& what) {
  context_.diagnostics.error(kNotYet, span, fmt::format("{} has no meaning yet", what));
}

KernelStmts BodyTyper::statements(const StmtList& list) {
  KernelStmts out;
  for (const Stmt& stmt : list) statement(stmt, out);
  return out;
}

KernelStmts BodyTyper::block(const StmtList& list) {
  scope_.push();
  KernelStmts out = statements(list);
  scope_.pop();
  return out;
}

void BodyTyper::statement(const Stmt& stmt, KernelStmts& out) {
  if (const auto* text = std::get_if<StatementSyntax>(&stmt.node)) {
    if (const auto* syntax = std::get_if<AssignSyntax>(text)) assign(stmt, *syntax, out);
    if (const auto* syntax = std::get_if<StoreSyntax>(text)) store(stmt, *syntax, out);
    if (const auto* syntax = std::get_if<CallSyntax>(text)) call(stmt, *syntax, out);
  } else if (const auto* syntax = std::get_if<WhenSyntax>(&stmt.node)) {
    when(stmt, *syntax, out);
  } else if (const auto* syntax = std::get_if<ForSyntax>(&stmt.node)) {
    loop(stmt, *syntax, out);
  } else if (const auto* syntax = std::get_if<WhileSyntax>(&stmt.node)) {
    while_loop(stmt, *syntax, out);
  } else if (const auto* syntax = std::get_if<PrintSyntax>(&stmt.node)) {
    print(stmt, *syntax, out);
  } else if (const auto* syntax = std::get_if<AssertSyntax>(&stmt.node)) {
    const TypedPtr condition = Typer(context_, guard_place(), &scope_, &out).condition(syntax->condition, "assert");
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

void BodyTyper::poison(const std::string& name, Span span) {
  Local local;
  local.value = {Poison{}, span};
  local.span = span;
  if (Local* known = scope_.find(name)) {
    known->value = local.value;
  } else {
    scope_.set(name, std::move(local));
  }
}

bool BodyTyper::may_assign(const std::string& name, Span span) {
  if (context_.clashes(name)) return false;
  if (is_language_name(name)) {
    context_.clashing.insert(name);
    context_.diagnostics
        .error(kNameClash, span,
               fmt::format("'{}' is {} of the language, and cannot name a value too", name, language_kind(name)))
        .note(fmt::format("call it '{}_' or anything else", name));
    return false;
  }
  const Name* entry = context_.find(name);
  if (!entry) return true;
  if (entry->kind == NameKind::ref) {
    const Ref* ref = context_.kernel.find_ref(name);
    if (in_reference() && ref && ref->role == RefRole::output) return true;
    context_.diagnostics
        .error(kStatement, span, fmt::format("'{}' is {}, not a name of the body", name, kind_text(context_, name)))
        .note(fmt::format("to write into it: {}[...] = …", name));
    return false;
  }
  context_.diagnostics
      .error(kNameClash, span, fmt::format("'{}' is the name of {} already", name, kind_text(context_, name)))
      .note(entry->span, "it is defined here");
  return false;
}

void BodyTyper::assign(const Stmt& stmt, const AssignSyntax& syntax, KernelStmts& out) {
  const CallExpr* call = syntax.value->as<CallExpr>();
  const NameExpr* callee = call ? call->callee->as<NameExpr>() : nullptr;
  if (const auto op = callee ? atomic_named(callee->name) : std::nullopt)
    return atomic_call(stmt, *call, *op, &syntax, out);
  Typer typer(context_, place_, &scope_, &out);
  if (syntax.names.size() != 1) return assign_several(stmt, syntax, typer, out);
  const TypedPtr value = typer.settled(typer.value(syntax.value), fmt::format("'{}'", syntax.names[0]));
  const bool allowed = may_assign(syntax.names[0], syntax.name_spans[0]);
  if (!allowed) return;
  if (!value) return poison(syntax.names[0], syntax.name_spans[0]);
  bind(syntax.names[0], syntax.name_spans[0], value, stmt, out);
}

// `a, b = f(x)`, where the function gives a list of as many values: all are computed before a name is bound.
void BodyTyper::assign_several(const Stmt& stmt, const AssignSyntax& syntax, Typer& typer, KernelStmts& out) {
  const Value value = typer.evaluate(syntax.value);
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
    values.push_back(typer.settled(typer.read((*list)[i]), fmt::format("'{}'", syntax.names[i])));
    // A name that this statement binds may stand in a value after it.
    if (values.back() && list->size() > 1) values.back() = typer.keep(syntax.names[i] + "_next", values.back(), true);
  }
  for (size_t i = 0; i < syntax.names.size(); ++i) {
    if (!may_assign(syntax.names[i], syntax.name_spans[i])) continue;
    if (i >= values.size() || !values[i]) {
      poison(syntax.names[i], syntax.name_spans[i]);
    } else {
      bind(syntax.names[i], syntax.name_spans[i], values[i], stmt, out);
    }
  }
}

void BodyTyper::bind(const std::string& name, Span name_span, TypedPtr value, const Stmt& stmt, KernelStmts& out) {
  if (std::optional<BindStmt> node = bound(name, name_span, std::move(value)))
    out.push_back({stmt.span, stmt.text, std::move(*node)});
}

std::optional<BindStmt> BodyTyper::bound(const std::string& name, Span name_span, TypedPtr value) {
  Diagnostics& diagnostics = context_.diagnostics;
  Typer typer(context_, place_, &scope_, nullptr);
  const auto give_up = [&] {
    poison(name, name_span);
    return std::nullopt;
  };
  Local* known = scope_.find(name);
  if (known && known->value.poisoned()) return std::nullopt;
  const TypedPtr* before = known ? known->value.as<TypedPtr>() : nullptr;
  if (known && known->counts) {
    diagnostics.error(kRebind, name_span, fmt::format("'{}' counts a loop and cannot be assigned", name))
        .note(known->span, "the loop is here");
    return std::nullopt;
  }
  const bool outer = known && known->depth < scope_.depth();
  if (known && known->id < 0 && outer) {
    diagnostics
        .error(kRebind, name_span,
               fmt::format("'{}' is a literal without a dtype, and is assigned again inside a block statement", name))
        .note(known->span, fmt::format("give it a dtype here, as in {} = f32({})", name, to_string(*before)));
    return give_up();
  }
  if (known && known->id >= 0) {
    value = typer.coerce(value, (*before)->dtype);
    if (!value) return std::nullopt;
    if (value->dtype != (*before)->dtype || value->shape != (*before)->shape) {
      diagnostics
          .error(kRebind, name_span,
                 fmt::format("'{}' is {} and becomes {}: a name keeps its dtype and shape", name, describe(*before),
                             describe(value)))
          .note(known->span, "it is first assigned here");
      return std::nullopt;
    }
    context_.values_of_locals[known->id] = {Poison{}, name_span};
    return BindStmt{known->id, name, value, true};
  }
  Local local;
  local.span = name_span;
  if (bare_literal(value) && !in_reference()) {
    local.value = {value, name_span};
    scope_.set(name, std::move(local));
    return std::nullopt;
  }
  if (in_reference() && bare_literal(value)) {
    const Ref* ref = context_.kernel.find_ref(name);
    if (ref) value = typer.coerce(value, ref->dtype);
    if (!value) return give_up();
  }
  const auto kept = kept_.find(name);
  if (kept != kept_.end() && !known && (kept->second.dtype != value->dtype || kept->second.shape != value->shape)) {
    diagnostics
        .error(kRebind, name_span,
               fmt::format("'{}' is {} here and {} elsewhere: a name keeps its dtype and shape for the whole body",
                           name, describe(value), describe(kept->second.dtype, kept->second.shape)))
        .note(kept->second.span, "elsewhere is here");
    return give_up();
  }
  kept_.emplace(name, Kept{value->dtype, value->shape, name_span});
  local.id = context_.locals++;
  local.value = {make_typed(name_span, value->dtype, value->shape, LocalUse{local.id, name}), name_span};
  context_.values_of_locals.resize(context_.locals);
  context_.values_of_locals[local.id] = {value, name_span};
  const int id = local.id;
  scope_.set(name, std::move(local));
  return BindStmt{id, name, value, false};
}

bool BodyTyper::bind_output(const Named& output, const ExprPtr& value, KernelStmts& out) {
  Stmt stmt;
  stmt.span = value->span;
  stmt.text = output.name + " = " + to_string(*value);
  const int errors = context_.diagnostics.errors();
  assign(stmt, AssignSyntax{{output.name}, {output.span}, value}, out);
  return context_.diagnostics.errors() == errors;
}

int BodyTyper::local_of(const std::string& name) {
  const Local* local = scope_.find(name);
  if (!local) return -1;
  return local->value.poisoned() ? -2 : local->id;
}

void BodyTyper::call(const Stmt& stmt, const CallSyntax& syntax, KernelStmts& out) {
  const CallExpr* call = syntax.call->as<CallExpr>();
  const NameExpr* callee = call ? call->callee->as<NameExpr>() : nullptr;
  if (callee && callee->name == "store") return store_call(stmt, *call, out);
  if (const auto op = callee ? atomic_named(callee->name) : std::nullopt)
    return atomic_call(stmt, *call, *op, nullptr, out);
  if (callee && callee->name == "grid_sync") {
    const std::vector<std::string_view> none;
    if (Typer(context_, place_, &scope_, nullptr).bind(*call, stmt.span, "grid_sync", none, 0))
      out.push_back({stmt.span, stmt.text, GridSyncStmt{}});
    return;
  }
  const Value value = Typer(context_, place_, &scope_, nullptr).evaluate(syntax.call);
  if (value.poisoned()) return;
  context_.diagnostics
      .error(kStatement, stmt.span, fmt::format("{} has no effect: nothing takes its value", to_string(*syntax.call)))
      .note("assign it to a name or to a ref: c[...] = …");
}

void BodyTyper::when(const Stmt& stmt, const WhenSyntax& syntax, KernelStmts& out) {
  const TypedPtr condition = Typer(context_, guard_place(), &scope_, &out).condition(syntax.condition, "when");
  const Constant* constant = condition ? condition->as<Constant>() : nullptr;
  if (constant) {  // the other branch is not checked
    KernelStmts taken = block(std::get<bool>(constant->value) ? syntax.then : syntax.otherwise);
    std::move(taken.begin(), taken.end(), std::back_inserter(out));
    return;
  }
  WhenStmt node{condition, block(syntax.then), block(syntax.otherwise)};
  if (condition) out.push_back({stmt.span, "when: " + to_string(*syntax.condition), std::move(node)});
}

namespace {

// The texts around the places `{}` of a format; `{{` and `}}` are braces.
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

}  // namespace

void BodyTyper::print(const Stmt& stmt, const PrintSyntax& syntax, KernelStmts& out) {
  PrintStmt node{print_texts(syntax.format), {}};
  Typer typer(context_, place_, &scope_, &out);
  bool good = true;
  for (const ExprPtr& arg : syntax.args) {
    node.args.push_back(typer.value(arg));
    good = good && node.args.back();
  }
  const size_t places = node.texts.size() - 1;
  if (places != syntax.args.size()) {
    context_.diagnostics.error(kArguments, stmt.span,
                               fmt::format("print has {} places {{}} for {} argument{}", places, syntax.args.size(),
                                           syntax.args.size() == 1 ? "" : "s"));
    good = false;
  }
  if (good) out.push_back({stmt.span, "print: " + syntax.format, std::move(node)});
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
