#include "tidy/rolled_repeats.h"

#include <algorithm>

#include "planned.h"

using namespace pallasgen;
using namespace pallasgen::program;

namespace {

// Returns the loops over parts of the role that computes.
std::vector<const ForRange*> ranges_of(const Plan& plan) {
  std::vector<const ForRange*> loops;
  for_each_statement(plan.roles.back().program, [&](const Statement& statement) {
    const auto* range = std::get_if<ForRange>(&statement.node);
    if (range && count<Mma>(range->body) > 0) loops.push_back(range);
  });
  return loops;
}

// Returns the conditions of the branches in the loop's body that contain statements of this kind.
template <class T>
std::vector<std::string> conditions_of(const ForRange& loop) {
  std::vector<std::string> conditions;
  for (const Statement& statement : loop.body) {
    const auto* branch = std::get_if<If>(&statement.node);
    if (branch && count<T>(branch->then) > 0) conditions.push_back(to_string(branch->condition));
  }
  return conditions;
}

}  // namespace

TEST_CASE("the parts of a dot with scales are turns of one loop") {
  const Planned planned = library("matmul/matmul_mx8.yaml");
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  CHECK(count<Mma>(planned.plan->roles.back().program) == 1);
  const std::vector<const ForRange*> loops = ranges_of(*planned.plan);
  REQUIRE(loops.size() == 1);
  CHECK(constant_value(loops[0]->start) == 0);
  CHECK(constant_value(loops[0]->stop) == 4);
  CHECK(loops[0]->unroll == 4);
  CHECK(count<LoadTile>(loops[0]->body) == 2);
  // The scales are written before the first part; the operands have been read after the last.
  CHECK(conditions_of<RoleSync>(*loops[0]) == std::vector<std::string>{"part == 0"});
  CHECK(conditions_of<Release>(*loops[0]) == std::vector<std::string>{"part == 3"});
  CHECK(count<Release>(loops[0]->body) == 1);
}

TEST_CASE("turns behind another first one go on from its number") {
  const Planned planned(text_of("tests/corners/scaled_loop.yaml"));
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  const std::vector<const ForRange*> loops = ranges_of(*planned.plan);
  REQUIRE(loops.size() == 1);
  CHECK(constant_value(loops[0]->start) == 1);
  CHECK(constant_value(loops[0]->stop) == 4);
  CHECK(conditions_of<Release>(*loops[0]) == std::vector<std::string>{"part == 3"});
}

TEST_CASE("the variable has a name apart from those of the body") {
  std::string text = text_of("tests/corners/scaled_parts.yaml");
  text.replace(text.find("p = dot"), 1, "part");
  text.replace(text.find("p * 0.5"), 1, "part");
  const Planned planned(text);
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  const std::vector<const ForRange*> loops = ranges_of(*planned.plan);
  REQUIRE(loops.size() == 1);
  const std::vector<FragmentPlan>& fragments = planned.plan->fragments;
  const auto is_called = [&](const std::string& name) {
    return std::any_of(fragments.begin(), fragments.end(), [&](const FragmentPlan& each) { return each.name == name; });
  };
  CHECK(is_called("part"));
  CHECK_FALSE(is_called(loops[0]->variable));
}

TEST_CASE("statements of the spec that are alike keep their own words") {
  const Planned planned(text_of("tests/corners/rows_of_a_transposed_name.yaml"));
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  CHECK(ranges_of(*planned.plan).empty());
  CHECK(count<Mma>(planned.plan->roles.back().program) == 2);
}
