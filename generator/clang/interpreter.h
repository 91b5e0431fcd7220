#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/StmtCXX.h>
#include <llvm/ADT/DenseMap.h>

#include <deque>
#include <functional>
#include <set>

#include "effects.h"
#include "meaning.h"
#include "memory.h"
#include "trace.h"

namespace pallasgen::vet {

// A use of registers that instructions still read or write.
struct BusyUse {
  clang::SourceLocation at, since;
  bool is_written = false;
};

// Executes host and device functions over the syntax tree, one thread at a time, as far as values are known: loops and
// branches by the values of constants, counters and the sizes that the launch was given. Waits do not block; what other
// threads might notice becomes an event.
class Interpreter {
 public:
  struct Frame {
    llvm::SmallDenseMap<const clang::VarDecl*, Pointer, 8> variables;
    const clang::FunctionDecl* function = nullptr;
    Pointer self;          // *this
    Value result;          // of a scalar or a reference
    Pointer result_place;  // of a record
  };
  enum class Flow { next, leave_loop, next_turn, leave };

  Interpreter(clang::ASTContext& context, Effects& effects) : context_(context), effects_(effects) {}

  // What launches are found, and the events of one thread.
  std::function<void(Launch, std::vector<Value>)> on_launch;
  std::vector<Event> events;
  std::vector<BusyUse> busy_uses;
  int64_t thread = 0, threads = 0;
  std::string role;                               // the function that the kernel has this thread call
  int unknown_choice = 0;                         // 1: conditions that are not known are taken to hold
  int64_t budget = 0;                             // statements that may still be executed
  std::string not_followed;                       // why it stopped
  llvm::DenseMap<const clang::Stmt*, int> turns;  // of each loop that others notice, at most
  // The maps that the launcher has made, and what it has left out.
  std::deque<MapInfo> maps;

  // Calls a function with the values of its parameters, in order.
  void run(const clang::FunctionDecl& function, const std::vector<Value>& arguments);
  Object* make_object(Object::Kind kind, clang::QualType type, llvm::StringRef name = {});
  Pointer whole(Object* object) const { return {object, 0, 0, object->size, true}; }
  Object* shared = nullptr;  // the dynamic shared memory
  void forget_objects();     // those of one thread

  Value load(const Pointer& place, clang::QualType type);
  void store(const Pointer& place, clang::QualType type, const Value& value);

 private:
  // Statements (statements.cpp).
  Flow execute(const clang::Stmt* statement);
  Flow execute_loop(const clang::Stmt* whole, const clang::Stmt* condition_variable, const clang::Expr* condition,
                    const clang::Expr* step, const clang::Stmt* body, bool body_first,
                    const clang::Stmt* element = nullptr);
  void declare(const clang::VarDecl& variable);
  bool decide(const clang::Expr* condition, int turn);
  void forget_assigned(const clang::Stmt* body);

  // Expressions (expressions.cpp).
  Value evaluate(const clang::Expr* expression);
  Value evaluate_cast(const clang::CastExpr* cast);
  Value evaluate_unary(const clang::UnaryOperator* unary);
  Value evaluate_binary(const clang::BinaryOperator* binary);
  Value arithmetic(clang::BinaryOperatorKind code, const Value& left, const Value& right, clang::QualType operands,
                   clang::QualType result);
  Pointer place_of(const clang::Expr* expression);
  Pointer element(const Pointer& base, const Value& index, clang::QualType type);
  void initialise(const Pointer& place, clang::QualType type, const clang::Expr* expression);
  void initialise_list(const Pointer& place, clang::QualType type, const clang::InitListExpr* list);
  void copy(const Pointer& from, const Pointer& to, int64_t size);
  void zero(const Pointer& place, clang::QualType type);
  int64_t size_of(clang::QualType type) const;
  int64_t offset_of(const clang::FieldDecl* field) const;
  int64_t base_offset(const clang::CastExpr* cast) const;
  Value fit(int64_t value, clang::QualType type) const;
  Pointer temporary(clang::QualType type);

  // Calls (calls.cpp). The result of a record goes to `result`.
  Value call(const clang::FunctionDecl* function, const Pointer& self, const std::vector<const clang::Expr*>& arguments,
             const clang::Expr* at, const Pointer& result);
  Value evaluate_call(const clang::CallExpr* call, const Pointer& result);
  void construct(const Pointer& place, const clang::CXXConstructExpr* expression);
  bool builtin(const clang::FunctionDecl* function, const std::vector<const clang::Expr*>& arguments, Value& value);
  Value perform(const clang::FunctionDecl* function, const Meaning& meaning, const Frame& frame,
                const std::vector<Value>& values, const Pointer& result);
  void note(Verb verb, const Pointer& place, int64_t number = 0, int64_t threads = 0);
  void use(const Pointer& place);  // of registers that instructions may still use
  clang::SourceLocation main_place(const clang::Stmt* at);
  bool is_of_file(const clang::FunctionDecl* function);

  clang::ASTContext& context_;
  Effects& effects_;
  std::deque<Object> objects_, kept_;
  llvm::DenseMap<const clang::FunctionDecl*, bool> of_file_;
  mutable llvm::DenseMap<const clang::Type*, int64_t> sizes_;
  llvm::DenseMap<const clang::VarDecl*, Pointer> globals_;
  Frame* frame_ = nullptr;
  clang::SourceLocation at_;  // the innermost place in the kernel's file
  int depth_ = 0;
  int64_t commits_ = 0, finished_ = 0;  // groups of instructions, issued and known to be complete
  bool stopped_ = false;
  std::vector<int64_t> array_index_;
};

}  // namespace pallasgen::vet
