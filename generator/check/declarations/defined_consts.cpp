// Consts with a value from the command line, which replaces the spec's.
#include "declarations/defined_consts.h"

#include <fmt/format.h>

#include <cctype>
#include <set>

namespace pallasgen {

namespace {

enum class ConstKind : uint8_t { number, truth, dtype, function, text };

std::optional<ConstKind> kind_of(const Value& value) {
  if (value.as<DType>()) return ConstKind::dtype;
  if (value.as<FunctionName>()) return ConstKind::function;
  if (value.as<Text>()) return ConstKind::text;
  const TypedPtr* typed = value.as<TypedPtr>();
  if (!typed || !*typed) return std::nullopt;
  return (*typed)->dtype == DType::boolean ? ConstKind::truth : ConstKind::number;
}

// True if a value may replace another: numbers, truth values and dtypes replace their own kind. A text may be replaced
// by anything, and may itself replace a function, as it can mean that there is none.
bool may_replace(ConstKind given, ConstKind had) {
  if (had == ConstKind::text) return true;
  return given == had || (had == ConstKind::function && given == ConstKind::text);
}

std::set<std::string_view> names_in(Span span) {
  const std::string_view text = span.source->text().substr(span.begin, span.end - span.begin);
  const auto in_name = [&](size_t at) { return std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_'; };
  std::set<std::string_view> names;
  for (size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
    for (end = begin; end < text.size() && in_name(end);) ++end;
    names.insert(text.substr(begin, end - begin));
  }
  return names;
}

}  // namespace

bool fits_what_it_replaces(Context& context, const ConstSpec& spec, const Value& given, const Value& had) {
  const std::optional<ConstKind> kind = kind_of(given), before = kind_of(had);
  if (!kind || !before || may_replace(*kind, *before)) return true;
  context.diagnostics
      .error(kConstant, spec.value->span,
             fmt::format("the const '{}' is {} here, and {} in the spec", spec.name, describe(given), describe(had)))
      .note(spec.replaced->span,
            fmt::format("a value like this one is wanted: -D {}={}", spec.name, to_string(*spec.replaced)));
  return false;
}

void note_defines(Context& context) {
  for (Diagnostic& diagnostic : context.diagnostics.given()) {
    if (diagnostic.severity != Severity::error || diagnostic.span.source != context.spec.source) continue;
    const std::set<std::string_view> names = names_in(diagnostic.span);
    for (const ConstSpec& spec : context.spec.consts) {
      if (spec.replaced && spec.value && names.count(spec.name) > 0)
        diagnostic.note(spec.value->span, fmt::format("the command line gives '{}' this value; the spec has {}",
                                                      spec.name, to_string(*spec.replaced)));
    }
  }
}

}  // namespace pallasgen
