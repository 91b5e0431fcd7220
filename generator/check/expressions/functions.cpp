#include "expressions/functions.h"

#include <fmt/format.h>

#include <algorithm>

#include "expressions/evaluate.h"
#include "expressions/externs.h"
#include "expressions/operators.h"
#include "names/names_of.h"

namespace pallasgen {

namespace {

// Deep enough for any function that takes functions; a function that gets itself as an argument would never end.
constexpr int kMaxDepth = 64;

// Limits in terms. nvcc inlines all calls of a function of scalars; other functions are inlined before they are checked
// and planned, which takes longer.
constexpr int64_t kMostWithCalls = 20000, kMostInCaller = 2000;

// The number of names, numbers and operations of a value with the bodies of the functions that it calls written out.
int64_t expanded_terms(const Context& context, const TypedPtr& value) {
  int64_t terms = 0;
  walk(value, [&](const Typed& node) {
    const auto* call = node.as<CallFunction>();
    const auto known = call ? context.function_terms.find(call->function) : context.function_terms.end();
    terms += known == context.function_terms.end() ? 1 : known->second;
  });
  return terms;
}

int uses(const ExprPtr& body, const std::string& name) {
  int count = 0;
  visit_names(body, [&](const std::string& used, Span) { count += used == name; });
  return count;
}

// The context of the function's body, with the parameters in `scope`.
TypingContext context_inside(const TypingContext& in, const FunctionName& function, Scope& scope, Span call) {
  TypingContext inner{in.context, kFunctionPlace, &scope, nullptr, in.diagnostics, false, in.calls};
  inner.calls.push_back({call, fmt::format("'{}' is called here", function.name)});
  return inner;
}

Value inline_call(TypingContext& in, const FunctionName& function, const std::vector<Value>& args, Span span) {
  Scope scope;
  const std::vector<Named>& parameters = function.definition->parameters;
  for (size_t i = 0; i < args.size(); ++i) {
    Value value = args[i];
    const TypedPtr* typed = value.as<TypedPtr>();
    if (typed && uses(function.definition->body, parameters[i].name) > 1 && has_dtype(*typed)) {
      value.node = keep(in, function.name + "_" + parameters[i].name, *typed);
    }
    scope.set(parameters[i].name, Local{-1, std::move(value), parameters[i].span, 0});
  }
  Diagnostics attempt;
  TypingContext inner = context_inside(in, function, scope, span);
  inner.prelude = in.prelude;
  if (function.library) inner.diagnostics = &attempt;
  Value out = evaluate(inner, function.definition->body);
  out.span = span;
  if (attempt.has_errors()) {  // the message is about the call, not the library's text
    for (const Value& arg : args) {
      const TypedPtr* typed = arg.as<TypedPtr>();
      if (!typed || (*typed)->dtype == DType::literal || info((*typed)->dtype).is_float) continue;
      const TypedPtr cast = make_typed(span, DType::f32, (*typed)->shape, Apply{Op::cast, {*typed}, {}});
      in.error(kOperandDType, span, "{} needs floats, not {}", function.name, describe(*typed))
          .note(fmt::format("cast it: {}", to_string(cast)));
      return {Poison{}, span};
    }
    in.error(kOperandDType, span, "{}: {}", function.name, attempt.all().front().message);
    return {Poison{}, span};
  }
  return out;
}

std::optional<Specialization> specialize(TypingContext& in, const FunctionName& function,
                                         const std::vector<Value>& args, Span span) {
  std::string key = fmt::format("{}|{}", static_cast<const void*>(function.definition), function.name),
              name = function.name;
  std::vector<TypedPtr> operands;
  for (const Value& arg : args) {
    if (const TypedPtr* typed = arg.as<TypedPtr>()) {
      if (!has_dtype(*typed)) return std::nullopt;
      key += fmt::format("|{}", name_of((*typed)->dtype));
      operands.push_back(*typed);
    } else if (const FunctionName* given = arg.as<FunctionName>()) {
      key += "|" + given->name;
      name += "_" + given->name;
    } else {
      return std::nullopt;
    }
  }
  if (operands.empty()) return std::nullopt;
  const auto known = in.context.specializations.find(key);
  if (known != in.context.specializations.end()) return known->second;

  std::vector<Function>& functions = in.context.kernel.functions;
  const size_t before = functions.size();
  const std::map<std::string, Specialization> specializations = in.context.specializations;
  Diagnostics attempt;
  Function out = scalar_function(in, function, args, span, attempt);
  const TypedPtr body = out.body;
  Specialization special;
  if (body && !body->as<LocalUse>() && has_dtype(body) && is_elementwise(body)) {
    out.name = unique_function_name(in.context.kernel, name, operands);
    special = {add_function(in.context, std::move(out)), body->dtype};
  } else {  // functions made only for this attempt are removed
    functions.resize(before);
    in.context.specializations = specializations;
  }
  in.context.specializations[key] = special;
  return special;
}

Value call_of_any_size(TypingContext& in, const FunctionName& function, const std::vector<Value>& args, Span span) {
  if (!function.external.empty()) return call_extern(in, function, args, span);
  const int arity = function.operation ? operation(*function.operation).max_args
                                       : static_cast<int>(function.definition->parameters.size());
  if (!function.gradients.empty() && static_cast<int>(args.size()) == arity) {
    if (function.definition) in.context.called.insert(function.definition);
    return call_gradient(in, function, args, span);
  }
  if (function.operation) {
    std::vector<TypedPtr> operands;
    for (const Value& arg : args) operands.push_back(read(in, arg));
    const int wanted = operation(*function.operation).max_args;
    if (static_cast<int>(args.size()) != wanted) {
      return {in.fail(kArguments, span, "{} takes {} argument{}, not {}", function.name, wanted, wanted == 1 ? "" : "s",
                      args.size()),
              span};
    }
    return {operate(in, span, *function.operation, std::move(operands)), span};
  }
  in.context.called.insert(function.definition);
  const std::vector<Named>& parameters = function.definition->parameters;
  if (args.size() != parameters.size()) {
    Diagnostic& out = in.error(kArguments, span, "{} takes {} argument{}, not {}", function.name, parameters.size(),
                               parameters.size() == 1 ? "" : "s", args.size());
    if (!function.library) out.note(function.definition->span, "it is defined here");
    return {Poison{}, span};
  }
  if (static_cast<int>(in.calls.size()) >= kMaxDepth) {
    Diagnostic& out = in.diagnostics->error(
        kFunctionRecursion, span, fmt::format("'{}' reaches itself through the functions it is given", function.name));
    out.note(function.definition->span, "it is defined here");
    return {Poison{}, span};
  }
  if (const std::optional<Specialization> special = specialize(in, function, args, span);
      special && special->function >= 0) {
    std::vector<TypedPtr> operands;
    for (const Value& arg : args) {
      if (const TypedPtr* typed = arg.as<TypedPtr>()) operands.push_back(*typed);
    }
    Shape shape;
    if (!broadcast(in, span, function.name, operands, shape)) return {Poison{}, span};
    const std::string& name = in.context.kernel.functions[special->function].name;
    return {
        make_typed(span, special->dtype, std::move(shape), CallFunction{special->function, std::move(operands), name}),
        span};
  }
  return inline_call(in, function, args, span);
}

}  // namespace

int add_function(Context& context, Function function) {
  const int id = static_cast<int>(context.kernel.functions.size());
  context.function_terms[id] = expanded_terms(context, function.body);
  context.kernel.functions.push_back(std::move(function));
  return id;
}

bool is_elementwise(const TypedPtr& body) {
  bool good = body->shape.empty();
  walk(body, [&](const Typed& node) {
    const Apply* apply = node.as<Apply>();
    const OpGroup group = apply ? operation(apply->op).group : OpGroup::elementwise;
    good =
        good && (group == OpGroup::elementwise || group == OpGroup::cast) && !node.as<RefRead>() && !node.as<Symbol>();
  });
  return good;
}

std::string unique_function_name(const Kernel& kernel, std::string name, const std::vector<TypedPtr>& args) {
  const auto taken = [&](const std::string& candidate) {
    return std::any_of(kernel.functions.begin(), kernel.functions.end(),
                       [&](const Function& f) { return f.name == candidate; });
  };
  if (!taken(name)) return name;
  DType last = DType::literal;
  for (const TypedPtr& arg : args) {
    if (arg->dtype != last) name += fmt::format("_{}", name_of(arg->dtype));
    last = arg->dtype;
  }
  while (taken(name)) name += "_";
  return name;
}

Value call_function(TypingContext& in, const FunctionName& function, const std::vector<Value>& args, Span span) {
  if (in.context.too_large) return {Poison{}, span};
  Value value = call_of_any_size(in, function, args, span);
  const TypedPtr* typed = value.as<TypedPtr>();
  const int64_t most = typed && *typed && (*typed)->as<CallFunction>() ? kMostWithCalls : kMostInCaller;
  if (!typed || !*typed || expanded_terms(in.context, *typed) <= most) return value;
  in.context.too_large = true;
  TypingContext loud = in;  // reported even if the call is only an attempt
  loud.diagnostics = &in.context.diagnostics;
  loud.error(kFunctionSize, span, "{} has more than {} names, numbers and operations with its calls written out",
             function.name, most)
      .note("an assignment of the body is computed once: give a result a name there, or write a shorter formula");
  return {Poison{}, span};
}

Function scalar_function(TypingContext& in, const FunctionName& function, const std::vector<Value>& args, Span span,
                         Diagnostics& diagnostics) {
  Scope scope;
  Function out;
  std::vector<TypedPtr> operands;
  for (size_t i = 0; i < args.size(); ++i) {
    const TypedPtr* typed = args[i].as<TypedPtr>();
    const Named parameter = function.definition ? function.definition->parameters[i]
                                                : Named{std::string(1, static_cast<char>('x' + i)), span};
    Value value = args[i];
    if (typed) {
      const int id = static_cast<int>(out.parameters.size());
      operands.push_back(make_typed(parameter.span, (*typed)->dtype, {}, LocalUse{id, parameter.name}));
      value.node = operands.back();
      out.parameters.emplace_back(parameter.name, (*typed)->dtype);
    }
    scope.set(parameter.name, Local{-1, std::move(value), parameter.span, 0});
  }
  TypingContext inner = context_inside(in, function, scope, span);
  inner.diagnostics = &diagnostics;
  out.body = function.definition ? value_of(inner, function.definition->body)
                                 : operate(inner, span, *function.operation, operands);
  return out;
}

}  // namespace pallasgen
