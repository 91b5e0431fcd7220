#include "rings/bulk_copies.h"

#include "plan/passes.h"
#include "plan/timeline.h"
#include "planned.h"
#include "program/program_walk.h"
#include "tile/walk.h"

using namespace pallasgen;

namespace {

// A kernel that sums blocks of x along tiles (b, m) of bm rows; `dims` of the spec besides N.
Planned sums(const std::string& dims, const std::string& x, const std::string& bm = "8") {
  return Planned("pallasgen: 1\nkernel: f\ndims: {" + dims + ", N: {}}\nconsts: {bm: " + bm +
                 "}\n"
                 "grid: [{axis: b, size: B}, {axis: m, size: \"cdiv(M, bm)\"}]\n"
                 "inputs: {x: {" +
                 x +
                 "}}\n"
                 "outputs: {z: {type: \"f32[B, cdiv(M, bm)]\", block: [1, 1], index_map: [b, m]}}\n"
                 "pipeline: {stages: 2, warp_specialized: true}\n"
                 "schedule: {persistent: true}\n"
                 "body: [\"z[0, 0] = sum(x).astype(f32)\"]\n");
}

// Returns the proof about x. `target` null: the kernel's.
Proof run_of(const Planned& planned, const Target* target = nullptr) {
  REQUIRE_MESSAGE(planned.kernel.has_value(), planned.errors());
  const auto kernel = std::make_shared<const Kernel>(*planned.kernel);
  const Target& of = target ? *target : *find_target(kernel->targets.front());
  const tile::Program program = lower(PreparedKernel(kernel, of), "canonicalise");
  std::optional<Proof> proof;
  tile::for_each_statement(program.roles[0].body, [&](const tile::Statement& statement) {
    const auto* read = statement.as<tile::Read>();
    if (read && read->box.ref == 0) proof = proved_run(kernel->refs[0], read->box, kernel->facts(), of);
  });
  REQUIRE(proof);
  return *proof;
}
Proof run_of(const std::string& dims, const std::string& x, const std::string& bm = "8") {
  return run_of(sums(dims, x, bm));
}

CopyPath path_of(const Planned& planned) {
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  return planned.plan->rings.at(0).operands.at(0).path;
}

const program::AsyncCopy& first_copy(const Plan& plan) {
  const program::AsyncCopy* copy = nullptr;
  for_each_statement(plan.roles[0].program, [&](const program::Statement& statement) {
    if (const auto* node = std::get_if<program::AsyncCopy>(&statement.node); node && !copy) copy = node;
  });
  REQUIRE(copy);
  return *copy;
}

const std::string any = "B: {}, M: {}";

}  // namespace

TEST_CASE("whole rows are a run where they begin at whole units") {
  CHECK(run_of(any, "type: \"f32[M, 10]\", block: [bm, 10], index_map: [m, 0]").holds);
  CHECK(run_of(any, "type: \"f16[M, 2, 5]\", block: [bm, 2, 5], index_map: [m, 0, 0]").holds);
  // 60 bytes, 8 of which are no whole unit: rows of an odd number of elements in blocks of 3.
  const Proof odd = run_of(any, "type: \"f32[M, 5]\", block: [bm, 5], index_map: [m, 0]", "3");
  CHECK(!odd.holds);
  CHECK(odd.why == "its 60 bytes are no multiple of 16");
  CHECK(run_of(any, "type: \"f32[M, 5]\", block: [bm, 5], index_map: [m, 0]", "4").holds);
}

TEST_CASE("blocks with gaps between their rows are no run") {
  for (const char* columns : {"8", "12"}) {
    const Proof part =
        run_of(any, "type: \"f32[M, 10]\", block: [bm, " + std::string(columns) + "], index_map: [m, 0]");
    CHECK(!part.holds);
    CHECK(part.why == "along dim 0 its parts do not follow one another in memory");
  }
  CHECK(!run_of(any, "type: \"f32[M, N]\", block: [bm, 12], index_map: [m, 0]").holds);
  CHECK(!run_of(any, "type: \"f32[M, 4, N]\", block: [bm, 4, squeezed], index_map: [m, 0, b]").holds);
  // One row is a run, wherever rows begin.
  CHECK(run_of(any, "type: \"f32[M, 20]\", block: [squeezed, 8], index_map: [m, 1]").holds);
}

