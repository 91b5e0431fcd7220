#include "check/typing.h"

#include "body/body.h"
#include "declarations/declarations.h"
#include "expressions/evaluate.h"
#include "expressions/operators.h"

namespace pallasgen {

struct Typing::State {
  State(std::shared_ptr<const Spec> spec_in, Diagnostics& diagnostics)
      : spec(std::move(spec_in)), context{*spec, kernel, diagnostics}, body(context, kBodyPlace) {}

  std::shared_ptr<const Spec> spec;
  Kernel kernel;
  Context context;
  BodyTyper body;

  TypingContext values = body.names().values(nullptr), guards = body.names().guards(nullptr);
};

Typing::Typing(std::shared_ptr<const Spec> spec, Diagnostics& diagnostics, std::shared_ptr<const ExternHeader> externs)
    : state_(std::make_unique<State>(std::move(spec), diagnostics)) {
  state_->kernel.spec = state_->spec;
  state_->kernel.externs = std::move(externs);
  check_declarations(state_->context);
  check_settings(state_->context);
}

Typing::~Typing() = default;

const Kernel& Typing::kernel() const { return state_->kernel; }

int Typing::declare(const std::string& name, DType dtype, const Shape& shape, Span span) {
  Local local;
  local.id = state_->context.locals++;
  local.span = span;
  local.value = {make_typed(span, dtype, shape, LocalUse{local.id, name}), span};
  state_->context.values_of_locals.resize(static_cast<size_t>(state_->context.locals));
  state_->context.values_of_locals.back() = {Poison{}, span};
  const int id = local.id;
  state_->body.names().scope().set(name, std::move(local));
  return id;
}

Symbol Typing::enter_loop(const std::string& name, Span span) {
  const Symbol symbol{SymbolKind::loop, state_->context.loops++, name};
  Local local;
  local.span = span;
  local.counts = true;
  local.value = {make_typed(span, DType::index, {}, symbol), span};
  state_->body.names().scope().push();
  state_->body.names().scope().set(name, std::move(local));
  return symbol;
}

void Typing::leave_loop(const Symbol& variable) { state_->body.names().scope().pop_name(variable.name); }

std::optional<Shape> Typing::shape(const ExprPtr& list) { return shape_of(state_->values, list); }
std::optional<DType> Typing::dtype(const ExprPtr& name) { return dtype_of(state_->values, name); }

TypedPtr Typing::value(const ExprPtr& expr, DType dtype) {
  TypingContext& in = dtype == DType::index ? state_->guards : state_->values;
  const TypedPtr value = value_of(in, expr);
  return value ? coerce(in, value, dtype) : nullptr;
}

TypedPtr Typing::any_value(const ExprPtr& expr) { return value_of(state_->values, expr); }
TypedPtr Typing::index(const ExprPtr& expr) { return index_of(state_->guards, expr, "an index", kOperandDType); }
TypedPtr Typing::bound(const ExprPtr& expr) { return integer_of(state_->guards, expr, "the range of a loop"); }
TypedPtr Typing::condition(const ExprPtr& expr) { return condition_of(state_->guards, expr, "a condition"); }

std::optional<KernelStmt> Typing::effect(const StatementSyntax& syntax, Span span) {
  Stmt stmt;
  stmt.span = span;
  stmt.node = syntax;
  stmt.text = to_string(syntax);
  KernelStmts made = state_->body.statements({stmt});
  if (made.size() != 1) return std::nullopt;
  return std::move(made[0]);
}

}  // namespace pallasgen
