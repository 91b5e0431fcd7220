#include <algorithm>
#include <filesystem>

#include "planned.h"
#include "program/program_walk.h"

using namespace pallasgen;

namespace {

using namespace program;

template <class Node>
bool is(const Statement& statement) {
  return std::holds_alternative<Node>(statement.node);
}

bool reads_by_loads(const Statement& statement, int ring) {
  const auto* load = std::get_if<LoadShared>(&statement.node);
  const auto* product = std::get_if<MultiplyAdd>(&statement.node);
  bool reads = (load && load->ring == ring) || (product && (product->a.ring == ring || product->b.ring == ring));
  for_each_binding(statement, [&](const Binding& binding) { reads = reads || binding.ring == ring; });
  return reads;
}

// Returns a role's statements in the order of the text.
std::vector<const Statement*> flat(const Statements& program) {
  std::vector<const Statement*> list;
  for_each_statement(program, [&](const Statement& statement) { list.push_back(&statement); });
  return list;
}

// Returns the last place before `end` for which `wanted` holds; 0 for none, places count from 1.
template <class Wanted>
size_t last_before(const std::vector<const Statement*>& list, size_t end, Wanted wanted) {
  for (size_t place = end; place-- > 1;) {
    if (wanted(*list[place - 1])) return place;
  }
  return 0;
}

// Counts a plan's releases of stages that threads read by ordinary loads, whose rings are filled by threads if
// `by_threads`, else by TMA and bulk copies. In the latter case the readers fence, synchronise and arrive, in this
// order.
int check_releases(const Plan& plan, bool by_threads) {
  int releases = 0;
  for (const RolePlan& role : plan.roles) {
    const std::vector<const Statement*> list = flat(role.program);
    for (size_t place = 1; place <= list.size(); ++place) {
      const auto* release = std::get_if<Release>(&list[place - 1]->node);
      if (!release || release->when == ReleaseWhen::last_step) continue;
      const size_t read =
          last_before(list, place, [&](const Statement& s) { return reads_by_loads(s, release->ring); });
      if (read == 0 || (plan.rings[release->ring].filled_by == Issuer::all) != by_threads) continue;
      ++releases;
      const size_t sync =
          last_before(list, place, [](const Statement& s) { return is<RoleSync>(s) || is<WarpSync>(s); });
      const size_t fence = last_before(list, sync, is<FenceAsync>);
      CHECK(read < sync);
      if (by_threads)
        CHECK(fence < read);
      else
        CHECK(read < fence);
      // Up to the wait for the next entry.
      const auto waited =
          std::find_if(list.begin() + static_cast<ptrdiff_t>(place), list.end(), [&](const Statement* s) {
            const auto* wait = std::get_if<BarrierWait>(&s->node);
            return wait && wait->ring == release->ring;
          });
      CHECK(std::none_of(list.begin() + static_cast<ptrdiff_t>(place), waited,
                         [&](const Statement* later) { return reads_by_loads(*later, release->ring); }));
    }
  }
  return releases;
}

int fences(const Plan& plan) {
  int count = 0;
  for (const RolePlan& role : plan.roles)
    for (const Statement* statement : flat(role.program)) count += is<FenceAsync>(*statement);
  return count;
}

Plan plan_of(const std::string& path, const std::vector<Define>& defines = {}) {
  Planned planned = library(path, defines);
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  return std::move(*planned.plan);
}

}  // namespace

TEST_CASE("who has read a stage by ordinary loads fences before it is released to TMA or bulk copies") {
  for (const char* path : {"pipeline/sum_of_planes.yaml", "pipeline/class_scores.yaml", "rows/row_sums_pipelined.yaml",
                           "elementwise/add_matrices_pipelined.yaml", "matmul/matmul_odd.yaml"}) {
    CAPTURE(std::string(path));
    const Plan plan = plan_of(path);
    CHECK(check_releases(plan, false) > 0);
    CHECK(fences(plan) > 0);
  }
}

