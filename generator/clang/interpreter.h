#pragma once

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include "thread.h"

// Executes host and device functions over the syntax tree, one thread at a time, as far as values are known: constants,
// counters and the sizes of the launch decide loops and branches. Waits do not block; any effect on other threads
// becomes an event.
namespace pallasgen::vet {

class Interpreter;
using Arguments = std::vector<const clang::Expr*>;
enum class Flow { next, leave_loop, next_turn, leave };

// Members common to the parts of the interpreter: the thread, and access to the other parts.
struct Part {
  Thread& thread_;
  Interpreter& all_;
};

// Evaluates expressions.
struct Expressions : Part {
  Value evaluate(const clang::Expr* expression);
  int64_t base_offset(const clang::CastExpr* cast) const;
  Value evaluate_unary(const clang::UnaryOperator* unary);

 private:
  Value evaluate_cast(const clang::CastExpr* cast);
  Value evaluate_binary(const clang::BinaryOperator* binary);
};

// Evaluates expressions to places in memory.
struct Places : Part {
  Pointer place_of(const clang::Expr* expression);
};

// Initialises records and arrays.
struct Initialiser : Part {
  void initialise(const Pointer& place, clang::QualType type, const clang::Expr* expression);

 private:
  void initialise_list(const Pointer& place, clang::QualType type, const clang::InitListExpr* list);
  void construct(const Pointer& place, const clang::CXXConstructExpr* expression);
};

// Executes statements.
struct Statements : Part {
  Flow execute(const clang::Stmt* statement);

 private:
  Flow execute_loop(const clang::Stmt* whole, const clang::Stmt* condition_variable, const clang::Expr* condition,
                    const clang::Expr* step, const clang::Stmt* body, bool body_first,
                    const clang::Stmt* element = nullptr);
  void declare(const clang::VarDecl& variable);
  bool decide(const clang::Expr* condition, int turn);
  void forget_assigned(const clang::Stmt* body);
};

// Executes calls; a result that is a record is stored at `result`.
struct Calls : Part {
  Value call(const clang::FunctionDecl* function, const Pointer& self, const Arguments& arguments,
             const clang::Expr* at, const Pointer& result);
  Value evaluate_call(const clang::CallExpr* call, const Pointer& result);

 private:
  bool builtin(const clang::FunctionDecl* function, Value& value);
};

// Executes calls of functions whose meaning the runtime declares.
struct Meanings : Part {
  Value perform(const clang::FunctionDecl* function, const Meaning& meaning, const std::vector<Value>& values,
                const Pointer& result);
};

class Interpreter {
 public:
  Interpreter(clang::ASTContext& context, Effects& effects) : thread(context, effects) {}
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  // Calls a function with the values of its parameters, in order.
  void run(const clang::FunctionDecl& function, const std::vector<Value>& arguments);

  Thread thread;

  // Forwards calls between the parts.
  Value evaluate(const clang::Expr* expression) { return expressions_.evaluate(expression); }
  Value evaluate_unary(const clang::UnaryOperator* unary) { return expressions_.evaluate_unary(unary); }
  int64_t base_offset(const clang::CastExpr* cast) const { return expressions_.base_offset(cast); }
  Pointer place_of(const clang::Expr* expression) { return places_.place_of(expression); }
  void initialise(const Pointer& place, clang::QualType type, const clang::Expr* expression) {
    initialiser_.initialise(place, type, expression);
  }
  Flow execute(const clang::Stmt* statement) { return statements_.execute(statement); }
  Value call(const clang::FunctionDecl* function, const Pointer& self, const Arguments& arguments,
             const clang::Expr* at, const Pointer& result) {
    return calls_.call(function, self, arguments, at, result);
  }
  Value evaluate_call(const clang::CallExpr* called, const Pointer& result) {
    return calls_.evaluate_call(called, result);
  }
  Value perform(const clang::FunctionDecl* function, const Meaning& meaning, const std::vector<Value>& values,
                const Pointer& result) {
    return meanings_.perform(function, meaning, values, result);
  }

 private:
  Expressions expressions_{{thread, *this}};
  Places places_{{thread, *this}};
  Initialiser initialiser_{{thread, *this}};
  Statements statements_{{thread, *this}};
  Calls calls_{{thread, *this}};
  Meanings meanings_{{thread, *this}};
};

}  // namespace pallasgen::vet
