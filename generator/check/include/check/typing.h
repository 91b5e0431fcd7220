#pragma once

#include <memory>
#include <optional>
#include <string>

#include "check/kernel.h"

namespace pallasgen {

// Types expressions and effects that use the names of checked declarations and of values that the caller declares: the
// part of the language that the reader of tile programs needs.
class Typing {
 public:
  // Checks the declarations of a spec but not its body. The spec's sources must outlive this. `externs` answers for the
  // functions of its `extern`, if it has any.
  Typing(std::shared_ptr<const Spec> spec, Diagnostics& diagnostics,
         std::shared_ptr<const ExternHeader> externs = nullptr);
  ~Typing();
  Typing(const Typing&) = delete;
  Typing& operator=(const Typing&) = delete;

  // The declarations, with the functions that expressions have called so far.
  const Kernel& kernel() const;
  // Declares a value, which hides an earlier one of the same name, and returns the id for its LocalUse.
  int declare(const std::string& name, DType dtype, const Shape& shape, Span span);
  // Declares the variable of a counted loop, visible until leave_loop(). Values declared inside the loop stay visible.
  Symbol enter_loop(const std::string& name, Span span);
  void leave_loop(const Symbol& variable);

  // The following return null, or none, after an error.
  std::optional<Shape> shape(const ExprPtr& list);
  std::optional<DType> dtype(const ExprPtr& name);
  // A value of that dtype; literals and index values convert to it.
  TypedPtr value(const ExprPtr& expr, DType dtype);
  TypedPtr any_value(const ExprPtr& expr);
  TypedPtr index(const ExprPtr& expr);
  // A bound of a counted loop, which may depend on data.
  TypedPtr bound(const ExprPtr& expr);
  TypedPtr condition(const ExprPtr& expr);
  // Types a store, an atomic or grid_sync(). An atomic that binds its old elements declares their name.
  std::optional<KernelStmt> effect(const StatementSyntax& syntax, Span span);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pallasgen
