#pragma once

#include <functional>

#include "plan/plan.h"

namespace pallasgen {

// True if the statement has one of these nodes.
template <class... Nodes>
bool is_one_of(const program::Statement& statement) {
  return (std::holds_alternative<Nodes>(statement.node) || ...);
}
// Visits the bindings of one statement, except those of nested statements.
void for_each_binding(const program::Statement& statement, const std::function<void(const program::Binding&)>& visit);
void for_each_binding(program::Statement& statement, const std::function<void(program::Binding&)>& visit);
// Visits each list of bindings of one statement, with the fragment over whose elements its loop runs; -1: none.
template <class Visit>
void for_each_reader(const program::Statement& statement, const Visit& visit) {
  if (const auto* loop = std::get_if<program::Elementwise>(&statement.node)) {
    for (const program::ElementwiseStatement& part : loop->statements) visit(part.bindings, loop->layout_of);
  }
  std::visit(
      [&](const auto& node) {
        if constexpr (requires { node.bindings; }) visit(node.bindings, -1);
      },
      statement.node);
}
// The lists of statements inside a statement.
std::vector<program::Statements*> bodies_of(program::Statement& statement);
// Visits each index of SharedMemory::fields that one statement names, except operands of rings and those of nested
// statements.
void for_each_field(const program::Statement& statement, const std::function<void(int)>& visit);
void for_each_field(program::Statement& statement, const std::function<void(int&)>& visit);
// True if all threads of the role sync in the statement to combine the elements of a tile.
bool meets_in_tile(const program::Statement& statement);
// for_each_fragment() of program.h for a statement that `visit` may change.
void for_each_fragment(program::Statement& statement, const std::function<void(int&)>& visit);
// Visits the index and value expressions of one statement, except those of nested statements.
void for_each_expression(const Plan& plan, const program::Statement& statement,
                         const std::function<void(const TypedPtr&)>& visit);

}  // namespace pallasgen
