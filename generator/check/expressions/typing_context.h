#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "expressions/scope.h"
#include "kernel/context.h"

namespace pallasgen {

// The names that an expression may use, and what messages call the expression.
struct Place {
  std::string_view what;  // "an index map"
  bool dims = false, scalars = false, lets = false, refs = false;
  int axes = 0;                     // number of axes, from the first
  bool integers_are_index = false;  // integer scalars are index values here
  std::string_view allowed;         // "axes, dims, consts, scalars and lets"
};
inline constexpr int kAllAxes = 1 << 30;
inline constexpr Place kConstantPlace{"a constant", false, false, false, false, 0, false, "literals and consts"};
inline constexpr Place kFunctionPlace{"a function", false, false, false,
                                      false,        0,     false, "its parameters, consts and functions"};
inline constexpr Place kIndexPlace{"an index map", true,     true, true,
                                   false,          kAllAxes, true, "axes, dims, consts, scalars and lets"};
inline constexpr Place kBodyPlace{"the body", true, true, true, true, kAllAxes, false, ""};
inline constexpr Place kReferencePlace{
    "the reference", true, true, false, true, 0, false, "inputs, dims, consts and scalars"};

// The context in which an expression is typed; a function's body gets its own. Functions that take it as `in` return a
// null TypedPtr, Poison or an empty optional after an error that was reported, by them or at the declaration of a name.
struct TypingContext {
  Context& context;
  Place place;
  Scope* scope = nullptr;          // names of a body, if there are any
  KernelStmts* prelude = nullptr;  // takes bindings that an expression needs before it; null if none may be made
  Diagnostics* diagnostics = &context.diagnostics;
  bool keep_constants = false;          // `a * b` of constants with a const's name stays as written
  std::vector<Note> calls = {};         // calls of the functions whose bodies are being typed, outermost first
  const CallExpr* operation = nullptr;  // the call whose arguments are being typed

  // Reports an error with notes on the calls that led to it. With arguments, the message is a format.
  Diagnostic& error(const Rule& rule, Span span, std::string message);
  template <class First, class... Rest>
  Diagnostic& error(const Rule& rule, Span span, fmt::format_string<First, Rest...> format, First&& first,
                    Rest&&... rest) {
    return error(rule, span, fmt::format(format, std::forward<First>(first), std::forward<Rest>(rest)...));
  }
  // The same; returns null, the value of an expression in error.
  TypedPtr fail(const Rule& rule, Span span, std::string message);
  template <class First, class... Rest>
  TypedPtr fail(const Rule& rule, Span span, fmt::format_string<First, Rest...> format, First&& first, Rest&&... rest) {
    return fail(rule, span, fmt::format(format, std::forward<First>(first), std::forward<Rest>(rest)...));
  }
};

// Binds the value to a name of the body, `name` or one like it, so that it is computed only once. Returns the value
// itself if there is no body, or if it is a constant or, unless `copies` is set, a name already (which may be bound
// again before it is used).
TypedPtr keep(TypingContext& in, const std::string& name, const TypedPtr& value, bool copies = false);

}  // namespace pallasgen
