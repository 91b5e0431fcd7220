#pragma once

#include <map>
#include <string>

#include "body/body_names.h"

namespace pallasgen {

// Types statements of the body and of the reference, in which outputs are bound as names.
class BodyTyper {
 public:
  BodyTyper(Context& context, const Place& place) : context_(context), names_(context, place) {}

  // Returns the statements without errors; errors in the others are reported.
  KernelStmts statements(const StmtList& list);
  // Binds an output's name to a value, as the reference does; false after an error.
  bool bind_output(const Named& output, const ExprPtr& value, KernelStmts& out);
  BodyNames& names() { return names_; }

 private:
  Context& context_;
  BodyNames names_;
  std::map<std::string, int> scoped_names_;  // how many scopes have used a name

  void statement(const Stmt& stmt, KernelStmts& out);
  void assign(const Stmt& stmt, const AssignSyntax& syntax, KernelStmts& out);
  void assign_several(const Stmt& stmt, const AssignSyntax& syntax, TypingContext& in, KernelStmts& out);
  void bind(const std::string& name, Span name_span, TypedPtr value, const Stmt& stmt, KernelStmts& out);
  void store(const Stmt& stmt, const StoreSyntax& syntax, KernelStmts& out);
  void scope(const Stmt& stmt, const ScopeSyntax& syntax, KernelStmts& out);
  void call(const Stmt& stmt, const CallSyntax& syntax, KernelStmts& out);
  void when(const Stmt& stmt, const WhenSyntax& syntax, KernelStmts& out);
  void loop(const Stmt& stmt, const ForSyntax& syntax, KernelStmts& out);
  void unroll_fully(const ForSyntax& syntax, KernelStmts& out);
  // The statements of the loop's body for one iteration, with `variable` as the value of the loop's variable.
  KernelStmts turn(const ForSyntax& syntax, TypedPtr variable);
  void while_loop(const Stmt& stmt, const WhileSyntax& syntax, KernelStmts& out);
  void not_yet(Span span, const std::string& what);
  KernelStmts block(const StmtList& list);
};

// The passes on the body and on the reference. Each reports all errors and keeps what is correct in the kernel.
void check_body(Context& context);
void check_reference(Context& context);

}  // namespace pallasgen
