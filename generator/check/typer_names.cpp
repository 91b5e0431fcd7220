#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "typer.h"

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

}  // namespace

Value Typer::name(const NameExpr& node, Span span) {
  const std::string& text = node.name;
  if (scope_) {
    if (const Local* local = scope_->find(text)) {
      Value out = local->value;
      out.span = span;
      if (const TypedPtr* typed = out.as<TypedPtr>(); typed && *typed) {
        out.node = make_typed(span, (*typed)->dtype, (*typed)->shape, (*typed)->node);
      }
      return out;
    }
  }
  if (context_.clashes(text)) return {Poison{}, span};
  for (const NamedNumber& number : kNumbers) {
    if (number.name == text) {
      const bool shown = !std::isinf(number.value) && !std::isnan(number.value);
      return make(span, make_typed(span, DType::literal, {}, Constant{number.value, shown ? text : ""}));
    }
  }
  if (text == "num_sms" && !context_.find(text)) return make(span, num_sms(span));
  if (const Name* entry = context_.find(text)) return named(*entry, text, span);
  if (const std::optional<DType> found = dtype_named(text)) return {*found, span};
  if (const FunctionSpec* function = library_function(text)) return {FunctionName{function, true, {}, text}, span};
  if (const std::optional<Op> op = operation_named(text)) {
    if (operation(*op).group == OpGroup::elementwise) return {FunctionName{nullptr, false, *op, text}, span};
    return make(span, fail(kNameKind, span, fmt::format("'{}' is an operation: it needs its arguments", text)));
  }
  if (is_later_operation(text)) {
    return make(span, fail(kNotYet, span, fmt::format("'{}' has no meaning yet", text)));
  }
  if (is_language_name(text)) {
    return make(span, fail(kNameKind, span, fmt::format("'{}' has no value of its own", text)));
  }
  unknown_name(text, span);
  return {Poison{}, span};
}

