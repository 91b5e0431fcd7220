#pragma once

#include <memory>
#include <optional>
#include <string>

#include "check/kernel.h"

namespace pallasgen {

// Gives types to expressions and effects that are written with the names of checked declarations, and of values that
// the caller declares: what the reader of tile programs needs of the language.
class Typing {
 public:
  // Checks the declarations of a spec, and not its body. The spec's sources outlive this. `externs` answers for the
  // functions of its `extern`, if it has any.
  Typing(std::shared_ptr<const Spec> spec, Diagnostics& diagnostics,
         std::shared_ptr<const ExternHeader> externs = nullptr);
  ~Typing();
  Typing(const Typing&) = delete;
  Typing& operator=(const Typing&) = delete;

  // The declarations; functions that expressions have called so far are among them.
  const Kernel& kernel() const;
  // Makes a value of that name, which hides one of the same name: the id that LocalUse has.
  int declare(const std::string& name, DType dtype, const Shape& shape, Span span);
  // The variable of a counted loop, visible until leave_loop(). Values that are made in between stay.
  Symbol enter_loop(const std::string& name, Span span);
  void leave_loop(const Symbol& variable);

  // Null, or empty, after an error.
  std::optional<Shape> shape(const ExprPtr& list);
  std::optional<DType> dtype(const ExprPtr& name);
  // A value of that dtype; literals and integers take it.
  TypedPtr value(const ExprPtr& expr, DType dtype);
  TypedPtr any_value(const ExprPtr& expr);
  TypedPtr index(const ExprPtr& expr);
  // A bound of a counted loop, which may be data.
  TypedPtr bound(const ExprPtr& expr);
  TypedPtr condition(const ExprPtr& expr);
  // A store, an atomic or grid_sync(). An atomic that binds its old elements declares their name.
  std::optional<KernelStmt> effect(const StatementSyntax& syntax, Span span);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pallasgen
