#include "plan/timeline.h"

#include "planned.h"

using namespace pallasgen;

namespace {

// A matmul of three steps: K is at most 192.
Planned three_steps(const std::string& stages) {
  return Planned(R"yaml(pallasgen: 1
kernel: three_steps
dims: {M: {}, N: {multiple_of: 8}, K: {multiple_of: 64, max: 192}}
grid:
  - {axis: m, size: "cdiv(M, 128)"}
  - {axis: n, size: "cdiv(N, 128)"}
  - {axis: k, size: "cdiv(K, 64)", semantics: sequential}
inputs:
  a: {type: "bf16[M, K]", block: [128, 64], index_map: [m, k], fill: 0}
  b: {type: "bf16[N, K]", block: [128, 64], index_map: [n, k], fill: 0}
outputs:
  c: {type: "bf16[M, N]", block: [128, 128], index_map: [m, n]}
scratch:
  acc: {type: "f32[128, 128]", space: acc}
pipeline: {stages: )yaml" +
                 stages +
                 R"yaml(, warp_specialized: true, compute_warpgroups: 2}
body:
  - when: k == 0
    do: ["acc[...] = 0"]
  - acc[...] += dot(a, b, trans_b=true)
  - when: k == num_programs(k) - 1
    do: ["c[...] = acc[...].astype(bf16)"]
)yaml");
}

Timeline simulated(const std::string& stages, const TimelineCosts& costs) {
  const Planned planned = three_steps(stages);
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  return simulate(*planned.plan, costs, 1);
}

}  // namespace

// Computed by hand. Latency 10, transfer 2, arithmetic 5: with three slots all copies are issued at 0, leave the port
// at 2, 4, 6 and arrive at 12, 14, 16; the tensor cores then work without a gap: (a + X/b) + N * Y/F = 12 + 15.
TEST_CASE("three slots cover the latency of three steps: bound by the rate") {
  const Timeline timeline = simulated("3", {10, 2, 5});
  REQUIRE(timeline.uses.size() == 3);
  CHECK(timeline.uses[2].issued == doctest::Approx(0));
  CHECK(timeline.uses[2].arrived == doctest::Approx(16));
  CHECK(timeline.seconds == doctest::Approx(27));
  CHECK(timeline.fill == doctest::Approx(12));
  CHECK(timeline.stalled == doctest::Approx(0));
  CHECK(timeline.tiles == 1);
  CHECK(timeline.steps == 3);
}

TEST_CASE("the same example: who does what when") {
  const Timeline timeline = simulated("3", {10, 2, 5});
  const auto spans = [&](ActivityKind kind) {
    std::vector<std::pair<double, double>> found;
    for (const Activity& activity : timeline.activities)
      if (activity.kind == kind) found.emplace_back(activity.begin, activity.end);
    return found;
  };
  using Spans = std::vector<std::pair<double, double>>;
  CHECK(spans(ActivityKind::copy_in) == Spans{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}});  // a and b of each step
  CHECK(spans(ActivityKind::compute) == Spans{{12, 17}, {17, 22}, {22, 27}});
  CHECK(spans(ActivityKind::wait_data).front() == std::pair(0.0, 12.0));
  CHECK(spans(ActivityKind::wait_slot).empty());
  CHECK(spans(ActivityKind::copy_out).empty());
  CHECK(timeline.uses[2].use == 2);
  CHECK(timeline.uses[2].slot == 2);
}

// The slot of step 0 is free when its MMA has ended, at 17: the copy for step 2 arrives at 17 + 2 + 10, seven after the
// MMA of step 1 has ended at 22.
TEST_CASE("two slots: the third copy waits for the first slot") {
  const Timeline timeline = simulated("2", {10, 2, 5});
  REQUIRE(timeline.uses.size() == 3);
  CHECK(timeline.uses[0].released == doctest::Approx(17));
  CHECK(timeline.uses[2].slot == 0);
  CHECK(timeline.uses[2].issued == doctest::Approx(17));
  CHECK(timeline.uses[2].arrived == doctest::Approx(29));
  CHECK(timeline.seconds == doctest::Approx(34));
  CHECK(timeline.stalled == doctest::Approx(7));
  CHECK(timeline.producer_waited == doctest::Approx(17));
}

