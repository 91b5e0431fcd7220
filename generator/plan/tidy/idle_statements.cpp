#include "tidy/idle_statements.h"

#include <algorithm>
#include <set>
#include <string>

#include "program/program_walk.h"

namespace pallasgen {

namespace {

// Scalars that statements read, and names that their expressions use.
struct Read {
  std::set<int> scalars;
  std::set<std::string> names;
};

Read read_in(const Plan& plan, const program::Statements& program) {
  Read read;
  for_each_statement(program, [&](const program::Statement& statement) {
    for_each_binding(statement, [&](const program::Binding& binding) {
      if (binding.kind == program::SlotKind::scalar) read.scalars.insert(binding.scalar);
    });
    for_each_expression(plan, statement, [&](const TypedPtr& expr) {
      walk(expr, [&](const Typed& node) {
        if (const auto* symbol = node.as<Symbol>()) read.names.insert(symbol->name);
      });
    });
  });
  return read;
}

bool is_idle(const Plan& plan, const Read& read, const program::Statement& statement) {
  if (const auto* loop = std::get_if<program::ForElements>(&statement.node)) {
    return loop->body.empty() ||
           std::any_of(loop->shape.begin(), loop->shape.end(), [](const Number& size) { return size.value == 0; });
  }
  const auto* set = std::get_if<program::SetScalar>(&statement.node);
  return set && set->declares && set->constant && (statement.comment.empty() || statement.quotes) &&
         read.scalars.count(set->scalar) == 0 &&
         read.names.count(plan.scalars[static_cast<size_t>(set->scalar)].name) == 0;
}

// Returns true if it dropped any statement.
bool drop(const Plan& plan, const Read& read, program::Statements& block) {
  bool dropped = false;
  for (program::Statement& statement : block) {
    for (program::Statements* body : bodies_of(statement)) dropped |= drop(plan, read, *body);
  }
  return std::erase_if(block, [&](const program::Statement& each) { return is_idle(plan, read, each); }) > 0 || dropped;
}

}  // namespace

void drop_idle_statements(const Draft& draft, program::Statements& program) {
  while (drop(draft.plan, read_in(draft.plan, program), program)) {
  }
}

}  // namespace pallasgen