TEST_CASE("batches begin at whole units by a fact") {
  const std::string x = "type: \"f32[B, M, 10]\", block: [squeezed, bm, 10], index_map: [b, m, 0]";
  const Proof unknown = run_of(any, x);
  CHECK(!unknown.holds);
  CHECK(unknown.why == "nothing says that b steps along dim 0 are a multiple of 16 bytes");
  CHECK(run_of("B: {}, M: {multiple_of: 2}", x).holds);
  CHECK(!run_of("B: {}, M: {multiple_of: 2}", "type: \"f32[B, M, 9]\", block: [squeezed, bm, 9], index_map: [b, m, 0]")
             .holds);
}

TEST_CASE("strides") {
  const auto with = [](const std::string& strides) {
    return run_of(any, "type: \"f32[M, 10]\", block: [bm, 10], index_map: [m, 0], strides: [" + strides + "]");
  };
  CHECK(with("10, 1").holds);
  CHECK(with("12, 1").why == "nothing says that the stride of dim 0 is 10");
  CHECK(!with("N, 1").holds);
  CHECK(!with("1, 10").holds);
  // Along a dim of one index any stride that keeps whole units is right.
  const auto batch = [](const std::string& stride) {
    return run_of(any, "type: \"f32[B, M, 10]\", block: [squeezed, bm, 10], index_map: [b, m, 0], strides: [" + stride +
                           ", 10, 1]");
  };
  CHECK(batch("4 * N").holds);
  CHECK(!batch("2 * N").holds);
}

TEST_CASE("a block that may begin before the array, and a target without bulk copies") {
  const Proof padded =
      run_of(any, "type: \"f32[M, 4]\", block: [\"element(bm, 1, 1)\", 4], index_map: [\"m * bm\", 0]");
  CHECK(!padded.holds);
  CHECK(padded.why == "it may begin before the array, along dim 0");
  const Planned rows = sums(any, "type: \"f32[M, 10]\", block: [bm, 10], index_map: [m, 0]");
  Target target = *find_target("sm_90a");
  CHECK(run_of(rows, &target).holds);
  target.bulk = false;
  CHECK(run_of(rows, &target).why == "sm_90a has no bulk copies");
  for (const Target& each : targets()) CHECK(each.bulk == each.tma);
}

TEST_CASE("a tensor copy is preferred, then a bulk copy, then the producer's threads") {
  const auto path = [](const std::string& type, const std::string& more) {
    return path_of(sums("B: {}, M: {}", "type: \"" + type + "\", " + more));
  };
  CHECK(path("f32[M, 12]", "block: [bm, 12], index_map: [m, 0]") == CopyPath::tensor);
  CHECK(path("f32[M, 10]", "block: [bm, 10], index_map: [m, 0]") == CopyPath::bulk);
  CHECK(path("f32[M, 10]", "block: [bm, 8], index_map: [m, 0]") == CopyPath::async);
  CHECK(path("f32[M]", "block: [256], index_map: [m]") == CopyPath::tensor);
  CHECK(path("f32[M]", "block: [1000], index_map: [m]") == CopyPath::bulk);
  CHECK(path("f32[M]", "block: [1001], index_map: [m]") == CopyPath::async);
}