Value Typer::named(const Name& entry, const std::string& text, Span span) {
  const auto misplaced = [&](std::string_view what) {
    Diagnostic& out = error(kNameKind, span, fmt::format("'{}' is {}, which {} cannot use", text, what, place_.what));
    if (!place_.allowed.empty()) out.note(fmt::format("{} is made of {}", place_.what, place_.allowed));
    out.note(entry.span, fmt::format("'{}' is defined here", text));
    return Value{Poison{}, span};
  };
  switch (entry.kind) {
    case NameKind::constant: {
      const auto found = context_.consts.find(text);
      if (found == context_.consts.end()) {
        error(kUnknownName, span, fmt::format("the const '{}' is defined further down", text))
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
      if (!place_.dims) return misplaced("a dim");
      if (context_.extents) {
        const auto extent = context_.extents->find(text);
        if (extent != context_.extents->end()) {
          return make(span, make_typed(span, DType::index, {}, Constant{extent->second, text}));
        }
      }
      return make(span, symbol(span, SymbolKind::dim, entry.id, text));
    }
    case NameKind::scalar: {
      if (!place_.scalars) return misplaced("a scalar");
      if (entry.id < 0) return {Poison{}, span};
      const KernelScalar& scalar = context_.kernel.scalars[entry.id];
      if (scalar.shape) return {ScalarArrayName{entry.id}, span};
      const bool as_index = place_.integers_are_index && info(scalar.dtype).is_integer;
      return make(span, symbol(span, SymbolKind::scalar, entry.id, text, as_index ? DType::index : scalar.dtype));
    }
    case NameKind::axis:
      if (place_.axes == 0) return misplaced("an axis");
      if (entry.id >= place_.axes) {
        error(kNameKind, span, fmt::format("the axis '{}' is not known yet here", text))
            .note(entry.span, "the size of an axis may use only sequential axes' sizes of the axes before it");
        return {Poison{}, span};
      }
      return make(span, symbol(span, SymbolKind::axis, entry.id, text));
    case NameKind::let:
      if (!place_.lets) return misplaced("a let");
      if (entry.id < 0) return {Poison{}, span};
      return make(span, make_typed(span, context_.kernel.lets[entry.id].value->dtype, {},
                                   Symbol{SymbolKind::let, entry.id, text}));
    case NameKind::ref:
      if (!place_.refs) return misplaced(kind_text(context_, text));
      if (entry.id == -2) return {Poison{}, span};
      if (entry.id == -1) {
        error(kNameKind, span, fmt::format("'{}' is not present: its `present` is false here", text))
            .note(entry.span, "use it only where the same constant condition holds");
        return {Poison{}, span};
      }
      return {RefName{entry.id}, span};
    case NameKind::function: {
      const FunctionSpec& function = context_.spec.functions[entry.id];
      if (contains(context_.recursive, &function)) return {Poison{}, span};
      return {FunctionName{&function, false, {}, text}, span};
    }
  }
  return {Poison{}, span};
}

void Typer::unknown_name(const std::string& name, Span span) {
  Diagnostic& out = error(kUnknownName, span, fmt::format("'{}' is not defined", name));
  if (scope_) {
    if (const Span* gone = scope_->gone(name)) {
      out.note(*gone, "a name that is first assigned inside a block statement ends with it; assign it before");
      return;
    }
  }
  std::vector<std::string> candidates = scope_ ? scope_->names() : std::vector<std::string>{};
  for (const auto& [known, entry] : context_.names) candidates.push_back(known);
  for (const std::string& known : language_names()) candidates.push_back(known);
  const std::string dtype = dtype_called(name), near = dtype.empty() ? nearest(name, candidates) : dtype;
  if (!near.empty()) out.note(fmt::format("did you mean '{}'?", near));
}

Value Typer::conditional(const ConditionalExpr& node, Span span) {
  const TypedPtr test = condition(node.condition, "the condition");
  if (!test) return {Poison{}, span};
  if (const Constant* constant = test->as<Constant>()) {  // the other branch is not checked
    return evaluate(std::get<bool>(constant->value) ? node.then : node.otherwise);
  }
  const TypedPtr then = value(node.then), otherwise = value(node.otherwise);
  if (!then || !otherwise) return {Poison{}, span};
  return make(span, operate(span, Op::where, {test, then, otherwise}));
}

std::optional<bool> Typer::compare_names(const Value& a, const Value& b, CompareOp op) {
  if (op != CompareOp::equal && op != CompareOp::not_equal) return std::nullopt;
  const DType *x = a.as<DType>(), *y = b.as<DType>();
  if (x && y) return (*x == *y) == (op == CompareOp::equal);
  const auto text = [](const Value& value) -> std::optional<std::string> {
    if (const Text* text = value.as<Text>()) return text->value;
    if (const FunctionName* function = value.as<FunctionName>()) return function->name;
    return std::nullopt;
  };
  const std::optional<std::string> left = text(a), right = text(b);
  if (left && right) return (*left == *right) == (op == CompareOp::equal);
  return std::nullopt;
}

Value Typer::compare(const CompareExpr& node, Span span) {
  static constexpr Op kOps[] = {Op::less, Op::less_equal, Op::greater, Op::greater_equal, Op::equal, Op::not_equal};
  std::vector<Value> operands;
  for (const ExprPtr& operand : node.operands) operands.push_back(evaluate(operand));
  TypedPtr all;
  for (size_t i = 0; i < node.ops.size(); ++i) {
    if (operands[i].poisoned() || operands[i + 1].poisoned()) return {Poison{}, span};
    TypedPtr one;
    if (const std::optional<bool> truth = compare_names(operands[i], operands[i + 1], node.ops[i])) {
      one = make_typed(span, DType::boolean, {}, Constant{*truth, {}});
    } else {
      const TypedPtr left = read(operands[i]), right = read(operands[i + 1]);
      if (!left || !right) return {Poison{}, span};
      const Span place = join(node.operands[i]->span, node.operands[i + 1]->span);
      one = operate(place, kOps[static_cast<size_t>(node.ops[i])], {left, right});
    }
    if (!one) return {Poison{}, span};
    all = all ? operate(span, Op::logical_and, {all, one}) : one;
    if (!all) return {Poison{}, span};
  }
  return make(span, all);
}

Value Typer::attribute(const AttributeExpr& node, Span span) {
  if (node.name == "T") {
    const TypedPtr base = value(node.base);
    return make(span, base ? transpose(base, nullptr, span) : nullptr);
  }
  if (node.name == "at") {
    return make(span, fail(kArguments, node.name_span, "'.at' needs an index: write .at[0:4]"));
  }
  if (node.name == "astype") {
    return make(span, fail(kArguments, node.name_span, "'.astype' needs a dtype: write .astype(f32)"));
  }
  Diagnostic& out = error(kUnknownName, node.name_span, fmt::format("nothing has an attribute '{}'", node.name));
  const std::string near = nearest(node.name, {"T", "at", "astype"});
  if (!near.empty()) {
    out.note(fmt::format("did you mean '.{}'?", near));
  } else if (operation_named(node.name)) {
    out.note(fmt::format("it is an operation: write {}(x)", node.name));
  }
  return {Poison{}, span};
}

}  // namespace pallasgen
