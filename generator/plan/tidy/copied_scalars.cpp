#include "tidy/copied_scalars.h"

#include <algorithm>

#include "program/program_walk.h"

namespace pallasgen {

using program::Binding, program::SetScalar, program::SlotKind, program::Statement, program::Statements;

namespace {

class CopiedScalars {
 public:
  CopiedScalars(Plan& plan, Statements& program) : plan_(plan), program_(program) {}

  void run() { visit(program_); }

 private:
  void visit(Statements& block) {
    for (size_t i = 0; i + 1 < block.size(); ++i) {
      if (!is_copied(block[i], block[i + 1])) continue;
      auto& made = std::get<SetScalar>(block[i].node);
      auto& copy = std::get<SetScalar>(block[i + 1].node);
      copy.value = std::move(made.value);
      copy.bindings = std::move(made.bindings);
      if (copy.quoted.empty()) copy.quoted = std::move(made.quoted);
      block.erase(block.begin() + static_cast<std::ptrdiff_t>(i));
    }
    for (Statement& statement : block) {
      for (Statements* body : bodies_of(statement)) visit(*body);
    }
  }

  bool is_copied(const Statement& first, const Statement& second) const {
    const auto* made = std::get_if<SetScalar>(&first.node);
    const auto* copy = std::get_if<SetScalar>(&second.node);
    if (!made || !copy || !made->declares || !made->constant || !first.comment.empty()) return false;
    const ScalarValue& from = plan_.scalars[static_cast<size_t>(made->scalar)];
    if (from.dtype == DType::index || from.dtype != plan_.scalars[static_cast<size_t>(copy->scalar)].dtype)
      return false;
    const auto* use = copy->value->as<LocalUse>();
    if (!use) return false;
    const Binding& read = copy->bindings[static_cast<size_t>(use->id)];
    return read.kind == SlotKind::scalar && read.scalar == made->scalar && reads_of(made->scalar) == 1 &&
           !is_named(from.name);
  }

  int64_t reads_of(int scalar) const {
    int64_t reads = 0;
    for_each_statement(program_, [&](const Statement& statement) {
      for_each_binding(statement, [&](const Binding& binding) {
        reads += binding.kind == SlotKind::scalar && binding.scalar == scalar;
      });
    });
    return reads;
  }

  // True if an index expression uses the variable.
  bool is_named(const std::string& name) const {
    bool named = false;
    for_each_statement(program_, [&](const Statement& statement) {
      for_each_expression(plan_, statement, [&](const TypedPtr& expr) {
        walk(expr, [&](const Typed& node) {
          const Symbol* symbol = node.as<Symbol>();
          named = named || (symbol && symbol->name == name);
        });
      });
    });
    return named;
  }

  Plan& plan_;
  Statements& program_;
};

}  // namespace

void drop_copied_scalars(Draft& draft) {
  for (RolePlan& role : draft.plan.roles) CopiedScalars(draft.plan, role.program).run();
}

}  // namespace pallasgen