// Nothing overlaps: three times 10 + 2 + 5.
TEST_CASE("one slot: copy and arithmetic take turns") {
  const Timeline timeline = simulated("1", {10, 2, 5});
  CHECK(timeline.seconds == doctest::Approx(51));
  CHECK(timeline.stalled == doctest::Approx(24));
}

// The port is never idle: a + N * X/b, and the arithmetic of the last step.
TEST_CASE("bound by the bandwidth") {
  const Timeline timeline = simulated("3", {1, 10, 2});
  CHECK(timeline.seconds == doctest::Approx(33));
  CHECK(timeline.uses[2].arrived == doctest::Approx(31));
}

// Two copies are in flight at once; the third is issued when the MMA of step 0 has ended, at 102.
TEST_CASE("bound by the latency") {
  const Timeline timeline = simulated("2", {100, 1, 1});
  CHECK(timeline.uses[2].issued == doctest::Approx(102));
  CHECK(timeline.seconds == doctest::Approx(204));
}

TEST_CASE("the chart shows copies, waiting data, reading and free slots") {
  const Planned planned = three_steps("2");
  const Timeline timeline = simulate(*planned.plan, {10, 2, 5}, 1);
  CHECK(timeline_chart(*planned.plan, timeline, 34, 34) ==
        "    slot 0 |------------#####------------#####|\n"
        "    slot 1 |--------------###############.....|\n");
}

TEST_CASE("a tile after the other goes through the same ring") {
  const Planned planned = library("matmul/matmul_gelu.yaml");
  const TimelineCosts costs{10, 2, 5};
  const Timeline one = simulate(*planned.plan, costs, 1), two = simulate(*planned.plan, costs, 2);
  CHECK(two.tiles == 2);
  CHECK(two.uses.size() == 2 * one.uses.size());
  // The second tile's copies are issued while the first is computed: only its arithmetic is added.
  CHECK(two.seconds == doctest::Approx(one.seconds + 5.0 * static_cast<double>(one.uses.size())));
}

TEST_CASE("explain holds the timeline against the cost model") {
  const Planned planned = library("matmul/matmul_gelu.yaml");
  CHECK(timeline_text(*planned.plan).find("for these: they agree") != std::string::npos);
  // One slot cannot cover the latency, and the model's formula for it ignores arithmetic.
  const Planned slow = library("matmul/matmul.yaml", {{"pipeline.stages", "1"}});
  REQUIRE_MESSAGE(slow.plan.has_value(), slow.errors());
  CHECK(timeline_text(*slow.plan).find("% longer") != std::string::npos);
  const Planned without = library("elementwise/add_matrices.yaml");
  CHECK(timeline_text(*without.plan).find("no ring") != std::string::npos);
}

// Three steps that take the port for 2 each, less the time of the stores of z, without arithmetic: as each thread reads
// its own copies, the copies of all three are issued at 0, and the last arrives at 3 * 2 + 10.
TEST_CASE("copies ahead without a producer") {
  const Planned planned(R"yaml(pallasgen: 1
kernel: three_steps
dims: {M: {}, N: {multiple_of: 64, max: 192}}
grid:
  - {axis: m, size: "cdiv(M, 32)"}
  - {axis: n, size: "cdiv(N, 64)", semantics: sequential}
inputs: {x: {type: "f32[M, N]", block: [32, 64], index_map: [m, n]}}
outputs: {z: {type: "f32[M]", block: [32], index_map: [m]}}
pipeline: {stages: 3}
body:
  - when: n == 0
    do: ["z[...] = 0"]
  - z[...] += sum(x, axis=1)
)yaml");
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  const Timeline timeline = simulate(*planned.plan, {10, 2, 0}, 1);
  REQUIRE(timeline.uses.size() == 3);
  CHECK(timeline.uses[1].issued == doctest::Approx(0));
  CHECK(timeline.uses[1].arrived == doctest::Approx(14).epsilon(0.02));
  CHECK(timeline.uses[2].issued == doctest::Approx(0));
  CHECK(timeline.uses[2].arrived == doctest::Approx(16).epsilon(0.02));
  CHECK(timeline.fill == doctest::Approx(12).epsilon(0.02));
  CHECK(timeline.steps == 3);
}
