#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "names_of.h"
#include "typer.h"

namespace pallasgen {

namespace {

// Deep enough for any function that takes functions; a function that is handed itself would go on for ever.
constexpr int kMaxDepth = 64;

int uses(const ExprPtr& body, const std::string& name) {
  int count = 0;
  visit_names(body, [&](const std::string& used, Span) { count += used == name; });
  return count;
}

std::string definition(const FunctionSpec& function) {
  std::string parameters;
  for (const Named& parameter : function.parameters) parameters += (parameters.empty() ? "" : ", ") + parameter.name;
  return fmt::format("{}({}): {}", function.name, parameters, to_string(*function.body));
}

}  // namespace

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

void visit_names(const ExprPtr& expr, const std::function<void(const std::string&, Span)>& visit) {
  if (!expr) return;
  const auto below = [&](const ExprPtr& child) { visit_names(child, visit); };
  const auto all = [&](const std::vector<ExprPtr>& children) {
    std::for_each(children.begin(), children.end(), below);
  };
  if (const auto* node = expr->as<NameExpr>()) visit(node->name, expr->span);
  if (const auto* node = expr->as<UnaryExpr>()) below(node->operand);
  if (const auto* node = expr->as<BinaryExpr>()) all({node->left, node->right});
  if (const auto* node = expr->as<CompareExpr>()) all(node->operands);
  if (const auto* node = expr->as<ConditionalExpr>()) all({node->then, node->condition, node->otherwise});
  if (const auto* node = expr->as<CallExpr>()) {
    below(node->callee);
    all(node->args);
    for (const KeywordArgument& keyword : node->keywords) below(keyword.value);
  }
  if (const auto* node = expr->as<SubscriptExpr>()) {
    below(node->base);
    all(node->items);
  }
  if (const auto* node = expr->as<AttributeExpr>()) below(node->base);
  if (const auto* node = expr->as<SliceExpr>()) all({node->start, node->stop, node->step});
  if (const auto* node = expr->as<ListExpr>()) all(node->items);
  if (const auto* node = expr->as<TupleExpr>()) all(node->items);
}

void check_functions(Context& context) {
  const std::vector<FunctionSpec>& functions = context.spec.functions;
  const auto calls_of = [&](int id) {
    std::set<int> out;
    visit_names(functions[id].body, [&](const std::string& name, Span) {
      for (const Named& parameter : functions[id].parameters) {
        if (parameter.name == name) return;
      }
      const Name* entry = context.find(name);
      if (entry && entry->kind == NameKind::function) out.insert(entry->id);
    });
    return out;
  };
  for (size_t start = 0; start < functions.size(); ++start) {
    for (size_t i = 0; i < functions[start].parameters.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (functions[start].parameters[i].name != functions[start].parameters[j].name) continue;
        context.diagnostics.error(kNameClash, functions[start].parameters[i].span,
                                  fmt::format("two parameters of '{}' are called '{}'", functions[start].name,
                                              functions[start].parameters[i].name));
      }
    }
    std::vector<int> path{static_cast<int>(start)};
    std::set<int> seen;
    const std::function<bool(int)> reaches_start = [&](int id) {
      for (int callee : calls_of(id)) {
        if (callee == static_cast<int>(start)) return true;
        if (!seen.insert(callee).second) continue;
        path.push_back(callee);
        if (reaches_start(callee)) return true;
        path.pop_back();
      }
      return false;
    };
    if (!reaches_start(static_cast<int>(start))) continue;
    context.recursive.push_back(&functions[start]);
    if (static_cast<int>(start) != *std::min_element(path.begin(), path.end())) continue;  // one error for one circle
    std::string way;
    for (int id : path) way += functions[id].name + " -> ";
    context.diagnostics
        .error(kFunctionRecursion, functions[start].span,
               fmt::format("'{}' reaches itself: {}{}", functions[start].name, way, functions[start].name))
        .note(
            "functions are written into their callers, so none may call itself; a `for` or `while` of the body "
            "repeats");
  }
}

