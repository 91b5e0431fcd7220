#include "expressions/typing_context.h"

#include <algorithm>

namespace pallasgen {

Diagnostic& TypingContext::error(const Rule& rule, Span span, std::string message) {
  Diagnostic& out = diagnostics->error(rule, span, std::move(message));
  for (auto call = calls.rbegin(); call != calls.rend(); ++call) out.note(call->span, call->message);
  return out;
}

TypedPtr TypingContext::fail(const Rule& rule, Span span, std::string message) {
  error(rule, span, std::move(message));
  return nullptr;
}

TypedPtr keep(TypingContext& in, const std::string& name, const TypedPtr& value, bool copies) {
  if (!value || !in.prelude || value->as<Constant>() || value->as<Symbol>()) return value;
  if (value->as<LocalUse>() && !copies) return value;
  const int id = in.context.locals++;
  std::string own = name;
  // The name must differ from those that this statement keeps, which live as long.
  const auto is_kept = [&](const std::string& wanted) {
    return std::any_of(in.prelude->begin(), in.prelude->end(), [&](const KernelStmt& kept) {
      const auto* bind = std::get_if<BindStmt>(&kept.node);
      return bind && bind->name == wanted;
    });
  };
  for (int number = 2; in.context.find(own) || in.context.body_names.count(own) > 0 || is_kept(own); ++number)
    own = name + "_" + std::to_string(number);
  in.context.values_of_locals.resize(in.context.locals);
  in.context.values_of_locals[id] = {value, value->span};
  in.prelude->push_back({value->span, own + " = " + to_string(value), BindStmt{id, own, value, false}});
  return make_typed(value->span, value->dtype, value->shape, LocalUse{id, own});
}

}  // namespace pallasgen
