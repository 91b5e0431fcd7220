#include "planned.h"
#include "program/program_walk.h"

using namespace pallasgen;
using namespace pallasgen::program;

namespace {

// Counts the role's copies whose start along the dim of the array is the one in the check before them.
int copies_from_entry(const Plan& plan, const RolePlan& role) {
  int copies = 0;
  for_each_statement(role.program, [&](const Statement& statement) {
    if (const auto* copy = std::get_if<AsyncCopy>(&statement.node)) {
      ++copies;
      CHECK(to_string(copy->access.dims.front().offset) == "entry");
    }
    const auto* load = std::get_if<TensorLoad>(&statement.node);
    if (!load || plan.rings[static_cast<size_t>(load->ring)].operands[static_cast<size_t>(load->operand)].name != "x")
      return;
    ++copies;
    REQUIRE(!load->coordinates.empty());
    CHECK(to_string(load->coordinates.front()) == "entry");
  });
  return copies;
}

}  // namespace

TEST_CASE("a copy takes the place that a check before it has read") {
  for (const auto& [path, copies] : {std::pair("tests/corners/checked_table_of_pages.yaml", 2),
                                     std::pair("tests/corners/checked_table_beside_producer.yaml", 1)}) {
    CAPTURE(path);
    const Planned planned(text_of(path));
    REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
    // For the first steps and those ahead, or in the producer.
    CHECK(copies_from_entry(*planned.plan, planned.plan->roles.front()) == copies);
  }
}