TEST_CASE("blocks that stay inside share a ring with tensor copies, and its bytes are constant") {
  const Planned planned = library("pipeline/class_scores.yaml");
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  const Plan& plan = *planned.plan;
  REQUIRE(plan.rings.size() == 1);
  CHECK(plan.rings[0].operands[0].path == CopyPath::bulk);
  CHECK(plan.rings[0].operands[1].path == CopyPath::tensor);
  CHECK(plan.rings[0].filled_by == Issuer::one_thread);
  CHECK(plan.roles[0].run_by == Issuer::one_thread);
  CHECK(plan.barriers[0].count.value == 1);
  CHECK(plan.barriers[0].tx_bytes->value == 32 * 10 * 4 + 32 * 4);
  CHECK(!first_copy(plan).access.masked);
  CHECK(!first_copy(plan).fill);
  CHECK(pointers_of(plan)[0].bytes.value == 16);
  CHECK(planned.diagnostics.all().empty());
  CHECK(explain(plan).find("copies of x: bulk copies (no tensor copies: its rows of 10 elements are no whole units") !=
        std::string::npos);
  CHECK(plan_json(plan).find("\"path\": \"bulk copies of 1,280 bytes\"") != std::string::npos);
}

TEST_CASE("where the array may end first a warp brings what is inside, and the fill") {
  const Planned planned = library("pipeline/labelled_sums.yaml");
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  const Plan& plan = *planned.plan;
  REQUIRE(plan.rings.size() == 1);
  CHECK(plan.rings[0].filled_by == Issuer::one_warp);
  CHECK(plan.roles[0].run_by == Issuer::one_warp);
  CHECK(plan.barriers[0].count.value == 1);
  CHECK(!plan.barriers[0].tx_bytes);
  CHECK(first_copy(plan).access.masked);
  REQUIRE(first_copy(plan).fill);  // unspecified in the language: zero, as on every other path
  CHECK(std::get<double>(first_copy(plan).fill->as<Constant>()->value) == 0);
  const Timeline timeline = simulate(plan, {10, 2, 5}, 2);
  REQUIRE(timeline.uses.size() == 2);
  CHECK(timeline.uses[1].issued == doctest::Approx(0));  // the second copy does not wait for the first
  CHECK(timeline.uses[0].arrived > 10);
}

TEST_CASE("beside copies by all threads the first warp does so") {
  const Planned planned = library("pipeline/weighted_row_sums.yaml");
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  const Plan& plan = *planned.plan;
  REQUIRE(plan.rings.size() == 2);
  CHECK(plan.rings[0].filled_by == Issuer::one_warp);
  CHECK(plan.rings[1].filled_by == Issuer::all);
  CHECK(plan.roles[0].run_by == Issuer::all);
  CHECK(plan.roles[0].needs_first_warp);
}

TEST_CASE("beside bulk copies by a warp its leader issues tensor copies, through a ring of its own") {
  const Planned planned(
      "pallasgen: 1\nkernel: f\ndims: {M: {}}\n"
      "grid: [{axis: m, size: \"cdiv(M, 8)\", semantics: sequential}]\n"
      "inputs:\n"
      "  x: {type: \"f32[M, 10]\", block: [8, 10], index_map: [m, 0]}\n"
      "  y: {type: \"f32[M, 12]\", block: [8, 12], index_map: [m, 0]}\n"
      "outputs: {z: {type: \"f32[M, 10]\", block: [8, 10], index_map: [m, 0]}}\n"
      "pipeline: {stages: 2, warp_specialized: true}\n"
      "body: [\"z[...] = x + y[:, 0:10]\"]\n");
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  const Plan& plan = *planned.plan;
  REQUIRE(plan.rings.size() == 2);
  CHECK(plan.rings[0].filled_by == Issuer::one_warp);
  CHECK(plan.rings[1].filled_by == Issuer::one_thread);
  CHECK(plan.roles[0].run_by == Issuer::one_warp);
  int by_leader = 0;
  for_each_statement(plan.roles[0].program, [&](const program::Statement& statement) {
    const auto* branch = std::get_if<program::If>(&statement.node);
    by_leader += branch && to_string(branch->condition) == "leader";
  });
  CHECK(by_leader == 1);
}
