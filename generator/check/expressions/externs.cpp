#include "expressions/externs.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "expressions/evaluate.h"
#include "expressions/functions.h"
#include "expressions/operators.h"

namespace pallasgen {

namespace {

bool leaves_arguments(const ExternCandidate& candidate) {
  return std::none_of(candidate.parameters.begin(), candidate.parameters.end(), [](const ExternParameter& parameter) {
    return parameter.passing != ExternPassing::value && parameter.passing != ExternPassing::const_reference;
  });
}

std::string_view text_of(ExternPassing passing) {
  switch (passing) {
    case ExternPassing::pointer:
      return "a pointer";
    case ExternPassing::rvalue_reference:
      return "an rvalue reference";
    default:
      return "a reference that it may write to";
  }
}

// "parameter 1 is a pointer (float *)"
std::string written_parameter(const ExternCandidate& candidate) {
  for (size_t i = 0; i < candidate.parameters.size(); ++i) {
    const ExternParameter& parameter = candidate.parameters[i];
    if (parameter.passing != ExternPassing::value && parameter.passing != ExternPassing::const_reference)
      return fmt::format("parameter {} is {} ({})", i + 1, text_of(parameter.passing), parameter.type);
  }
  return "";
}

std::string types_text(const std::vector<DType>& types) {
  std::string out;
  for (const DType type : types) out += (out.empty() ? "" : ", ") + std::string(name_of(type));
  return out;
}

std::string counted_arguments(size_t count) { return fmt::format("{} argument{}", count, count == 1 ? "" : "s"); }

// Why a candidate does not take arguments of these dtypes.
std::string mismatch(const ExternCandidate& candidate, const std::vector<DType>& types) {
  const std::string head = "'" + candidate.text + "'";
  if (!candidate.is_device) return head + " is no __device__ function";
  if (!leaves_arguments(candidate)) return fmt::format("{}: {}", head, written_parameter(candidate));
  const size_t most = candidate.parameters.size();
  if (types.size() < candidate.required || types.size() > most) {
    return candidate.required == most
               ? fmt::format("{} takes {}", head, counted_arguments(most))
               : fmt::format("{} takes {} to {}", head, candidate.required, counted_arguments(most));
  }
  for (size_t i = 0; i < types.size(); ++i) {
    const ExternParameter& parameter = candidate.parameters[i];
    if (parameter.dtype == types[i] || (candidate.is_template && !parameter.dtype)) continue;
    const std::string wanted = parameter.dtype ? std::string(name_of(*parameter.dtype)) : parameter.type;
    return fmt::format("{} takes {} where argument {} is {}", head, wanted, i + 1, name_of(types[i]));
  }
  return head + " does not take these types: its template arguments cannot be deduced, or its constraints do not hold";
}

// Whether a value without a dtype can have that one: float literals floats, integers any number.
bool suits(const TypedPtr& value, DType dtype) {
  return value->dtype == DType::literal ? info(dtype).is_float : info(dtype).is_float || info(dtype).is_integer;
}

class ExternCall {
 public:
  ExternCall(TypingContext& in, const FunctionName& function, std::vector<TypedPtr> operands, Span span)
      : in_(in),
        name_(function.external),
        header_(in.context.kernel.externs),
        operands_(std::move(operands)),
        span_(span) {}

  Value value() {
    const std::optional<std::vector<DType>> types = argument_types();
    if (!types) return {Poison{}, span_};
    for (size_t i = 0; i < operands_.size(); ++i) {
      operands_[i] = coerce(in_, operands_[i], (*types)[i]);
      if (!operands_[i]) return {Poison{}, span_};
    }
    Shape shape;
    if (!broadcast(in_, span_, name_, operands_, shape)) return {Poison{}, span_};
    const Specialization special = specialization(*types);
    if (special.function < 0) return {Poison{}, span_};
    return {make_typed(span_, special.dtype, std::move(shape), CallFunction{special.function, operands_, name_}),
            span_};
  }

 private:
  using Types = std::vector<DType>;

