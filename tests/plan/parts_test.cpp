#include "tidy/parts.h"

#include "model/counts.h"
#include "planned.h"
#include "program/program_walk.h"

using namespace pallasgen;

namespace {

// A scan over blocks in steps, the first and the ragged of which have a guard of their own: statements after the guards
// occur several times.
std::string in_steps(const std::string& body) {
  return R"yaml(pallasgen: 1
kernel: in_steps
dims: {M: {}, N: {multiple_of: 4}}
grid:
  - {axis: m, size: "cdiv(M, 8)"}
  - {axis: n, size: "cdiv(N, 128)", semantics: sequential}
inputs:
  x: {type: "f32[M, N]", block: [8, 128], index_map: [m, n], fill: 0}
outputs:
  y: {type: "f32[M]", block: [8], index_map: [m]}
scratch:
  l: {type: "f32[8]"}
body:
)yaml" + body;
}

int calls(const Plan& plan, int part) {
  int found = 0;
  for (const RolePlan& role : plan.roles) {
    for_each_statement(role.program, [&](const program::Statement& statement) {
      const auto* call = std::get_if<program::CallPart>(&statement.node);
      found += call && call->part == part;
    });
  }
  return found;
}

}  // namespace

TEST_CASE("the softmax of attention stands twice and is one part") {
  const Planned planned = library("attention/attention_fwd.yaml");
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  const Plan& plan = *planned.plan;
  REQUIRE(plan.parts.size() == 1);
  const PartPlan& part = plan.parts.front();
  CHECK(part.name == "compute_p");
  CHECK(part.places == 2);
  CHECK(calls(plan, 0) == 2);
  std::vector<std::string> names, written;
  for (const PartPlan::Argument& argument : part.fragments) {
    names.push_back(plan.fragments[static_cast<size_t>(argument.fragment)].name);
    if (argument.written) written.push_back(names.back());
  }
  CHECK(names == std::vector<std::string>{"s_", "m", "l", "p", "alpha"});
  CHECK(written == std::vector<std::string>{"m", "l", "p", "alpha"});
  CHECK(part.scalars.size() == 1);
  // new_m, safe and the two reductions belong to it, and are declared nowhere else.
  std::set<int> own;
  for (const program::Statement& statement : part.program) {
    if (const auto* declared = std::get_if<program::DeclareFragment>(&statement.node)) own.insert(declared->fragment);
  }
  CHECK(own.size() == 4);
  for_each_statement(plan.roles.back().program, [&](const program::Statement& statement) {
    for_each_fragment(statement, [&](int fragment) { CHECK(own.count(fragment) == 0); });
  });
}

// The dots of a step and its softmax count the same, in a part or not.
TEST_CASE("the counts of a plan see what stands in its parts") {
  const Planned planned = library("attention/attention_fwd.yaml");
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  Plan without = *planned.plan;
  const Example example(*without.kernel, *without.target);
  const double slots = count_tile(without, example).step.slots;
  without.parts.front().program.clear();
  CHECK(count_tile(without, example).step.slots < slots / 2);
  CHECK(slots == doctest::Approx(planned.plan->cost.instructions_per_step));
}

TEST_CASE("what is short stays where it is") {
  const Planned planned(in_steps(R"yaml(  - when: n == 0
    do: ["l[...] = 0"]
  - z = x
  - when: (n + 1) * 128 > N
    do: ["z = z * 2"]
  - l[...] += sum(z, axis=1)
  - when: n == num_programs(n) - 1
    do: ["y[...] = l"]
)yaml"));
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  CHECK(planned.plan->parts.empty());
  int sums = 0;
  for_each_statement(planned.plan->roles.back().program, [&](const program::Statement& statement) {
    sums += std::holds_alternative<program::ReduceFragment>(statement.node);
  });
  CHECK(sums >= 2);  // it occurs twice
}

TEST_CASE("a guard that cuts a loop makes parts of what stands behind it where both loops have more") {
  const Planned planned(in_steps(R"yaml(  - when: n == 0
    do: ["l[...] = 0"]
  - z = x
  - when: (n + 1) * 128 > N
    do: ["z = where(iota(i32, [8, 128], 1) + n * 128 < N, z, -1)"]
    else: ["z = where(z > 0, z, z * 3)"]
  - a = exp(z) * 2
  - b = sum(a, axis=1)
  - c = max(z, axis=1)
  - d = a * c[:, None]
  - l[...] = l * 0.5 + b + sum(d, axis=1)
  - when: n == num_programs(n) - 1
    do: ["y[...] = l"]
)yaml"));
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  const Plan& plan = *planned.plan;
  REQUIRE(plan.parts.size() == 1);
  CHECK(calls(plan, 0) == 2);
  CHECK(plan.parts.front().places == 2);
}
