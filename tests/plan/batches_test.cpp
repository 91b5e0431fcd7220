#include "select/batches.h"

#include <algorithm>

#include "planned.h"

using namespace pallasgen;
using namespace pallasgen::program;

namespace {

// Returns how many dots use instructions, by the plan's decisions.
int64_t dots_by_instructions(const Plan& plan) {
  return std::count_if(plan.decisions.begin(), plan.decisions.end(), [](const Decision& decision) {
    return decision.subject.starts_with("dot ") && decision.choice.starts_with("wgmma");
  });
}

std::string with_body(const std::string& body) {
  return R"yaml(pallasgen: 1
kernel: products
dims: {B: {}, M: {}}
grid:
  - {axis: b, size: "cdiv(B, 2)"}
  - {axis: i, size: "cdiv(M, 64)"}
inputs:
  x: {type: "bf16[B, M, 64]", block: [2, 64, 64], index_map: [b, i, 0], fill: 0}
  y: {type: "bf16[B, 64, 64]", block: [2, 64, 64], index_map: [b, 0, 0], fill: 0}
outputs:
  o: {type: "f32[B, M, 64]", block: [2, 64, 64], index_map: [b, i, 0]}
  u: {type: "f32[cdiv(B, 2), M, 64]", block: [squeezed, 64, 64], index_map: [b, i, 0]}
body:
)yaml" + body;
}

}  // namespace

TEST_CASE("each matrix of a batch is multiplied by instructions, and copied by the map that all share") {
  const Planned planned(text_of("tests/corners/batch_of_products.yaml"));
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  CHECK(dots_by_instructions(*planned.plan) == 4);
  std::vector<std::string> maps, operands;
  for (const TensorMapPlan& map : planned.plan->maps) maps.push_back(map.name);
  for (const RingOperand& operand : planned.plan->rings.at(0).operands) operands.push_back(operand.name);
  CHECK(maps == std::vector<std::string>{"map_x", "map_y", "map_o"});
  CHECK(operands == std::vector<std::string>{"x_0", "x_1", "x_2", "x_3", "y_0", "y_1", "y_2", "y_3"});
  CHECK(planned.plan->stores.size() == 1);
}

TEST_CASE("what is made of a batch matrix by matrix is written out, whatever it is made with") {
  const Planned planned(with_body(R"(  - p = dot(x, y)
  - place = iota(f32, [2, 64, 64], 0) + iota(f32, [2, 64, 64], 2)
  - top = max(p, axis=2)
  - o[...] = where(place > 1, p - top[:, :, None], p[0:1])
  - u[...] = 0
)"));
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  CHECK(dots_by_instructions(*planned.plan) == 2);
  CHECK(!planned.has_scalar_dot());
}

TEST_CASE("stores of parts that have no element in common have no barrier between them") {
  const Planned planned(text_of("tests/corners/batch_of_heads.yaml"));
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  CHECK(count<StoreGlobal>(planned.plan->roles.back().program) == 2);
  CHECK(count<RoleSync>(planned.plan->roles.back().program) == 0);
}

TEST_CASE("a batch stays whole where a value takes several of its matrices") {
  const Planned planned(with_body("  - p = dot(x, y)\n  - o[...] = p\n  - u[...] = sum(p, axis=0)\n"));
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  CHECK(dots_by_instructions(*planned.plan) == 0);
  CHECK(planned.errors().find("a grid axis can take the batch") != std::string::npos);
}
