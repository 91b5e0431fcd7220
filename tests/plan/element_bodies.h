#pragma once
#include <functional>
#include <string>
#include <vector>

#include "planned.h"

// Plans of bodies that compute per element, and their content.
namespace element_bodies {

using namespace pallasgen;

inline void visit(const program::Statements& statements, const std::function<void(const program::Statement&)>& seen) {
  for (const program::Statement& statement : statements) {
    seen(statement);
    std::visit(
        [&](const auto& node) {
          if constexpr (requires { node.body; }) visit(node.body, seen);
          if constexpr (requires { node.otherwise; }) {
            visit(node.then, seen);
            visit(node.otherwise, seen);
          }
        },
        statement.node);
  }
}

template <class T>
int count(const Plan& plan) {
  int found = 0;
  visit(plan.roles[0].program,
        [&](const program::Statement& statement) { found += std::holds_alternative<T>(statement.node) ? 1 : 0; });
  return found;
}

// Returns the comments of the syncs, in order.
inline std::vector<std::string> syncs(const Plan& plan) {
  std::vector<std::string> comments;
  visit(plan.roles[0].program, [&](const program::Statement& statement) {
    if (std::holds_alternative<program::RoleSync>(statement.node)) comments.push_back(statement.comment);
  });
  return comments;
}

// Returns who runs the loops over elements, in order.
inline std::vector<program::Share> loops(const Plan& plan) {
  std::vector<program::Share> shares;
  visit(plan.roles[0].program, [&](const program::Statement& statement) {
    if (const auto* loop = std::get_if<program::ForElements>(&statement.node)) shares.push_back(loop->by);
  });
  return shares;
}

inline std::vector<std::string> tiles(const Plan& plan) {
  std::vector<std::string> names;
  for (const SharedField& field : plan.shared.fields) names.push_back(field.name);
  return names;
}

inline Planned of_rows(const std::string& body, const std::string& more = "") {
  return Planned(
      "pallasgen: 1\nkernel: f\ndims: {M: {}}\nconsts: {bm: 8}\ngrid: [{axis: m, size: \"cdiv(M, bm)\"}]\n"
      "inputs:\n  x: {type: \"f32[M, 64]\", block: [bm, 64], index_map: [m, 0], fill: 0}\n" +
      more + "body:\n" + body);
}
inline constexpr const char* kMatrix = "outputs:\n  o: {type: \"f32[M, 64]\", block: [bm, 64], index_map: [m, 0]}\n";
inline constexpr const char* kVector = "outputs:\n  o: {type: \"f32[M]\", block: [bm], index_map: [m]}\n";
// A value that no fragment holds.
inline const std::string kTwice = "concatenate([x, x], axis=1)";

}  // namespace element_bodies
