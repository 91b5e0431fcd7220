#include <fmt/format.h>

#include "expression/derivative.h"
#include "typer.h"

namespace pallasgen {

namespace {

// Names, numbers and operations of a function with its calls written out and its derivatives taken. Generated code has
// it as one expression, which compilers and readers must bear.
constexpr int64_t kMostTerms = 4000;

}  // namespace

// grad(f), grad(f, argnum): the function that gives f's derivative by its first parameter, or by another.
Value Typer::grad_call(const CallExpr& node, Span span) {
  const std::optional<Bound> args = bind(node, span, "grad", {"f", "argnum"}, 1);
  if (!args) return {Poison{}, span};
  const Value target = evaluate((*args)[0]);
  if (target.poisoned()) return {Poison{}, span};
  const FunctionName* function = target.as<FunctionName>();
  if (!function) {
    error(kNameKind, (*args)[0]->span, fmt::format("grad needs a function, not {}", describe(target)))
        .note("write grad(f)(x)");
    return {Poison{}, span};
  }
  FunctionName out = *function;
  const int count =
      out.definition ? static_cast<int>(out.definition->parameters.size()) : operation(*out.operation).max_args;
  int64_t parameter = 0;
  if ((*args)[1]) {
    const std::optional<int64_t> given = constant_integer((*args)[1], "'argnum'");
    if (!given) return {Poison{}, span};
    parameter = *given;
  }
  if (parameter < 0 || parameter >= count) {
    return make(span, fail(kArguments, span,
                           fmt::format("'argnum' is {}, and {} has {} parameter{}", parameter, out.name, count,
                                       count == 1 ? "" : "s")));
  }
  out.gradients.push_back(static_cast<int>(parameter));
  out.name = "grad_" + out.name + (parameter > 0 ? fmt::format("_{}", parameter) : "");
  return {out, span};
}

Value Typer::call_gradient(const FunctionName& function, const std::vector<Value>& args, Span span) {
  const Value poison{Poison{}, span};
  std::vector<TypedPtr> operands;
  std::string key = fmt::format("{}|{}", static_cast<const void*>(function.definition), function.name);
  std::vector<Value> typed_args = args;
  DType common = DType::f32;
  for (const Value& arg : args) {
    const TypedPtr* typed = arg.as<TypedPtr>();
    if (typed && info((*typed)->dtype).is_float && (*typed)->dtype != DType::literal) common = (*typed)->dtype;
  }
  for (Value& arg : typed_args) {
    if (const TypedPtr* typed = arg.as<TypedPtr>()) {
      const TypedPtr value = coerce(*typed, common);
      if (!value) return poison;
      key += fmt::format("|{}", name_of(value->dtype));
      operands.push_back(value);
      arg.node = value;
    } else if (const FunctionName* given = arg.as<FunctionName>()) {
      key += "|" + given->name;
    } else {
      return make(span, fail(kOperandDType, arg.span, fmt::format("{} of {}", function.name, describe(arg))));
    }
  }
  Shape shape;
  if (!broadcast(span, function.name, operands, shape)) return poison;
  const auto known = context_.specializations.find(key);
  if (known == context_.specializations.end()) {
    FunctionName plain = function;
    plain.gradients.clear();
    const int errors = diagnostics_->errors();
    Function out = scalar_function(plain, typed_args, span, *diagnostics_);
    if (!out.body || diagnostics_->errors() != errors) return poison;
    if (!is_elementwise(out.body) || !info(out.body->dtype).is_float) {
      error(kOperandDType, span,
            fmt::format("{} is no derivative: the function gives {} by {}", function.name, describe(out.body),
                        to_string(out.body)))
          .note("grad takes functions made of elementwise operations, from floats to a float");
      return poison;
    }
    const auto body_of = [this](int id) { return context_.kernel.functions[id].body; };
    const auto too_large = [&](const std::string& what, size_t fit) {
      error(kFunctionSize, span,
            fmt::format("{}: {} has more than {} names, numbers and operations", function.name, what, kMostTerms))
          .note(fit == 0
                    ? "write it in `functions` as a shorter formula"
                    : fmt::format("{} derivative{} fit: write derivative {} in `functions` as a shorter formula, and "
                                  "take grad of that",
                                  fit, fit == 1 ? "" : "s", fit));
      return poison;
    };
    out.body = inline_calls(out.body, body_of, kMostTerms);
    if (!out.body) return too_large("the function with its calls written out", 0);
    size_t taken = 0;
    for (int parameter : function.gradients) {
      std::string refusal;
      if (!info(out.parameters[parameter].second).is_float) {
        return make(span,
                    fail(kOperandDType, span,
                         fmt::format("{}: '{}' is {}, and a derivative is by a float", function.name,
                                     out.parameters[parameter].first, name_of(out.parameters[parameter].second))));
      }
      out.body = derivative(out.body, parameter, refusal);
      if (!out.body)
        return make(span, fail(kOperandDType, span, fmt::format("{}: '{}' has no derivative", function.name, refusal)));
      ++taken;
      if (is_larger(out.body, kMostTerms)) {
        return too_large(fmt::format("derivative {} of {} as one formula", taken, function.gradients.size()),
                         taken - 1);
      }
    }
    out.name = unique_function_name(context_.kernel, function.name, operands);
    out.text = fmt::format("{} = {}", out.name, to_string(out.body));
    context_.specializations[key] = {static_cast<int>(context_.kernel.functions.size()), out.body->dtype};
    context_.kernel.functions.push_back(std::move(out));
  }
  const Specialization special = context_.specializations.at(key);
  const std::string& name = context_.kernel.functions[special.function].name;
  return make(span, make_typed(span, special.dtype, std::move(shape),
                               CallFunction{special.function, std::move(operands), name}));
}

}  // namespace pallasgen