TEST_CASE("so does every kernel of the library") {
  int releases = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::string(PALLASGEN_SOURCE_DIR) + "/specs")) {
    if (entry.path().extension() != ".yaml") continue;
    const std::string path =
        std::filesystem::relative(entry.path(), std::string(PALLASGEN_SOURCE_DIR) + "/specs").string();
    if (text_of("specs/" + path).find("warp_specialized: true") == std::string::npos) continue;
    CAPTURE(path);
    const Planned planned = library(path);
    if (planned.plan) releases += check_releases(*planned.plan, false);
  }
  CHECK(releases >= 16);
}

TEST_CASE("stages that a step keeps longer are fenced too") {
  const Plan plan = plan_of("elementwise/add_matrices_pipelined.yaml", {{"pipeline.stages", "3"}});
  CHECK(check_releases(plan, false) == 1);
  const Planned kept =
      library("rows/row_sums_pipelined.yaml", {{"pipeline.stages", "3"}, {"pipeline.delay_release", "1"}});
  REQUIRE_MESSAGE(kept.plan.has_value(), kept.errors());
  CHECK(check_releases(*kept.plan, false) == 1);
}

TEST_CASE("no fence where only the tensor cores read a stage, but that of the store") {
  CHECK(fences(plan_of("matmul/matmul_gelu.yaml")) == 1);
}

TEST_CASE("no fence where threads fill the stage again") {
  const Planned planned(
      "pallasgen: 1\nkernel: f\ndims: {M: {}}\nconsts: {bm: 1001}\ngrid: [{axis: m, size: \"cdiv(M, bm)\"}]\n"
      "inputs: {x: {type: \"f32[M]\", block: [bm], index_map: [m], fill: 0}}\n"
      "outputs: {z: {type: \"f32[cdiv(M, bm)]\", block: [1], index_map: [m]}}\n"
      "pipeline: {stages: 2, warp_specialized: true}\nschedule: {persistent: true}\nbody: [\"z[0] = sum(x)\"]\n");
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  CHECK(planned.plan->rings[0].filled_by == Issuer::all);
  CHECK(check_releases(*planned.plan, true) == 1);
  CHECK(fences(*planned.plan) == 0);
}

TEST_CASE("a matmul in the buffer of an input that its epilogue reads takes each chunk before it is stored") {
  const auto stores_with = [](const std::string& alias) {
    const Planned planned(
        "pallasgen: 1\nkernel: f\ndims: {M: {}, N: {multiple_of: 8}, K: {multiple_of: 8}}\n"
        "consts: {bm: 128, bn: 128, bk: 64}\ngrid:\n  - {axis: m, size: \"cdiv(M, bm)\"}\n"
        "  - {axis: n, size: \"cdiv(N, bn)\"}\n  - {axis: k, size: \"cdiv(K, bk)\", semantics: sequential}\ninputs:\n"
        "  a: {type: \"bf16[M, K]\", block: [bm, bk], index_map: [m, k], fill: 0}\n"
        "  b: {type: \"bf16[N, K]\", block: [bn, bk], index_map: [n, k], fill: 0}\n"
        "  r: {type: \"f32[M, N]\", block: [bm, bn], index_map: [m, n]}\n"
        "outputs: {c: {type: \"f32[M, N]\", block: [bm, bn], index_map: [m, n]}}\n" +
        alias +
        "scratch: {acc: {type: \"f32[bm, bn]\", space: acc}}\n"
        "pipeline: {stages: 4, warp_specialized: true, compute_warpgroups: 1}\nbody:\n"
        "  - when: k == 0\n    do: [\"acc[...] = 0\"]\n  - acc[...] += dot(a, b, trans_b=true)\n"
        "  - when: k == num_programs(k) - 1\n    do: [\"c[...] = acc[...] + r\"]\n");
    REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
    return std::pair(planned.plan->stores.size(), fences(*planned.plan));
  };
  CHECK(stores_with("") == std::pair<size_t, int>(1, 1));
  CHECK(stores_with("aliases: {c: r}\n") == std::pair<size_t, int>(1, 1));
}
