#pragma once

#include <ostream>
#include <string>

#include "evaluator.h"

namespace pallasgen::interpreter {

// Executes statements of a body in order. Throws Fault if one breaks a rule. `print` may be null.
class StatementRunner {
 public:
  StatementRunner(Environment& environment, std::ostream* print)
      : env_(environment), evaluator_(environment), print_(print) {}

  void run(const KernelStmts& statements);
  Evaluator& evaluator() { return evaluator_; }
  // Statements that tile programs have, too.
  void store(const StoreStmt& store, Span span);
  void atomic(const AtomicStmt& atomic, Span span);
  void print(const PrintStmt& print);
  void hold(const AssertStmt& assertion, Span span);
  void sync_grid(Span span);

 private:
  void run(const KernelStmt& statement);
  void bind(const BindStmt& bind);
  void loop(const ForStmt& loop, Span span);

  Environment& env_;
  Evaluator evaluator_;
  std::ostream* print_;
};

// A value as text: a scalar as a number, an array as NumPy prints small ones, `[[1 2]\n [3 4]]`.
std::string to_text(const Value& value);

}  // namespace pallasgen::interpreter
