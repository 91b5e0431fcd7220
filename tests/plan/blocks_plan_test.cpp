#include <algorithm>

#include "planned.h"
#include "program/program_walk.h"

using namespace pallasgen;

namespace {

const program::Load* first_load(const program::Statements& statements) {
  for (const program::Statement& statement : statements) {
    if (const auto* load = std::get_if<program::Load>(&statement.node)) return load;
    const program::Load* inner = nullptr;
    if (const auto* node = std::get_if<program::ForTiles>(&statement.node)) inner = first_load(node->body);
    if (const auto* node = std::get_if<program::ForSteps>(&statement.node)) inner = first_load(node->body);
    if (inner) return inner;
  }
  return nullptr;
}

std::string two_dims(const std::string& rest) { return "pallasgen: 1\nkernel: f\n" + rest; }

}  // namespace

TEST_CASE("grids without inputs") {
  const Planned iota = library("basics/iota8.yaml");
  REQUIRE_MESSAGE(iota.plan.has_value(), iota.errors());
  CHECK(iota.plan->launch.threads.value == 32);
  CHECK(iota.plan->shared.fields.empty());
  CHECK(iota.plan->launch.empty_when.empty());
  REQUIRE(iota.plan->roles.size() == 1);
  CHECK(iota.plan->roles[0].name.empty());
  const Planned ids = library("basics/show_program_ids.yaml");
  REQUIRE_MESSAGE(ids.plan.has_value(), ids.errors());
  CHECK(ids.plan->work.tiles_type == "RowMajorTiles<2>");
  CHECK(ids.plan->fragments[0].layout_text == "StridedLayout<kThreads, 1, bm, bn>");
}

TEST_CASE("vectors are as wide as the facts prove") {
  const Planned proved = library("elementwise/add_matrices.yaml");
  REQUIRE_MESSAGE(proved.plan.has_value(), proved.errors());
  CHECK(first_load(proved.plan->roles[0].program)->access.vector.value == 4);
  CHECK(pointers_of(*proved.plan).size() == 3);
  CHECK(pointers_of(*proved.plan)[0].bytes.value == 16);
  CHECK(proved.diagnostics.all().empty());
  const Planned pairs = library("elementwise/add_matrices.yaml", {{"n_multiple", "2"}});
  REQUIRE(pairs.plan.has_value());
  CHECK(first_load(pairs.plan->roles[0].program)->access.vector.value == 2);
  const Planned single = library("elementwise/add_matrices.yaml", {{"n_multiple", "1"}});
  REQUIRE(single.plan.has_value());
  CHECK(first_load(single.plan->roles[0].program)->access.vector.value == 1);
  CHECK(single.has_rule("slow-path"));
}

TEST_CASE("add_matrices plans for every target") {
  for (const Target& target : targets()) {
    const Planned planned = library("elementwise/add_matrices.yaml", {}, std::string(target.name));
    CHECK_MESSAGE(planned.plan.has_value(), planned.errors());
  }
  CHECK(!library("elementwise/add_matrices_pipelined.yaml", {}, "sm_80").plan.has_value());
  CHECK(library("elementwise/add_matrices_pipelined.yaml", {}, "sm_100a").plan.has_value());
}

TEST_CASE("a warp-specialised kernel reads its ring, releases it, then computes") {
  const Planned planned = library("elementwise/add_matrices_pipelined.yaml");
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  const Plan& plan = *planned.plan;
  REQUIRE(plan.rings.size() == 1);
  CHECK(plan.rings[0].operands.size() == 2);
  CHECK(plan.rings[0].bytes.value == 2 * 32 * 128 * 4);
  CHECK(plan.shared.alignment == 128);
  CHECK(plan.barriers[1].count.value == 8);
  CHECK(count<program::LoadShared>(plan.roles[1].program) == 2);
  CHECK(count<program::TensorLoad>(plan.roles[0].program) == 2);
  CHECK(count<program::StoreGlobal>(plan.roles[1].program) == 1);
}

TEST_CASE("without a producer the threads copy ahead, on every target") {
  for (const Target& target : targets()) {
    const Planned planned = library("pipeline/add_ahead.yaml", {}, std::string(target.name));
    REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
    const Plan& plan = *planned.plan;
    REQUIRE(plan.rings.size() == 1);
    CHECK(plan.rings[0].full == -1);
    CHECK(plan.rings[0].ahead.value == 3);
    CHECK(plan.rings[0].own);
    CHECK(plan.rings[0].operands[1].path == CopyPath::async);
    CHECK(plan.rings[0].operands[1].way == "cp.async, 16 bytes at a time");
    CHECK(plan.maps.empty());
    CHECK(plan.barriers.empty());
    CHECK(count<program::RoleSync>(plan.roles[0].program) == 0);  // each thread reads its own copies
    CHECK(count<program::AsyncCopy>(plan.roles[0].program) == 4);
    CHECK(pointers_of(plan)[0].bytes.value == 16);
  }
}

