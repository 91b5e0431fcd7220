#pragma once

#include <map>
#include <optional>
#include <string>

#include "expressions/typing_context.h"

namespace pallasgen {

// The names that statements of the body bind, or of the reference, where outputs are names too.
class BodyNames {
 public:
  BodyNames(Context& context, const Place& place) : context_(context), place_(place) {}

  Context& context() { return context_; }
  Scope& scope() { return scope_; }
  bool in_reference() const { return context_.extents != nullptr; }
  // What values are typed in, and guards and ranges, where integer scalars are index values. `prelude` takes the
  // bindings that an expression needs before it; null where it is evaluated more than once.
  TypingContext values(KernelStmts* prelude) { return {context_, place_, &scope_, prelude}; }
  TypingContext guards(KernelStmts* prelude) {
    TypingContext in = values(prelude);
    in.place.integers_are_index = true;
    return in;
  }

  // Whether a statement may bind the name; reports it where not: name-clash, or statement for a ref.
  bool may_assign(const std::string& name, Span span);
  // Makes the name one of the body, or takes the one there is: the statement, whose text is not settled. Empty where a
  // name stands for a literal, and after an error: rebind for another dtype or shape.
  std::optional<BindStmt> bind(const std::string& name, Span name_span, TypedPtr value);
  // From here on, nothing is said of what the name is.
  void poison(const std::string& name, Span span);
  // The local that the name stands for; -1 where there is none, -2 after an error.
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
