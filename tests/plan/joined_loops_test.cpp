#include "joined_loops.h"

#include "counts.h"
#include "example.h"
#include "planned.h"
#include "program_walk.h"

using namespace pallasgen;
using namespace pallasgen::program;

namespace {

std::vector<const ForSteps*> loops_of(const Plan& plan) {
  std::vector<const ForSteps*> loops;
  for_each_statement(plan.roles.back().program, [&](const Statement& statement) {
    if (const auto* steps = std::get_if<ForSteps>(&statement.node)) loops.push_back(steps);
  });
  return loops;
}

std::vector<const If*> told_runs(const ForSteps& loop) {
  std::vector<const If*> branches;
  for_each_statement(loop.body, [&](const Statement& statement) {
    const auto* branch = std::get_if<If>(&statement.node);
    if (branch && !branch->run.empty()) branches.push_back(branch);
  });
  return branches;
}

}  // namespace

TEST_CASE("the steps of attention without a mask and with one are two runs of one loop") {
  const Planned planned = library("attention/attention_fwd.yaml");
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  const std::vector<const ForSteps*> loops = loops_of(*planned.plan);
  REQUIRE(loops.size() == 1);
  CHECK(loops[0]->second == "masked");
  CHECK(constant_value(loops[0]->first) == 1);
  CHECK(loops[0]->middle != nullptr);
  CHECK(loops[0]->last == nullptr);
  const std::vector<const If*> branches = told_runs(*loops[0]);
  REQUIRE(branches.size() == 1);
  CHECK(branches[0]->run == "masked");
  // Only the mask, with the places that it is made of.
  REQUIRE(branches[0]->then.size() == 1);
  CHECK(std::get<Elementwise>(branches[0]->then[0].node).statements.size() == 3);
}

TEST_CASE("what a loop sets in its first step, both runs set in the first one of all") {
  const Planned planned = library("attention/attention_dq.yaml");
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  const std::vector<const ForSteps*> loops = loops_of(*planned.plan);
  REQUIRE(loops.size() == 1);
  CHECK(loops[0]->second == "masked");
  int sets = 0, adds = 0;
  for_each_statement(loops[0]->body, [&](const Statement& statement) {
    const auto* mma = std::get_if<Mma>(&statement.node);
    sets += mma && mma->accumulate == Accumulate::not_first_step;
    adds += mma && mma->accumulate == Accumulate::always;
  });
  CHECK(sets == 1);
  CHECK(adds == 0);
}

TEST_CASE("loops whose statements have another order stay two") {
  const Planned planned = library("attention/attention_dkv.yaml");
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  int joined = 0;
  for (const ForSteps* loop : loops_of(*planned.plan)) joined += !loop->second.empty();
  CHECK(joined == 0);
  CHECK(loops_of(*planned.plan).size() == 3);  // over h, and two over i
}

// The condition of a branch still says which steps it holds for.
TEST_CASE("the counts of a plan see the runs of a loop") {
  const Planned planned = library("attention/attention_fwd.yaml");
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  const Example example(*planned.plan->kernel, *planned.plan->target);
  CHECK(count_tile(*planned.plan, example).step.slots == doctest::Approx(planned.plan->cost.instructions_per_step));
}