TEST_CASE("a pipeline of one slot waits for each copy; a slot that is kept goes ahead by a step less") {
  const Planned one = library("pipeline/planes_ahead.yaml", {{"pipeline.stages", "1"}});
  REQUIRE_MESSAGE(one.plan.has_value(), one.errors());
  CHECK(one.plan->rings[0].ahead.value == 0);
  CHECK(count<program::RoleSync>(one.plan->roles[0].program) == 2);
  CHECK(count<program::AsyncCopy>(one.plan->roles[0].program) == 2);
  const Planned kept =
      library("pipeline/planes_ahead.yaml", {{"pipeline.stages", "3"}, {"pipeline.delay_release", "2"}});
  REQUIRE_MESSAGE(kept.plan.has_value(), kept.errors());
  CHECK(kept.plan->rings[0].ahead.value == 0);
  CHECK(count<program::RoleSync>(kept.plan->roles[0].program) == 1);
  const Planned more = library("pipeline/planes_ahead.yaml", {{"pipeline.stages", "2"}});
  REQUIRE_MESSAGE(more.plan.has_value(), more.errors());
  CHECK(count<program::RoleSync>(more.plan->roles[0].program) == 1);
  const Planned none = library("pipeline/add_ahead.yaml", {{"pipeline.stages", "0"}});
  REQUIRE_MESSAGE(none.plan.has_value(), none.errors());
  CHECK(none.plan->rings.empty());
  CHECK(count<program::Load>(none.plan->roles[0].program) == 2);
}

TEST_CASE("rings of operands with stages of their own, by what is proved of their alignment") {
  const Planned planned = library("pipeline/row_dots_ahead.yaml");
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  const Plan& plan = *planned.plan;
  REQUIRE(plan.rings.size() == 2);
  CHECK(plan.rings[0].operands[0].path == CopyPath::registers);
  CHECK(plan.rings[0].ahead.value == 1);
  CHECK(plan.rings[1].operands[0].way == "cp.async, 4 bytes at a time");
  CHECK(plan.rings[1].ahead.value == 2);
  CHECK(planned.has_rule("slow-path"));
  // The synchronisation alone orders copies through registers: the wait is for w, two steps ahead.
  const auto& tile = std::get<program::ForTiles>(plan.roles[0].program[0].node).body;
  for (const program::Statement& statement : tile) {
    const auto* steps = std::get_if<program::ForSteps>(&statement.node);
    if (!steps) continue;
    const auto* wait = std::get_if<program::WaitCopies>(&steps->body[0].node);
    REQUIRE(wait);
    CHECK(wait->groups.value == 1);
  }
  CHECK(std::any_of(tile.begin(), tile.end(), [](const program::Statement& statement) {
    return std::holds_alternative<program::ForRange>(statement.node);
  }));
}

TEST_CASE("one thread of a producer copies what one access moves") {
  const Planned planned = library("matmul/matmul_f8_blocks.yaml");
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  CHECK(planned.plan->roles.front().run_by == Issuer::one_thread);
  const auto ring = std::find_if(planned.plan->rings.begin(), planned.plan->rings.end(),
                                 [](const RingPlan& each) { return each.operands.front().name == "w_scale"; });
  REQUIRE(ring != planned.plan->rings.end());
  const BarrierPlan& full = planned.plan->barriers[static_cast<size_t>(ring->full)];
  CHECK(full.count.value == 1);
  CHECK_FALSE(full.tx_bytes);  // an arrival follows its copies
  CHECK(full.completes_after == "1 arrival");
}

TEST_CASE("beside a producer its threads copy what no tensor copy is proved to take") {
  const Planned planned = library("pipeline/add_any_rows.yaml");
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  const Plan& plan = *planned.plan;
  REQUIRE(plan.rings.size() == 2);
  CHECK(plan.rings[0].operands[0].path == CopyPath::async);
  CHECK(plan.rings[0].operands[1].path == CopyPath::registers);
  CHECK(plan.rings[1].operands[0].path == CopyPath::tensor);
  // Each of 128 threads arrives once for its cp.async and once for its stores.
  CHECK(plan.barriers[plan.rings[0].full].count.value == 256);
  CHECK(count<program::ArriveFilled>(plan.roles[0].program) == 2);
  CHECK(count<program::TensorLoad>(plan.roles[0].program) == 1);
  CHECK(plan.roles[0].run_by == Issuer::all);
  CHECK(planned.has_rule("slow-path"));
}

