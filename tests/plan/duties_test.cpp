// Plans of roles that stand in another order than passes give them.
#include <algorithm>

#include "driver/plan_program.h"
#include "plan/passes.h"
#include "planned.h"
#include "tile/text.h"
#include "tile/walk.h"

using namespace pallasgen;

namespace {

const Planned& backward() {
  static const Planned planned = library("attention/attention_bwd.yaml");
  REQUIRE_MESSAGE(planned.plan, planned.errors());
  return planned;
}

// The programs after the pass of a kernel with three roles, in each order of these.
std::vector<tile::Program> in_each_order(const std::string& pass) {
  const tile::Program program = lower(backward().plan->lowered->kernel, pass);
  REQUIRE(program.roles.size() == 3);
  std::vector<tile::Program> out;
  std::vector<size_t> order = {0, 1, 2};
  do {
    tile::Program other = program;
    for (size_t i = 0; i < order.size(); ++i) other.roles[i] = program.roles[order[i]];
    Sources sources;
    Diagnostics diagnostics;
    const auto read = tile::read_text(sources.add("k.tile", tile::to_text(other)), diagnostics);
    REQUIRE_MESSAGE(read, render(diagnostics, ErrorFormat::text, false));
    out.push_back(*read);
  } while (std::next_permutation(order.begin(), order.end()));
  return out;
}

const RolePlan& role_named(const Plan& plan, const std::string& name) {
  return *std::find_if(plan.roles.begin(), plan.roles.end(), [&](const RolePlan& role) { return role.name == name; });
}

}  // namespace

TEST_CASE("passes give roles in each order the same warps, registers and slots") {
  const std::vector<tile::Program> all = in_each_order("roles");
  const tile::Program first = lower_from(all.front(), *find_target("sm_90a")).back();
  for (const tile::Program& program : all) {
    const tile::Program made = lower_from(program, *find_target("sm_90a")).back();
    CAPTURE(tile::to_text(made));
    CHECK(made.pass == "protocol");
    CHECK(tile::computing_role(made).name == "consumer");
    CHECK(tile::role_with(made, &tile::Duties::copies)->name == "producer");
    CHECK(tile::role_with(made, &tile::Duties::stores)->name == "storer");
    for (const tile::Role& role : first.roles) {
      const tile::Role& same = *tile::role_named(made, role.name);
      CHECK(same.warps == role.warps);
      CHECK(same.registers == role.registers);
    }
    for (size_t i = 0; i < first.channels.size(); ++i) CHECK(made.channels[i].slots == first.channels[i].slots);
  }
}

TEST_CASE("roles in each order have the same plan but for the warps they have") {
  for (tile::Program& program : in_each_order("protocol")) {
    Diagnostics diagnostics;
    Draft draft(backward().plan->lowered->kernel, diagnostics);
    REQUIRE_MESSAGE(plan_program(draft, program), render(diagnostics, ErrorFormat::text, false));
    const Plan &plan = draft.plan, &usual = *backward().plan;
    CAPTURE(explain(plan));
    CHECK(computing_role(plan).name == "consumer");
    for (const RolePlan& role : usual.roles) {
      const RolePlan& same = role_named(plan, role.name);
      CHECK(same.purpose == role.purpose);
      CHECK(same.groups.value == role.groups.value);
      CHECK(same.registers.value == role.registers.value);
      CHECK(same.registers_needed == role.registers_needed);
      CHECK(same.run_by == role.run_by);
      CHECK(same.rings == role.rings);
      CHECK(same.program.size() == role.program.size());
    }
    CHECK(plan.barriers.size() == usual.barriers.size());
    CHECK(plan.shared.total == usual.shared.total);
    CHECK(plan.cost.seconds == usual.cost.seconds);
  }
}