  // The dtypes of the arguments; literals and index values get theirs from the others, or else from the only function
  // that takes the others.
  std::optional<Types> argument_types() {
    Types types;
    std::set<DType> given;
    bool open = false;
    for (const TypedPtr& operand : operands_) {
      types.push_back(operand->dtype);
      if (has_dtype(operand))
        given.insert(operand->dtype);
      else
        open = true;
    }
    if (!open) return types;
    if (given.size() == 1) {
      const std::optional<Types> same = with_open(Types(types.size(), *given.begin()));
      if (same && header_->resolve(name_, *same).match == ExternMatch::found) return same;
    }
    std::vector<Types> fitting;
    for (const ExternCandidate& candidate : header_->declared(name_).candidates) {
      Types wanted;
      for (const ExternParameter& parameter : candidate.parameters)
        if (parameter.dtype) wanted.push_back(*parameter.dtype);
      const bool counts = wanted.size() == candidate.parameters.size() && wanted.size() >= operands_.size();
      if (!counts || candidate.required > operands_.size() || !candidate.is_device || !leaves_arguments(candidate))
        continue;
      wanted.resize(operands_.size());
      if (const std::optional<Types> all = with_open(wanted); all && *all == wanted) fitting.push_back(wanted);
    }
    if (fitting.size() == 1) return fitting.front();
    for (const TypedPtr& operand : operands_) {
      if (has_dtype(operand)) continue;
      Diagnostic& out =
          in_.error(kExternCall, operand->span, "{} is {}, and {} of '{}' says which dtype it has here",
                    to_string(operand), describe(operand), fitting.empty() ? "no function" : "more than one", name_);
      out.note(fmt::format("give it one: f32({})", to_string(operand)));
      for (const ExternCandidate& candidate : header_->declared(name_).candidates)
        out.note(candidate.place, fmt::format("'{}' is declared here", candidate.text));
      break;
    }
    return std::nullopt;
  }

  // Those of the list for what has no dtype, where it can have it.
  std::optional<Types> with_open(const Types& wanted) const {
    Types out;
    for (size_t i = 0; i < operands_.size(); ++i) {
      const bool open = !has_dtype(operands_[i]);
      if (open && !suits(operands_[i], wanted[i])) return std::nullopt;
      out.push_back(open ? wanted[i] : operands_[i]->dtype);
    }
    return out;
  }

  Specialization specialization(const Types& types) {
    const std::string key = fmt::format("extern|{}|{}", name_, types_text(types));
    const auto known = in_.context.specializations.find(key);
    if (known != in_.context.specializations.end()) return known->second;
    const ExternAnswer answer = header_->resolve(name_, types);
    if (!is_accepted(answer, types)) return {};
    Function function;
    function.name = unique_function_name(in_.context.kernel, name_, operands_);
    for (size_t i = 0; i < types.size(); ++i) function.parameters.emplace_back(fmt::format("x{}", i), types[i]);
    function.external = std::make_shared<const ExternFunction>(
        ExternFunction{name_, types, *answer.function.result, answer.function.place, header_});
    const Specialization special{static_cast<int>(in_.context.kernel.functions.size()), *answer.function.result};
    in_.context.kernel.functions.push_back(std::move(function));
    in_.context.specializations[key] = special;
    return special;
  }