TEST_CASE("the rows of large blocks are done in turn") {
  const Planned planned = library("elementwise/add_matrices.yaml", {{"bm", "256"}, {"bn", "512"}});
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  CHECK(count<program::ForRange>(planned.plan->roles[0].program) == 1);
  int64_t registers = 0;
  for (const FragmentPlan& fragment : planned.plan->fragments) registers += registers_per_thread(fragment.layout);
  CHECK(registers <= 255 - 24);
}

TEST_CASE("a ring that moves with the tile") {
  const Planned planned(
      two_dims("dims: {M: {}, N: {multiple_of: 4}}\n"
               "grid: [{axis: m, size: \"cdiv(M, 32)\"}, {axis: n, size: \"cdiv(N, 64)\"}]\n"
               "inputs: {x: {type: \"f32[M, N]\", block: [32, 64], index_map: [m, n]}}\n"
               "outputs: {z: {type: \"f32[M, N]\", block: [32, 64], index_map: [m, n]}}\n"
               "pipeline: {stages: 2, warp_specialized: true}\n"
               "schedule: {persistent: true}\n"
               "body: [\"z[...] = x * 2.0\"]\n"));
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  const auto& tiles = std::get<program::ForTiles>(planned.plan->roles[1].program[0].node);
  CHECK(tiles.rings == std::vector<int>{0});
  CHECK(planned.plan->rings[0].moves_on.empty());
}

TEST_CASE("accumulation along a sequential axis stays in registers") {
  const Planned planned(
      two_dims("dims: {M: {}, N: {}}\n"
               "grid: [{axis: m, size: \"cdiv(M, 8)\"}, {axis: n, size: N, semantics: sequential}]\n"
               "inputs: {x: {type: \"f32[M, N]\", block: [8, squeezed], index_map: [m, n], fill: 0}}\n"
               "outputs: {z: {type: \"f32[M]\", block: [8], index_map: [m]}}\n"
               "body:\n"
               "  - when: n == 0\n"
               "    do: [\"z[...] = 0\"]\n"
               "  - z[...] += x\n"));
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  const auto& tile = std::get<program::ForTiles>(planned.plan->roles[0].program[0].node).body;
  CHECK(count<program::ForSteps>(tile) == 1);
  CHECK(std::holds_alternative<program::StoreGlobal>(tile.back().node));
  CHECK(count<program::StoreGlobal>(tile) == 1);
}

TEST_CASE("an output in registers that steps alone write is not written where there is none") {
  const auto conditions = [](const std::string& size, const std::string& body) {
    const Planned planned(two_dims("dims: {K: {}}\ngrid:\n  - {axis: i, size: 4}\n  - {axis: k, size: " + size +
                                   ", semantics: sequential}\n  - {axis: t, size: 2, semantics: sequential}\n"
                                   "outputs: {o: {type: \"f32[32]\", block: [8], index_map: [i], init: 3}}\nbody:\n" +
                                   body));
    REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
    std::vector<std::string> found;
    for_each_statement(planned.plan->roles[0].program, [&](const program::Statement& statement) {
      if (const auto* branch = std::get_if<program::If>(&statement.node)) found.push_back(to_string(branch->condition));
    });
    return found;
  };
  const std::string store = "  - o[...] = t\n", first = "  - {when: k == 0 and t == 0, do: [\"o[...] = 0\"]}\n";
  CHECK(conditions("K", store) == std::vector<std::string>{"num_programs(k) != 0"});
  CHECK(conditions("\"K + 1\"", store).empty());
  CHECK(conditions("K", first + "  - o[...] += 1\n").empty());
}

TEST_CASE("a vector that stretches along a matrix lies as the columns of it do") {
  const Planned planned(
      two_dims("dims: {M: {}, N: {multiple_of: 4}}\n"
               "grid: [{axis: m, size: \"cdiv(M, 8)\"}, {axis: n, size: \"cdiv(N, 16)\"}]\n"
               "inputs:\n"
               "  x: {type: \"f32[M, N]\", block: [8, 16], index_map: [m, n]}\n"
               "  b: {type: \"f32[N]\", block: [16], index_map: [n]}\n"
               "outputs: {z: {type: \"f32[M, N]\", block: [8, 16], index_map: [m, n]}}\n"
               "body: [\"z[...] = x + b[None, :]\"]\n"));
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  int loads = 0;
  for_each_statement(planned.plan->roles[0].program, [&](const program::Statement& statement) {
    const auto* load = std::get_if<program::Load>(&statement.node);
    if (!load || planned.plan->kernel->refs[load->access.ref].name != "b") return;
    ++loads;
    CHECK(planned.plan->fragments[load->fragment].layout_text == "ColumnSlice<Rows>");
    CHECK(load->access.vector.value == 4);
  });
  CHECK(loads == 1);
}
