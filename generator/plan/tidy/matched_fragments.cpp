#include "tidy/matched_fragments.h"

#include <algorithm>
#include <vector>

#include "program/program_walk.h"

namespace pallasgen {

using program::Statement, program::Statements;

namespace {

// The number of statements that use each fragment.
std::map<int, int> uses_in(const Statements& body) {
  std::map<int, int> uses;
  for_each_statement(
      body, [&](const Statement& statement) { for_each_fragment(statement, [&](int fragment) { ++uses[fragment]; }); });
  return uses;
}

template <class Visit>
void for_each_fragment_inside(Statement& statement, const Visit& visit) {
  for_each_fragment(statement, [&](int& fragment) { visit(fragment); });
  for (Statements* body : bodies_of(statement)) {
    for (Statement& inner : *body) for_each_fragment_inside(inner, visit);
  }
}

}  // namespace

FragmentMatch::FragmentMatch(const Plan& plan, const Statements& program, const Statements& one,
                             const Statements& other)
    : plan_(&plan), all_(uses_in(program)), one_(uses_in(one)), other_(uses_in(other)) {}

std::optional<Statement> FragmentMatch::renamed(Statement statement, Statement like) {
  std::vector<int> from, to;
  for_each_fragment_inside(statement, [&](int fragment) { from.push_back(fragment); });
  for_each_fragment_inside(like, [&](int fragment) { to.push_back(fragment); });
  if (from.size() != to.size()) return std::nullopt;
  const std::map<int, int> before = to_;
  for (size_t i = 0; i < from.size(); ++i) {
    if (may_correspond(from[i], to[i])) continue;
    to_ = before;
    return std::nullopt;
  }
  for_each_fragment_inside(statement, [&](int& fragment) { fragment = to_.at(fragment); });
  return statement;
}

bool FragmentMatch::may_correspond(int a, int b) {
  const auto known = to_.find(a);
  if (known != to_.end()) return known->second == b;
  if (std::any_of(to_.begin(), to_.end(), [&](const auto& pair) { return pair.second == b; })) return false;
  const FragmentPlan &x = plan_->fragments[static_cast<size_t>(a)], &y = plan_->fragments[static_cast<size_t>(b)];
  const bool same = x.dtype == y.dtype && x.layout_text == y.layout_text && x.packed == y.packed &&
                    x.operand_a == y.operand_a && x.in_loop == y.in_loop;
  const bool own = all_.at(a) == one_.at(a) && all_.at(b) == other_.at(b);
  if (a != b && !(same && own)) return false;
  to_.emplace(a, b);
  return true;
}

}  // namespace pallasgen