Value Typer::call_function(const FunctionName& function, const std::vector<Value>& args, Span span) {
  const int arity = function.operation ? operation(*function.operation).max_args
                                       : static_cast<int>(function.definition->parameters.size());
  if (!function.gradients.empty() && static_cast<int>(args.size()) == arity) {
    if (function.definition) context_.called.insert(function.definition);
    return call_gradient(function, args, span);
  }
  if (function.operation) {
    std::vector<TypedPtr> operands;
    for (const Value& arg : args) operands.push_back(read(arg));
    const int wanted = operation(*function.operation).max_args;
    if (static_cast<int>(args.size()) != wanted) {
      return make(span, fail(kArguments, span,
                             fmt::format("{} takes {} argument{}, not {}", function.name, wanted,
                                         wanted == 1 ? "" : "s", args.size())));
    }
    return make(span, operate(span, *function.operation, std::move(operands)));
  }
  context_.called.insert(function.definition);
  const std::vector<Named>& parameters = function.definition->parameters;
  if (args.size() != parameters.size()) {
    Diagnostic& out = error(kArguments, span,
                            fmt::format("{} takes {} argument{}, not {}", function.name, parameters.size(),
                                        parameters.size() == 1 ? "" : "s", args.size()));
    if (!function.library) out.note(function.definition->span, "it is defined here");
    return {Poison{}, span};
  }
  if (static_cast<int>(calls_.size()) >= kMaxDepth) {
    Diagnostic& out = diagnostics_->error(
        kFunctionRecursion, span, fmt::format("'{}' reaches itself through the functions it is given", function.name));
    out.note(function.definition->span, "it is defined here");
    return {Poison{}, span};
  }
  if (const std::optional<Specialization> special = specialize(function, args, span);
      special && special->function >= 0) {
    std::vector<TypedPtr> operands;
    for (const Value& arg : args) {
      if (const TypedPtr* typed = arg.as<TypedPtr>()) operands.push_back(*typed);
    }
    Shape shape;
    if (!broadcast(span, function.name, operands, shape)) return {Poison{}, span};
    const std::string& name = context_.kernel.functions[special->function].name;
    return make(span, make_typed(span, special->dtype, std::move(shape),
                                 CallFunction{special->function, std::move(operands), name}));
  }
  return inline_call(function, args, span);
}

std::optional<Specialization> Typer::specialize(const FunctionName& function, const std::vector<Value>& args,
                                                Span span) {
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
  const auto known = context_.specializations.find(key);
  if (known != context_.specializations.end()) return known->second;

  std::vector<Function>& functions = context_.kernel.functions;
  const size_t before = functions.size();
  const std::map<std::string, Specialization> specializations = context_.specializations;
  Diagnostics trial;
  Function out = scalar_function(function, args, span, trial);
  const TypedPtr body = out.body;
  Specialization special;
  if (body && !body->as<LocalUse>() && has_dtype(body) && is_elementwise(body)) {
    out.name = unique_function_name(context_.kernel, name, operands);
    out.text = definition(*function.definition);
    special = {static_cast<int>(functions.size()), body->dtype};
    functions.push_back(std::move(out));
  } else {  // what only this trial made goes with it
    functions.resize(before);
    context_.specializations = specializations;
  }
  context_.specializations[key] = special;
  return special;
}

// The function typed on scalars of the arguments' dtypes; its body is null after an error, which goes to `diagnostics`.
Function Typer::scalar_function(const FunctionName& function, const std::vector<Value>& args, Span span,
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
  Typer inner(context_, kFunctionPlace, &scope, nullptr);
  inner.diagnostics_ = &diagnostics;
  inner.calls_ = calls_;
  inner.calls_.push_back({span, fmt::format("'{}' is called here", function.name)});
  out.body =
      function.definition ? inner.value(function.definition->body) : inner.operate(span, *function.operation, operands);
  return out;
}

Value Typer::inline_call(const FunctionName& function, const std::vector<Value>& args, Span span) {
  Scope scope;
  const std::vector<Named>& parameters = function.definition->parameters;
  for (size_t i = 0; i < args.size(); ++i) {
    Value value = args[i];
    const TypedPtr* typed = value.as<TypedPtr>();
    if (typed && uses(function.definition->body, parameters[i].name) > 1 && has_dtype(*typed)) {
      value.node = keep(function.name + "_" + parameters[i].name, *typed);
    }
    scope.set(parameters[i].name, Local{-1, std::move(value), parameters[i].span, 0});
  }
  Diagnostics trial;
  Typer inner(context_, kFunctionPlace, &scope, prelude_);
  inner.diagnostics_ = function.library ? &trial : diagnostics_;
  inner.calls_ = calls_;
  inner.calls_.push_back({span, fmt::format("'{}' is called here", function.name)});
  Value out = inner.evaluate(function.definition->body);
  out.span = span;
  if (trial.has_errors()) {  // the user sees the call, not the library's text
    for (const Value& arg : args) {
      const TypedPtr* typed = arg.as<TypedPtr>();
      if (!typed || (*typed)->dtype == DType::literal || info((*typed)->dtype).is_float) continue;
      const TypedPtr cast = make_typed(span, DType::f32, (*typed)->shape, Apply{Op::cast, {*typed}, {}});
      error(kOperandDType, span, fmt::format("{} needs floats, not {}", function.name, describe(*typed)))
          .note(fmt::format("cast it: {}", to_string(cast)));
      return {Poison{}, span};
    }
    error(kOperandDType, span, fmt::format("{}: {}", function.name, trial.all().front().message));
    return {Poison{}, span};
  }
  return out;
}

}  // namespace pallasgen
