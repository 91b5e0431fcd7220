#include "tidy/joined_loops.h"

#include <algorithm>

#include "model/counts.h"
#include "model/example.h"
#include "planned.h"
#include "program/program_walk.h"

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
  // Only the mask, with the positions that it is made of.
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

TEST_CASE("a mask that comes before other values waits where the steps without it do") {
  for (const char* path : {"attention/attention_dkv.yaml", "attention/attention_bwd.yaml"}) {
    const Planned planned = library(path);
    REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
    const std::vector<const ForSteps*> loops = loops_of(*planned.plan);
    REQUIRE(loops.size() == 2);  // over h and over i
    CHECK(loops[1]->second == "clean");
    const std::vector<const If*> branches = told_runs(*loops[1]);
    REQUIRE(branches.size() == 1);
    CHECK(branches[0]->run == "!clean");
    // There is one wait for s, after lse2, as in the steps without the mask.
    const auto is_branch = [&](const Statement& statement) { return std::get_if<If>(&statement.node) == branches[0]; };
    const auto branch = std::find_if(loops[1]->body.begin(), loops[1]->body.end(), is_branch);
    REQUIRE(branch != loops[1]->body.end());
    CHECK(std::holds_alternative<MmaWait>((branch - 1)->node));
    CHECK(std::holds_alternative<Elementwise>((branch - 2)->node));
  }
}

// The condition of a branch still determines the steps that it holds for.
TEST_CASE("the counts of a plan see the runs of a loop") {
  const Planned planned = library("attention/attention_fwd.yaml");
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  const Example example(*planned.plan->kernel, *planned.plan->target);
  CHECK(count_tile(*planned.plan, example).step.slots == doctest::Approx(planned.plan->cost.instructions_per_step));
}
