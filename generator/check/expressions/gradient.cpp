#include <fmt/format.h>

#include "expression/derivative.h"
#include "expressions/calls.h"
#include "expressions/evaluate.h"
#include "expressions/functions.h"
#include "expressions/operators.h"

namespace pallasgen {

namespace {

// The most names, numbers and operations of a function with its calls written out and its derivatives taken: generated
// code has it as one expression, which compilers and readers must cope with.
constexpr int64_t kMostTerms = 4000;

}  // namespace

Value grad_call(TypingContext& in, const CallExpr& node, Span span) {
  const std::optional<Bound> args = bind_arguments(in, node, span, "grad");
  if (!args) return {Poison{}, span};
  const NameExpr* named = (*args)[0]->as<NameExpr>();
  if (named && is_operation_of_blocks(in, named->name)) {
    in.error(kNameKind, (*args)[0]->span, "grad is of functions of single elements, and '{}' is an operation of blocks",
             named->name)
        .note(named->name == "dot"
                  ? "with the gradient g of dot(a, b), that of a is dot(g, b, trans_b=true), and that of b "
                    "dot(a, g, trans_a=true)"
                  : "`vjp` says which kernels compute the gradient of this one");
    return {Poison{}, span};
  }
  const Value target = evaluate(in, (*args)[0]);
  if (target.poisoned()) return {Poison{}, span};
  const FunctionName* function = target.as<FunctionName>();
  if (!function) {
    in.error(kNameKind, (*args)[0]->span, "grad needs a function, not {}", describe(target))
        .note("write grad(f)(x), where f is a function of the spec or an operation by elements, such as tanh");
    return {Poison{}, span};
  }
  if (!function->external.empty()) {
    in.error(kOperandDType, (*args)[0]->span, "'{}' has no derivative: it is a function of a C++ header",
             function->name)
        .note("write its derivative as a function of `extern` or `functions`, and call that");
    return {Poison{}, span};
  }
  FunctionName out = *function;
  const int count =
      out.definition ? static_cast<int>(out.definition->parameters.size()) : operation(*out.operation).max_args;
  int64_t parameter = 0;
  if ((*args)[1]) {
    const std::optional<int64_t> given = constant_integer(in, (*args)[1], "'argnum'");
    if (!given) return {Poison{}, span};
    parameter = *given;
  }
  if (parameter < 0 || parameter >= count) {
    return {in.fail(kArguments, span, "'argnum' is {}, and {} has {} parameter{}", parameter, out.name, count,
                    count == 1 ? "" : "s"),
            span};
  }
  out.gradients.push_back(static_cast<int>(parameter));
  out.name = "grad_" + out.name + (parameter > 0 ? fmt::format("_{}", parameter) : "");
  return {out, span};
}

Value call_gradient(TypingContext& in, const FunctionName& function, const std::vector<Value>& args, Span span) {
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
      const TypedPtr value = coerce(in, *typed, common);
      if (!value) return poison;
      key += fmt::format("|{}", name_of(value->dtype));
      operands.push_back(value);
      arg.node = value;
    } else if (const FunctionName* given = arg.as<FunctionName>(); given && function.definition) {
      key += "|" + given->name;
    } else {
      Diagnostic& out = in.error(kOperandDType, arg.span, "{} of {}", function.name, describe(arg));
      if (const FunctionName* called = arg.as<FunctionName>())
        out.note(fmt::format("an operation takes numbers: give it {}(x), say", called->name));
      return poison;
    }
  }
  Shape shape;
  if (!broadcast(in, span, function.name, operands, shape)) return poison;
  const auto known = in.context.specializations.find(key);
  if (known == in.context.specializations.end()) {
    FunctionName plain = function;
    plain.gradients.clear();
    const int errors = in.diagnostics->errors();
    Function out = scalar_function(in, plain, typed_args, span, *in.diagnostics);
    if (!out.body || in.diagnostics->errors() != errors) return poison;
    if (!is_elementwise(out.body) || !info(out.body->dtype).is_float) {
      in.error(kOperandDType, span, "{} is no derivative: the function gives {} by {}", function.name,
               describe(out.body), to_string(out.body))
          .note("grad takes functions made of elementwise operations, from floats to a float");
      return poison;
    }
    const auto body_of = [&in](int id) { return in.context.kernel.functions[id].body; };
    const auto too_large = [&](const std::string& what, size_t fit) {
      in.error(kFunctionSize, span, "{}: {} has more than {} names, numbers and operations", function.name, what,
               kMostTerms)
          .note(fit == 0
                    ? "write it in `functions` as a shorter formula"
                    : fmt::format("{} derivative{} fit: write derivative {} in `functions` as a shorter formula, and "
                                  "take grad of that",
                                  fit, fit == 1 ? "" : "s", fit));
      return poison;
    };
    std::string external;
    const auto note_externs = [&](const auto& again, const TypedPtr& body) -> void {
      walk(body, [&](const Typed& node) {
        const auto* call = node.as<CallFunction>();
        if (!call) return;
        const Function& called = in.context.kernel.functions[call->function];
        if (called.external)
          external = called.external->name;
        else
          again(again, called.body);
      });
    };
    note_externs(note_externs, out.body);
    if (!external.empty()) {
      return {in.fail(kOperandDType, span, "{}: '{}' has no derivative: it is a function of a C++ header",
                      function.name, external),
              span};
    }
    out.body = inline_calls(out.body, body_of, kMostTerms);
    if (!out.body) return too_large("the function with its calls written out", 0);
    size_t taken = 0;
    for (int parameter : function.gradients) {
      std::string refusal;
      if (!info(out.parameters[parameter].second).is_float) {
        return {in.fail(kOperandDType, span, "{}: '{}' is {}, and a derivative is by a float", function.name,
                        out.parameters[parameter].first, name_of(out.parameters[parameter].second)),
                span};
      }
      out.body = derivative(out.body, parameter, refusal);
      if (!out.body) return {in.fail(kOperandDType, span, "{}: '{}' has no derivative", function.name, refusal), span};
      ++taken;
      if (is_larger(out.body, kMostTerms)) {
        return too_large(fmt::format("derivative {} of {} as one formula", taken, function.gradients.size()),
                         taken - 1);
      }
    }
    out.name = unique_function_name(in.context.kernel, function.name, operands);
    const DType result = out.body->dtype;
    in.context.specializations[key] = {add_function(in.context, std::move(out)), result};
  }
  const Specialization special = in.context.specializations.at(key);
  const std::string& name = in.context.kernel.functions[special.function].name;
  return {make_typed(span, special.dtype, std::move(shape), CallFunction{special.function, std::move(operands), name}),
          span};
}

}  // namespace pallasgen
