#pragma once

#include <functional>

#include "plan/plan.h"

namespace pallasgen {

// Whether the statement is of one of these nodes.
template <class... Nodes>
bool is_one_of(const program::Statement& statement) {
  return (std::holds_alternative<Nodes>(statement.node) || ...);
}
// Visits what the expressions of one statement read, not of those inside it.
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
// Visits each index of SharedMemory::fields that one statement names, not of those inside it, but the operands of
// rings.
void for_each_field(const program::Statement& statement, const std::function<void(int)>& visit);
void for_each_field(program::Statement& statement, const std::function<void(int&)>& visit);
// Whether all threads of the role come together in the statement, to combine what a tile holds.
bool meets_in_tile(const program::Statement& statement);
// for_each_fragment() of program.h, of a statement that changes.
void for_each_fragment(program::Statement& statement, const std::function<void(int&)>& visit);
// Visits the index and value expressions of one statement, not of those inside it.
void for_each_expression(const Plan& plan, const program::Statement& statement,
                         const std::function<void(const TypedPtr&)>& visit);

}  // namespace pallasgen
