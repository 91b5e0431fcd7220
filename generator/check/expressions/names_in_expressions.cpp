#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <span>

#include "expressions/evaluate.h"
#include "names/language.h"
#include "names/names.h"

namespace pallasgen {

namespace {

struct NamedNumber {
  std::string_view name;
  double value;
};
constexpr NamedNumber kNumbers[] = {{"inf", std::numeric_limits<double>::infinity()},
                                    {"nan", std::numeric_limits<double>::quiet_NaN()},
                                    {"pi", std::numbers::pi},
                                    {"log2e", std::numbers::log2e},
                                    {"ln2", std::numbers::ln2}};

bool contains(const std::vector<const FunctionSpec*>& list, const FunctionSpec* item) {
  for (const FunctionSpec* entry : list) {
    if (entry == item) return true;
  }
  return false;
}

TypedPtr symbol(Span span, SymbolKind kind, int id, const std::string& name, DType dtype = DType::index) {
  return make_typed(span, dtype, {}, Symbol{kind, id, name});
}

TypedPtr num_sms(TypingContext& in, Span span) {
  if (!in.place.dims || in.context.extents) {
    return in.fail(kNameKind, span, "'num_sms' is known only at launch, and {} cannot use it", in.place.what);
  }
  in.context.kernel.counts_sms = true;
  return make_typed(span, DType::index, {}, Symbol{SymbolKind::num_sms, 0, "num_sms"});
}

// Advice on a name that its place cannot use; empty if none is known.
std::string remedy_for_misplaced(const TypingContext& in, const Name& entry, const std::string& text) {
  if (entry.kind == NameKind::dim)
    return fmt::format("a size that is known before the launch is a const, and no dim: consts: {{{}: 128}}", text);
  if (entry.kind != NameKind::ref || !in.place.lets) return "";
  for (const RefSpec& ref : in.context.spec.refs) {
    if (ref.name != text || ref.role != RefRole::input || !ref.type.dtype) continue;
    const std::optional<DType> dtype = dtype_named(to_string(*ref.type.dtype));
    if (!dtype || !info(*dtype).is_integer) continue;
    std::vector<std::string> dims;
    for (const ExprPtr& dim : ref.type.dims) dims.push_back(to_string(*dim));
    return fmt::format("an array whose elements it reads is one of scalars, not an input: scalars: {{{}: \"{}[{}]\"}}",
                       text, to_string(*ref.type.dtype), fmt::join(dims, ", "));
  }
  return "";
}

Value named(TypingContext& in, const Name& entry, const std::string& text, Span span) {
  const auto misplaced = [&](std::string_view what) {
    Diagnostic& out = in.error(kNameKind, span, "'{}' is {}, which {} cannot use", text, what, in.place.what);
    if (!in.place.allowed.empty()) out.note(fmt::format("{} is made of {}", in.place.what, in.place.allowed));
    const std::string remedy = remedy_for_misplaced(in, entry, text);
    if (!remedy.empty()) out.note(remedy);
    out.note(entry.span, fmt::format("'{}' is defined here", text));
    return Value{Poison{}, span};
  };
  switch (entry.kind) {
    case NameKind::constant: {
      const auto found = in.context.consts.find(text);
      if (found == in.context.consts.end()) {
        in.error(kUnknownName, span, "the const '{}' is defined further down", text)
            .note(entry.span, "a const may use only those before it");
        return {Poison{}, span};
      }
      Value out = found->second;
      out.span = span;
      if (const TypedPtr* typed = out.as<TypedPtr>(); typed && *typed) {
        Constant constant = *(*typed)->as<Constant>();
        constant.name = text;
        out.node = make_typed(span, (*typed)->dtype, {}, std::move(constant));
      }
      return out;
    }
    case NameKind::dim: {
      if (!in.place.dims) return misplaced("a dim");
      if (in.context.extents) {
        const auto extent = in.context.extents->find(text);
        if (extent != in.context.extents->end()) {
          return {make_typed(span, DType::index, {}, Constant{extent->second, text}), span};
        }
      }
      return {symbol(span, SymbolKind::dim, entry.id, text), span};
    }
    case NameKind::scalar: {
      if (!in.place.scalars) return misplaced("a scalar");
      if (entry.id < 0) return {Poison{}, span};
      const KernelScalar& scalar = in.context.kernel.scalars[entry.id];
      if (scalar.shape) return {ScalarArrayName{entry.id}, span};
      const bool as_index = in.place.integers_are_index && info(scalar.dtype).is_integer;
      return {symbol(span, SymbolKind::scalar, entry.id, text, as_index ? DType::index : scalar.dtype), span};
    }
    case NameKind::axis:
      if (in.place.axes == 0) return misplaced("an axis");
      if (entry.id >= in.place.axes) {
        in.error(kNameKind, span, "the axis '{}' is not known yet here", text)
            .note(entry.span, "the size of an axis may use only sequential axes' sizes of the axes before it");
        return {Poison{}, span};
      }
      return {symbol(span, SymbolKind::axis, entry.id, text), span};
    case NameKind::let:
      if (!in.place.lets) return misplaced("a let");
      if (entry.id < 0) return {Poison{}, span};
      return {
          make_typed(span, in.context.kernel.lets[entry.id].value->dtype, {}, Symbol{SymbolKind::let, entry.id, text}),
          span};
    case NameKind::ref:
      if (!in.place.refs) return misplaced(kind_text(in.context, text));
      if (entry.id == -2) return {Poison{}, span};
      if (entry.id == -1) {
        in.error(kNameKind, span, "'{}' is not present: its `present` is false here", text)
            .note(entry.span, "use it only where the same constant condition holds");
        return {Poison{}, span};
      }
      return {RefName{entry.id}, span};
    case NameKind::function: {
      const FunctionSpec& function = in.context.spec.functions[entry.id];
      if (contains(in.context.recursive, &function)) return {Poison{}, span};
      return {FunctionName{&function, false, {}, text}, span};
    }
    case NameKind::external:
      if (in.context.wrong_externs.count(text) > 0) return {Poison{}, span};
      return {FunctionName{nullptr, false, {}, text, {}, text}, span};
  }
  return {Poison{}, span};
}

bool may_stand(const Place& place, NameKind kind) {
  switch (kind) {
    case NameKind::dim:
      return place.dims;
    case NameKind::scalar:
      return place.scalars;
    case NameKind::axis:
      return place.axes > 0;
    case NameKind::let:
      return place.lets;
    case NameKind::ref:
      return place.refs;
    default:
      return true;
  }
}

// Advice on an unknown name: how to declare it, or which names there are.
std::string remedy_for_place(const TypingContext& in, const std::string& name) {
  if (in.place.dims && in.place.axes == 0 && !in.place.refs)
    return fmt::format("a size that the launch gives is declared: dims: {{{}: {{}}}}", name);
  if (in.place.refs && in.scope) {
    std::vector<std::string> known;
    for (const Ref& ref : in.context.kernel.refs) known.push_back(ref.name);
    for (const std::string& local : in.scope->names()) known.push_back(local);
    return known.empty() ? ""
                         : fmt::format("known here are {}; a statement in front of this one sets it: {} = …",
                                       fmt::join(known, ", "), name);
  }
  if (in.place.axes == 0 || in.place.refs || in.context.kernel.axes.empty()) return "";
  std::vector<std::string> axes;
  for (const AxisSpec& axis : in.context.spec.grid) axes.push_back(axis.name);
  return fmt::format("the axes of the grid are {}", fmt::join(axes, ", "));
}

// Advice on a call of an unknown function: how to write one with as many parameters.
std::string remedy_for_call(const std::string& name, const CallExpr& call) {
  static constexpr std::string_view kParameters[] = {"x", "y", "z", "u", "v", "w"};
  const std::span<const std::string_view> parameters(kParameters, std::min(call.args.size(), std::size(kParameters)));
  return fmt::format(
      "`pallasgen list --ops` prints the operations; one of your own is a function: functions: "
      "{{\"{}({})\": …}}",
      name, fmt::join(parameters, ", "));
}

// Names that may be meant: functions for a call, else values.
std::vector<std::string> candidates_for(const TypingContext& in, const CallExpr* call) {
  std::vector<std::string> out;
  for (const std::string& known : in.scope ? in.scope->names() : std::vector<std::string>{})
    if (!call || in.scope->find(known)->value.as<FunctionName>()) out.push_back(known);
  for (const auto& [known, entry] : in.context.names) {
    const bool function = entry.kind == NameKind::function || entry.kind == NameKind::external;
    const auto constant = in.context.consts.find(known);
    const bool names_function = constant != in.context.consts.end() && constant->second.as<FunctionName>();
    if (call ? function || names_function : may_stand(in.place, entry.kind)) out.push_back(known);
  }
  const std::vector<std::string>& words = call ? names_of_calls() : names_of_values();
  // Functions are no values where only integers can be written, as in a size or a setting.
  const bool functions = call || in.place.refs;
  for (const std::string& word : words)
    if (functions || !operation_named(word)) out.push_back(word);
  return out;
}

void report_unknown(TypingContext& in, const std::string& name, Span span, const CallExpr* call) {
  Diagnostic& out = in.error(kUnknownName, span, "'{}' is not defined", name);
  if (in.scope) {
    if (const Span* gone = in.scope->ended_name(name)) {
      out.note(*gone, "a name that is first assigned inside a block statement ends with it; assign it before");
      return;
    }
  }
  // An unknown name that is not called is more likely misspelled than foreign.
  const std::string instead = remedy_for_foreign(name);
  if (call && !instead.empty()) {
    out.note(instead);
    return;
  }
  const std::string block = name.ends_with("_ref") ? name.substr(0, name.size() - 4) : "";  // x_ref in Pallas
  const std::string dtype = dtype_called(name), called = dtype.empty() ? operation_called(name) : dtype;
  const std::string near = !called.empty()                           ? called
                           : in.place.refs && in.context.find(block) ? block
                                                                     : nearest(name, candidates_for(in, call));
  const std::string remedy = !near.empty()      ? fmt::format("did you mean '{}'?", near)
                             : call             ? remedy_for_call(name, *call)
                             : !instead.empty() ? instead
                                                : remedy_for_place(in, name);
  if (!remedy.empty()) out.note(remedy);
}

}  // namespace

Value name_value(TypingContext& in, const std::string& text, Span span, const CallExpr* call) {
  if (in.scope) {
    if (const Local* local = in.scope->find(text)) {
      Value out = local->value;
      out.span = span;
      if (const TypedPtr* typed = out.as<TypedPtr>(); typed && *typed) {
        out.node = make_typed(span, (*typed)->dtype, (*typed)->shape, (*typed)->node);
      }
      return out;
    }
  }
  if (in.context.clashes(text)) return {Poison{}, span};
  for (const NamedNumber& number : kNumbers) {
    if (number.name == text) {
      const bool shown = !std::isinf(number.value) && !std::isnan(number.value);
      return {make_typed(span, DType::literal, {}, Constant{number.value, shown ? text : ""}), span};
    }
  }
  if (text == "num_sms" && !in.context.find(text)) return {num_sms(in, span), span};
  if (const Name* entry = in.context.find(text)) return named(in, *entry, text, span);
  if (const std::optional<DType> found = dtype_named(text)) return {*found, span};
  if (const FunctionSpec* function = library_function(text)) return {FunctionName{function, true, {}, text}, span};
  if (const std::optional<Op> op = operation_named(text)) {
    if (operation(*op).group == OpGroup::elementwise) return {FunctionName{nullptr, false, *op, text}, span};
    return {in.fail(kNameKind, span, "'{}' is an operation: it needs its arguments", text), span};
  }
  if (is_later_operation(text)) {
    return {in.fail(kNotYet, span, "'{}' has no meaning yet", text), span};
  }
  if (is_language_name(text)) {
    return {in.fail(kNameKind, span, "'{}' has no value of its own", text), span};
  }
  report_unknown(in, text, span, call);
  return {Poison{}, span};
}

}  // namespace pallasgen
