#include "planned.h"

using namespace pallasgen;
using namespace pallasgen::program;

TEST_CASE("operands that end with the same row are cleared in one branch, with one fence and one meeting") {
  const Planned planned = library("matmul/ragged_contraction.yaml");
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  int branches = 0;
  for_each_statement(planned.plan->roles.back().program, [&](const Statement& statement) {
    const auto* branch = std::get_if<If>(&statement.node);
    if (!branch || count<ClearRows>(branch->then) == 0) return;
    ++branches;
    CHECK(count<ClearRows>(branch->then) == 2);
    CHECK(count<FenceAsync>(branch->then) == 1);
    CHECK(count<RoleSync>(branch->then) == 1);
    CHECK(branch->then.front().comment == "the slices of x and dy end before their blocks: the rest becomes 0 ...");
  });
  CHECK(branches == 1);
}