  bool is_accepted(const ExternAnswer& answer, const Types& types) {
    const ExternCandidate& function = answer.function;
    const std::string call = fmt::format("{}({})", name_, types_text(types));
    switch (answer.match) {
      case ExternMatch::none: {
        Diagnostic& out =
            in_.error(kExternCall, span_, "no '{}' of \"{}\" takes ({})", name_, header_->include, types_text(types));
        for (const ExternCandidate& each : answer.candidates) out.note(each.place, mismatch(each, types));
        const auto takes_so_many = [&](const ExternCandidate& each) {
          return each.required <= types.size() && types.size() <= each.parameters.size();
        };
        if (answer.candidates.empty() || std::any_of(answer.candidates.begin(), answer.candidates.end(), takes_so_many))
          out.note("dtypes are passed as they are, without promotion: cast the argument, x.astype(f32)");
        return false;
      }
      case ExternMatch::ambiguous: {
        Diagnostic& out = in_.error(kExternCall, span_, "{} is ambiguous: C++ prefers none of these functions", call);
        for (const ExternCandidate& each : answer.candidates) out.note(each.place, "'" + each.text + "' takes it");
        out.note("cast the arguments to what one of them takes, or give one of them another name");
        return false;
      }
      case ExternMatch::body: {
        Diagnostic& out =
            in_.error(kExternCall, span_, "the template that {} takes has no meaning for these types", call);
        for (const Note& each : answer.errors) out.note(each.span, each.message);
        for (const ExternCandidate& each : answer.candidates) out.note(each.place, "'" + each.text + "' is made here");
        return false;
      }
      case ExternMatch::failed:
        in_.error(kExternCall, span_, "what reads \"{}\" has ended before it said what {} means", header_->include,
                  call)
            .note("`pallasgen-clang` has stopped; please report the header");
        return false;
      case ExternMatch::found:
        break;
    }
    if (!function.result) {
      in_.error(kExternResult, span_, "{} gives '{}', which is no dtype of the language", call, function.result_type)
          .note(function.place, fmt::format("'{}' is declared here; it may give a number or a bool", function.text));
      return false;
    }
    if (!answer.is_defined) {
      in_.error(kExternEffect, span_, "what '{}' does cannot be seen: the header has no body of it", name_)
          .note(function.place, fmt::format("'{}' is declared here; define it in the header", function.text));
      return false;
    }
    if (!answer.effects.empty()) {
      Diagnostic& out =
          in_.error(kExternEffect, span_, "'{}' does more than give a result that its arguments decide", name_);
      for (const Note& effect : answer.effects) out.note(effect.span, fmt::format("it {}", effect.message));
      out.note(function.place,
               fmt::format("'{}' is declared here; calls may be computed once, twice or not at all", function.text));
      return false;
    }
    return true;
  }

