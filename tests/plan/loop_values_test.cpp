#include "tidy/loop_values.h"

#include "planned.h"
#include "program/program_walk.h"

using namespace pallasgen;

namespace {

const FragmentPlan* fragment_named(const Plan& plan, const std::string& name) {
  for (const FragmentPlan& fragment : plan.fragments) {
    if (fragment.name == name) return &fragment;
  }
  return nullptr;
}

bool is_in_loop(const Planned& planned, const std::string& name) {
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  const FragmentPlan* fragment = fragment_named(*planned.plan, name);
  REQUIRE_MESSAGE(fragment, name);
  return fragment->in_loop;
}

Planned row_kernel(const std::string& body) {
  return Planned(R"yaml(pallasgen: 1
kernel: rows
dims: {M: {}}
grid:
  - {axis: m, size: "cdiv(M, 8)"}
inputs:
  x: {type: "f32[M, 128]", block: [8, 128], index_map: [m, 0], fill: 0}
outputs:
  y: {type: "f32[M, 128]", block: [8, 128], index_map: [m, 0]}
body:
)yaml" + body);
}

}  // namespace

TEST_CASE("what one loop over elements makes and reads is a variable of it") {
  const Planned planned = library("attention/attention_fwd.yaml");
  CHECK(is_in_loop(planned, "rows"));
  CHECK(is_in_loop(planned, "cols"));
  // Rows are read at the columns of a block: one loop makes them, another reads them.
  CHECK(!is_in_loop(planned, "safe"));
  for_each_statement(planned.plan->roles.back().program, [&](const program::Statement& statement) {
    const auto* declared = std::get_if<program::DeclareFragment>(&statement.node);
    if (declared) CHECK(!planned.plan->fragments[static_cast<size_t>(declared->fragment)].in_loop);
  });
}

// Otherwise the running instructions would have no concurrent work.
TEST_CASE("what is computed of fragments stays before a wait for instructions") {
  const Planned planned = library("attention/attention_dq.yaml");
  CHECK(is_in_loop(planned, "cols"));
  CHECK(!is_in_loop(planned, "p"));
}

TEST_CASE("a value that two loops read stays a fragment") {
  const Planned one = row_kernel(R"yaml(  - a = x * 2
  - y[...] = a + a
)yaml");
  CHECK(is_in_loop(one, "a"));
  const Planned two = row_kernel(R"yaml(  - a = x * 2
  - b = sum(a, axis=1)
  - y[...] = a * b[:, None]
)yaml");
  CHECK(!is_in_loop(two, "a"));
}
