#pragma once

#include <map>
#include <string>

#include "typer.h"

namespace pallasgen {

// Types statements: of the body, and of the reference, where outputs are bound as names.
class BodyTyper {
 public:
  BodyTyper(Context& context, const Place& place) : context_(context), place_(place) {}

  KernelStmts statements(const StmtList& list);
  // Binds an output's name to a value, as the reference does; false after an error.
  bool bind_output(const Named& output, const ExprPtr& value, KernelStmts& out);
  // The local that the reference bound an output to; -1 where there is none, -2 after an error.
  int local_of(const std::string& name);
  Scope& names() { return scope_; }

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

  bool in_reference() const { return context_.extents != nullptr; }
  Place guard_place() const;
  void statement(const Stmt& stmt, KernelStmts& out);
  void assign(const Stmt& stmt, const AssignSyntax& syntax, KernelStmts& out);
  void assign_several(const Stmt& stmt, const AssignSyntax& syntax, Typer& typer, KernelStmts& out);
  void bind(const std::string& name, Span name_span, TypedPtr value, const Stmt& stmt, KernelStmts& out);
  bool may_assign(const std::string& name, Span span);
  void poison(const std::string& name, Span span);
  void store(const Stmt& stmt, const StoreSyntax& syntax, KernelStmts& out);
  void store_call(const Stmt& stmt, const CallExpr& call, KernelStmts& out);
  std::optional<RefName> target(const ExprPtr& base);
  bool shared_memory(const Ref& ref, Span span, const std::string& what);
  std::optional<AtomicStmt> atomic(const Stmt& stmt, const CallExpr& call, AtomicOp op, Shape& shape, KernelStmts& out);
  void atomic_call(const Stmt& stmt, const CallExpr& call, AtomicOp op, const AssignSyntax* old, KernelStmts& out);
  void scope(const Stmt& stmt, const ScopeSyntax& syntax, KernelStmts& out);
  // Makes a name of the body, or takes the one there is; the BindStmt with everything but its value's meaning settled.
  std::optional<BindStmt> bound(const std::string& name, Span name_span, TypedPtr value);
  TypedPtr stored(const TypedPtr& value, const Ref& ref, const Shape& shape, Typer& typer);
  void call(const Stmt& stmt, const CallSyntax& syntax, KernelStmts& out);
  void when(const Stmt& stmt, const WhenSyntax& syntax, KernelStmts& out);
  void loop(const Stmt& stmt, const ForSyntax& syntax, KernelStmts& out);
  void written_out(const ForSyntax& syntax, KernelStmts& out);
  // The statements of the loop, in which its variable stands for `variable`.
  KernelStmts turn(const ForSyntax& syntax, TypedPtr variable);
  void while_loop(const Stmt& stmt, const WhileSyntax& syntax, KernelStmts& out);
  void print(const Stmt& stmt, const PrintSyntax& syntax, KernelStmts& out);
  void not_yet(Span span, const std::string& what);
  KernelStmts block(const StmtList& list);
  std::map<std::string, int> scoped_names_;  // how many scopes have named a buffer so
};

}  // namespace pallasgen