  TypingContext& in_;
  const std::string name_;
  const std::shared_ptr<const ExternHeader> header_;
  std::vector<TypedPtr> operands_;
  Span span_;
};

// One name of `extern`: whether the device can call what it stands for.
bool is_callable(Context& context, const Named& name, const ExternHeader& header) {
  const ExternDeclared declared = header.declared(name.name);
  const auto refuse = [&](std::string message) -> Diagnostic& {
    return context.diagnostics.error(kExternFunction, name.span, std::move(message));
  };
  if (!declared.is_known) {
    refuse(fmt::format("what reads \"{}\" has ended before it said what '{}' is", header.include, name.name))
        .note("`pallasgen-clang` has stopped; please report the header");
    return false;
  }
  if (declared.macro) {
    refuse(fmt::format("'{}' is a macro of \"{}\", and no function", name.name, header.include))
        .note(*declared.macro, "it is defined here; a __device__ function that uses it can be called");
    return false;
  }
  if (declared.candidates.empty()) {
    Diagnostic& out = refuse(fmt::format("\"{}\" declares no function '{}'", header.include, name.name));
    if (declared.other) out.note(*declared.other, "what has this name is declared here");
    const std::string near = nearest(name.name, std::vector<std::string>(header.names.begin(), header.names.end()));
    if (!near.empty() && !declared.other) out.note(fmt::format("did you mean '{}'?", near));
    if (near.empty() && !declared.other) out.note("functions of namespaces need a using declaration in the header");
    return false;
  }
  const auto is_usable = [](const ExternCandidate& each) { return each.is_device && !each.is_kernel; };
  if (std::none_of(declared.candidates.begin(), declared.candidates.end(), is_usable)) {
    const ExternCandidate& first = declared.candidates.front();
    refuse(fmt::format("'{}' is {}, which a kernel cannot call as a function", name.name,
                       first.is_kernel ? "a __global__ function" : "a function of the host alone"))
        .note(first.place,
              fmt::format("'{}' is declared here; declare it __device__, or __host__ __device__", first.text));
    return false;
  }
  const auto writes = [&](const ExternCandidate& each) { return is_usable(each) && !leaves_arguments(each); };
  if (static_cast<size_t>(std::count_if(declared.candidates.begin(), declared.candidates.end(), writes)) ==
      declared.candidates.size()) {
    const ExternCandidate& first = declared.candidates.front();
    context.diagnostics
        .error(kExternEffect, name.span,
               fmt::format("'{}' may write through its parameters: {}", name.name, written_parameter(first)))
        .note(first.place,
              fmt::format("'{}' is declared here; functions take values, or references to const", first.text));
    return false;
  }
  return true;
}

}  // namespace

void check_externs(Context& context) {
  const Spec& spec = context.spec;
  std::vector<const Named*> names;  // that a call could mean
  for (const Named& name : spec.extern_functions) {
    const Name* known = context.find(name.name);
    context.wrong_externs.insert(name.name);
    if (!known || known->kind != NameKind::external || context.clashes(name.name)) continue;  // it was refused
    if (!is_reserved(name.name, NamePlace::file)) {
      names.push_back(&name);
      continue;
    }
    context.diagnostics
        .error(kExternName, name.span,
               fmt::format("'{}' cannot be called from generated code: C++, CUDA or the runtime have that name too",
                           name.name))
        .note(fmt::format("give the function another name in the header, such as 'my_{}'", name.name));
  }
  std::shared_ptr<const ExternHeader>& header = context.kernel.externs;
  if (names.empty()) return;
  if (!header && context.open_extern) header = (*context.open_extern)(spec, context.diagnostics);
  if (!header && !context.open_extern)
    context.diagnostics.error(kExternFunction, spec.extern_span, "nothing reads C++ headers here");
  if (!header) return;
  if (header->names.count(spec.kernel.name) > 0) {
    context.diagnostics
        .error(kReservedKernelName, spec.kernel.span,
               fmt::format("the kernel cannot be called '{}': \"{}\" declares that name", spec.kernel.name,
                           header->include))
        .note(fmt::format("'{}_kernel' is free", spec.kernel.name));
  }
  for (const Named* name : names)
    if (is_callable(context, *name, *header)) context.wrong_externs.erase(name->name);
}

void check_extern_places(Context& context) {
  const Kernel& kernel = context.kernel;
  if (!kernel.externs) return;
  std::function<const ExternFunction*(const TypedPtr&)> external_in = [&](const TypedPtr& expr) {
    const ExternFunction* found = nullptr;
    walk(expr, [&](const Typed& node) {
      const auto* call = node.as<CallFunction>();
      if (!call || found) return;
      const Function& function = kernel.functions[static_cast<size_t>(call->function)];
      found = function.external ? function.external.get() : external_in(function.body);
    });
    return found;
  };
  const auto refuse = [&](const TypedPtr& expr, const std::string& where) {
    const ExternFunction* found = external_in(expr);
    if (!found) return;
    context.diagnostics
        .error(kNameKind, expr->span,
               fmt::format("'{}' is a function of a C++ header, which {} cannot use", found->name, where))
        .note(found->place, "the body, functions, sizes of sequential axes and the reference may call it");
  };
  for (const Axis& axis : kernel.axes)
    if (!axis.sequential) refuse(axis.size, fmt::format("the size of the parallel axis '{}'", axis.name));
  for (const Let& let : kernel.lets) refuse(let.value, fmt::format("the let '{}'", let.name));
  refuse(kernel.skip, "'skip'");
  for (const Ref& ref : kernel.refs) {
    for (const TypedPtr& extent : ref.array_shape) refuse(extent, fmt::format("the shape of '{}'", ref.name));
    for (const TypedPtr& stride : ref.strides) refuse(stride, fmt::format("'strides' of '{}'", ref.name));
    for (const BlockDim& dim : ref.block) {
      refuse(dim.index, fmt::format("the index map of '{}'", ref.name));
      refuse(dim.slice_size, fmt::format("the index map of '{}'", ref.name));
    }
  }
}

Value call_extern(TypingContext& in, const FunctionName& function, const std::vector<Value>& args, Span span) {
  std::vector<TypedPtr> operands;
  for (const Value& arg : args) {
    const TypedPtr operand = read(in, arg);
    if (!operand) return {Poison{}, span};
    operands.push_back(with_own_dtype(in, operand));
    if (!operands.back()) return {Poison{}, span};
  }
  return ExternCall(in, function, std::move(operands), span).value();
}

}  // namespace pallasgen
