#include "body/body_names.h"

#include <fmt/format.h>

#include "expressions/operators.h"
#include "names/language.h"
#include "names/names.h"

namespace pallasgen {

namespace {

bool untyped(const TypedPtr& value) { return value->dtype == DType::index || value->dtype == DType::literal; }
bool bare_literal(const TypedPtr& value) { return untyped(value) && value->as<Constant>(); }

}  // namespace

void BodyNames::poison(const std::string& name, Span span) {
  Local local;
  local.value = {Poison{}, span};
  local.span = span;
  if (Local* known = scope_.find(name)) {
    known->value = local.value;
  } else {
    scope_.set(name, std::move(local));
  }
}

bool BodyNames::may_assign(const std::string& name, Span span) {
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
        .note(ref && ref->role == RefRole::input ? fmt::format("call the value '{}_' or anything else", name)
                                                 : fmt::format("to write into it: {}[...] = …", name));
    return false;
  }
  context_.diagnostics
      .error(kNameClash, span, fmt::format("'{}' is the name of {} already", name, kind_text(context_, name)))
      .note(entry->span, "it is defined here");
  return false;
}

std::optional<BindStmt> BodyNames::bind(const std::string& name, Span name_span, TypedPtr value) {
  Diagnostics& diagnostics = context_.diagnostics;
  TypingContext in = values(nullptr);
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
    value = coerce(in, value, (*before)->dtype);
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
    if (ref) value = coerce(in, value, ref->dtype);
    if (!value) return give_up();
  }
  const auto kept = kept_.find(name);
  if (kept != kept_.end() && !known && (kept->second.dtype != value->dtype || kept->second.shape != value->shape)) {
    Diagnostic& out = diagnostics.error(
        kRebind, name_span,
        fmt::format("'{}' is {} here and {} elsewhere: a name keeps its dtype and shape for the whole body", name,
                    describe(value), describe(kept->second.dtype, kept->second.shape)));
    if (kept->second.span.begin == name_span.begin)
      out.note("it is both in turns of a loop that is written out: take the value where it is used, without a name");
    else
      out.note(kept->second.span, "elsewhere is here");
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

int BodyNames::local_of(const std::string& name) {
  const Local* local = scope_.find(name);
  if (!local) return -1;
  return local->value.poisoned() ? -2 : local->id;
}

}  // namespace pallasgen
