#include "planned.h"

using namespace pallasgen;
using namespace pallasgen::program;

TEST_CASE("a copy takes the place that a check before it has read") {
  const Planned planned(text_of("tests/corners/checked_table_of_pages.yaml"));
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  int copies = 0;
  for_each_statement(planned.plan->roles.back().program, [&](const Statement& statement) {
    const auto* copy = std::get_if<AsyncCopy>(&statement.node);
    if (!copy) return;
    ++copies;
    CHECK(to_string(copy->access.dims.front().offset) == "entry");
  });
  CHECK(copies == 2);  // of the first steps, and of those ahead
}
