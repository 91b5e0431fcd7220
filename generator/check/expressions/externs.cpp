#include "expressions/externs.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "expressions/evaluate.h"
#include "expressions/functions.h"
#include "expressions/operators.h"

namespace pallasgen {

namespace {

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

std::string types_text(const std::vector<DType>& types) {
  std::string out;
  for (const DType type : types) out += (out.empty() ? "" : ", ") + std::string(name_of(type));
  return out;
}

std::string counted_arguments(size_t count) { return fmt::format("{} argument{}", count, count == 1 ? "" : "s"); }

// The reason why a candidate does not take arguments of these dtypes.
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

// True if a value without a dtype can have this one: a float dtype for float literals, any number's for integers.
bool has_or_takes_dtype(const TypedPtr& value, DType dtype) {
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

  // The dtypes of the arguments. Literals and index values get theirs from the others, or else from the only function
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

  // Takes the dtypes of operands without one from `wanted`; none if an operand cannot have its dtype.
  std::optional<Types> with_open(const Types& wanted) const {
    Types out;
    for (size_t i = 0; i < operands_.size(); ++i) {
      const bool open = !has_dtype(operands_[i]);
      if (open && !has_or_takes_dtype(operands_[i], wanted[i])) return std::nullopt;
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

}  // namespace

bool leaves_arguments(const ExternCandidate& candidate) {
  return std::none_of(candidate.parameters.begin(), candidate.parameters.end(), [](const ExternParameter& parameter) {
    return parameter.passing != ExternPassing::value && parameter.passing != ExternPassing::const_reference;
  });
}

std::string written_parameter(const ExternCandidate& candidate) {
  for (size_t i = 0; i < candidate.parameters.size(); ++i) {
    const ExternParameter& parameter = candidate.parameters[i];
    if (parameter.passing != ExternPassing::value && parameter.passing != ExternPassing::const_reference)
      return fmt::format("parameter {} is {} ({})", i + 1, text_of(parameter.passing), parameter.type);
  }
  return "";
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
