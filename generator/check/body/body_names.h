#pragma once

#include <map>
#include <optional>
#include <string>

#include "expressions/typing_context.h"

namespace pallasgen {

// The names that statements bind: in the body, or in the reference, where outputs are names too.
class BodyNames {
 public:
  BodyNames(Context& context, const Place& place) : context_(context), place_(place) {}

  Context& context() { return context_; }
  Scope& scope() { return scope_; }
  bool in_reference() const { return context_.extents != nullptr; }
  // Contexts for typing values, and for guards and ranges, in which integer scalars are index values. `prelude` takes
  // the bindings that an expression needs before it; null if the expression is evaluated more than once.
  TypingContext values(KernelStmts* prelude) { return {context_, place_, &scope_, prelude}; }
  TypingContext guards(KernelStmts* prelude) {
    TypingContext in = values(prelude);
    in.place.integers_are_index = true;
    return in;
  }

  // True if a statement may bind the name; otherwise reports name-clash, or dead-statement for a ref.
  bool may_assign(const std::string& name, Span span);
  // Binds a new name or rebinds a known one; the caller adds the statement's text. None if the name stands for a
  // literal, or after an error: rebind if the dtype or shape changes.
  std::optional<BindStmt> bind(const std::string& name, Span name_span, TypedPtr value);
  // Marks the name as in error: later uses of it report nothing.
  void poison(const std::string& name, Span span);
  // The local that the name is bound to; -1 if there is none, -2 after an error.
  int local_of(const std::string& name);

 private:
  struct Kept {
    DType dtype;
    Shape shape;
    Span span;
  };
  Context& context_;
  Place place_;
  Scope scope_;
  std::map<std::string, Kept> kept_;  // a name keeps its dtype and shape for the whole body
};

}  // namespace pallasgen
