#include "model/cost.h"

#include <algorithm>
#include <cmath>

#include "model/counts.h"
#include "plan/words.h"
#include "planned.h"

using namespace pallasgen;

namespace {

CountedTile counted(const Planned& planned) {
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  return count_tile(*planned.plan, Example(*planned.plan->kernel, *planned.plan->target));
}

// A kernel of blocks of 64 x 64 whose body is one statement.
Planned of_blocks(const std::string& type, const std::string& statement, const std::string& out = "i, j") {
  const bool turned = out != "i, j";
  return Planned(
      "pallasgen: 1\nkernel: of_blocks\ndims: {M: {multiple_of: 16}, N: {multiple_of: 16}}\ngrid:\n"
      "  - {axis: i, size: \"cdiv(M, 64)\"}\n  - {axis: j, size: \"cdiv(N, 64)\"}\ninputs:\n  x: {type: \"" +
      type + "[M, N]\", block: [64, 64], index_map: [i, j], fill: 0}\noutputs:\n  y: {type: \"" + type +
      (turned ? "[N, M]" : "[M, N]") + "\", block: [64, 64], index_map: [" + out + "]}\nbody:\n  - " + statement +
      "\n");
}

}  // namespace

// 64 x 64 elements of 4 bytes in, as many out; whole sectors both ways.
TEST_CASE("blocks by vectors touch what they want") {
  const CountedTile tile = counted(of_blocks("f32", "y[...] = x + 1"));
  CHECK(tile.steps == 0);
  CHECK(tile.tile.wanted() == 2 * 64 * 64 * 4);
  CHECK(tile.tile.touched() == tile.tile.wanted());
  CHECK(tile.tile.read == 64 * 64 * 4);
  CHECK(tile.tile.in_flight == 64 * 64 * 4);
  for (const ThreadAccess& access : tile.accesses) CHECK(access.of_warp.touched == access.of_warp.needed);
}

TEST_CASE("a transpose through a tile touches what it wants") {
  for (const auto& [type, bytes] :
       {std::tuple("f32", 4), std::tuple("bf16", 2), std::tuple("i8", 1), std::tuple("f8e4m3", 1)}) {
    const CountedTile tile = counted(of_blocks(type, "y[...] = x.T", "j, i"));
    CHECK(tile.tile.wanted() == 2 * 64 * 64 * bytes);
    for (const ThreadAccess& access : tile.accesses) CHECK(access.of_warp.touched == access.of_warp.needed);
  }
}

// Each lane of a warp reads in a row of its own: 32 sectors, where 32 elements of a byte fill one. Blocks of three dims
// use no tile.
TEST_CASE("a transpose read in place touches a sector for each lane") {
  for (const std::string type : {"i8", "f8e4m3"}) {
    const CountedTile tile = counted(Planned(
        "pallasgen: 1\nkernel: of_matrices\ndims: {B: {}, M: {multiple_of: 16}, N: {multiple_of: 16}}\ngrid:\n"
        "  - {axis: b, size: B}\n  - {axis: i, size: \"cdiv(M, 64)\"}\n  - {axis: j, size: \"cdiv(N, 64)\"}\n"
        "inputs:\n  x: {type: \"" +
        type + "[B, M, N]\", block: [1, 64, 64], index_map: [b, i, j], fill: 0}\noutputs:\n  y: {type: \"" + type +
        "[B, N, M]\", block: [1, 64, 64], index_map: [b, j, i]}\nbody:\n  - y[...] = transpose(x, [0, 2, 1])\n"));
    REQUIRE(tile.accesses.size() == 2);
    const ThreadAccess &read = tile.accesses[tile.accesses[0].reads ? 0 : 1],
                       &write = tile.accesses[tile.accesses[0].reads ? 1 : 0];
    CHECK(read.of_warp.touched == 32);
    CHECK(read.of_warp.needed == 1);
    CHECK(write.of_warp.touched == 1);
    CHECK(tile.tile.wanted() == 2 * 64 * 64);
    CHECK(tile.tile.touched() == 64 * 64 * (1 + 32));
  }
}

// 128 x 128 x 64 in each of 3 steps, for each dot, of blocks of 128 x 64 elements of 2 bytes.
TEST_CASE("all dots of a step are counted") {
  for (const bool two : {false, true}) {
    const CountedTile tile = counted(Planned(std::string(R"yaml(pallasgen: 1
kernel: dots
dims: {M: {}, N: {multiple_of: 8}, K: {multiple_of: 64, max: 192}}
grid:
  - {axis: m, size: "cdiv(M, 128)"}
  - {axis: n, size: "cdiv(N, 128)"}
  - {axis: k, size: "cdiv(K, 64)", semantics: sequential}
outputs:
  c: {type: "bf16[M, N]", block: [128, 128], index_map: [m, n]}
scratch:
  acc: {type: "f32[128, 128]", space: acc}
pipeline: {stages: 2, warp_specialized: true, compute_warpgroups: 2}
inputs:
  a: {type: "bf16[M, K]", block: [128, 64], index_map: [m, k], fill: 0}
  b: {type: "bf16[N, K]", block: [128, 64], index_map: [n, k], fill: 0}
)yaml") + (two ? "  d: {type: \"bf16[N, K]\", block: [128, 64], index_map: [n, k], fill: 0}\n" : "") +
                                             R"yaml(body:
  - when: k == 0
    do: ["acc[...] = 0"]
  - acc[...] += dot(a, b, trans_b=true)
)yaml" + (two ? "  - acc[...] += dot(a, d, trans_b=true)\n" : "") +
                                             R"yaml(  - when: k == num_programs(k) - 1
    do: ["c[...] = acc[...].astype(bf16)"]
)yaml"));
    const int dots = two ? 2 : 1;
    CHECK(tile.steps == 3);
    CHECK(tile.step.operations == dots * 2.0 * 128 * 128 * 64);
    CHECK(tile.step.wanted() == (dots + 1) * 128 * 64 * 2);
    CHECK(tile.step.in_flight == 2 * tile.step.wanted());
    CHECK(tile.tile.wanted() == 128 * 128 * 2);
  }
}

// At least two loads from tiles and a multiply-add for each of 12 x 16 x 8 products, none of it on tensor cores.
TEST_CASE("a dot by elements takes instructions of the ordinary cores") {
  const Planned planned(R"yaml(pallasgen: 1
kernel: small_dot
dims: {M: {multiple_of: 12}}
grid:
  - {axis: m, size: "cdiv(M, 12)"}
inputs:
  a: {type: "f32[M, 8]", block: [12, 8], index_map: [m, 0], fill: 0}
  b: {type: "f32[16, 8]", block: [16, 8], index_map: [0, 0], fill: 0}
outputs:
  c: {type: "f32[M, 16]", block: [12, 16], index_map: [m, 0]}
body:
  - c[...] = dot(a, b, trans_b=true)
)yaml");
  const CountedTile tile = counted(planned);
  CHECK(tile.tile.operations == 0);
  CHECK(tile.tile.slots >= 12 * 16 * 8 * (4 + 4 + 1));
  CHECK(tile.tile.slots < 2 * 12 * 16 * 8 * (4 + 4 + 2));
  CHECK(planned.has_rule("slow-path"));
}

TEST_CASE("what is under way at once decides whether latency is hidden") {
  const Planned planned = of_blocks("f32", "y[...] = x + 1");
  REQUIRE(planned.plan.has_value());
  const CostModel& cost = planned.plan->cost;
  // Each of the CTAs that an SM holds at least has a block in flight.
  CHECK(cost.bytes_in_flight == 64 * 64 * 4 * static_cast<double>(planned.plan->launch.least_ctas.value()));
  CHECK(cost.bound == Bound::bandwidth);
  // 64 MB each way are copied at the bandwidth of the device.
  const Device* device = find_device(planned.plan->target->device);
  REQUIRE(device);
  CHECK(cost.seconds > 2 * 4096.0 * 4096 * 4 / device->bytes_per_second);
  CHECK(cost.seconds < 1.3 * 2 * 4096.0 * 4096 * 4 / device->bytes_per_second);
}

namespace {

Planned in_stages(int stages) {
  return Planned(
      "pallasgen: 1\nkernel: in_stages\ndims: {M: {}, N: {multiple_of: 8}, K: {multiple_of: 8}}\ngrid:\n"
      "  - {axis: m, size: \"cdiv(M, 128)\"}\n  - {axis: n, size: \"cdiv(N, 128)\"}\n"
      "  - {axis: k, size: \"cdiv(K, 64)\", semantics: sequential}\ninputs:\n"
      "  a: {type: \"bf16[M, K]\", block: [128, 64], index_map: [m, k], fill: 0}\n"
      "  b: {type: \"bf16[N, K]\", block: [128, 64], index_map: [n, k], fill: 0}\noutputs:\n"
      "  c: {type: \"bf16[M, N]\", block: [128, 128], index_map: [m, n]}\nscratch:\n"
      "  acc: {type: \"f32[128, 128]\", space: acc}\npipeline: {stages: " +
      std::to_string(stages) +
      ", warp_specialized: true, compute_warpgroups: 2}\nbody:\n"
      "  - when: k == 0\n    do: [\"acc[...] = 0\"]\n  - acc[...] += dot(a, b, trans_b=true)\n"
      "  - when: k == num_programs(k) - 1\n    do: [\"c[...] = acc.astype(bf16)\"]\n");
}

}  // namespace

TEST_CASE("the bytes that hide the latency are more than those that do not") {
  const Planned three = in_stages(3), four = in_stages(4);
  REQUIRE_MESSAGE(three.plan.has_value(), three.errors());
  REQUIRE(four.plan.has_value());
  const CostModel& cost = three.plan->cost;
  CHECK(cost.bound == Bound::latency);
  const double hide = cost.bytes_in_flight * cost.latency_seconds / std::max(cost.rate_seconds, cost.bandwidth_seconds);
  CHECK(hide > cost.bytes_in_flight);
  CHECK(cost.moved_by.ends_with("and " + grouped(std::llround(hide)) + " hide the latency"));
  CHECK(four.plan->cost.bytes_in_flight >= hide);
  CHECK(four.plan->cost.bound != Bound::latency);
}

namespace {

// Sums of blocks of 8 x 128 over two sequential axes, with a statement of its own under the guard.
Planned in_two_axes(const std::string& inner, const std::string& guard) {
  return Planned(
      "pallasgen: 1\nkernel: in_two_axes\ndims: {M: {}, N: {multiple_of: 4}}\ngrid:\n"
      "  - {axis: m, size: \"cdiv(M, 8)\"}\n  - {axis: j, size: 16, semantics: sequential}\n"
      "  - {axis: k, size: \"" +
      inner +
      "\", semantics: sequential}\ninputs:\n"
      "  x: {type: \"f32[M, N]\", block: [8, 128], index_map: [m, k], fill: 0}\noutputs:\n"
      "  y: {type: \"f32[M]\", block: [8], index_map: [m]}\nscratch:\n  l: {type: \"f32[8]\"}\nbody:\n"
      "  - when: j == 0 and k == 0\n    do: [\"l[...] = 0\"]\n  - l[...] += sum(x, axis=1)\n" +
      (guard.empty() ? "" : "  - when: " + guard + "\n    do: [\"l[...] += sum(exp(exp(x)), axis=1)\"]\n") +
      "  - when: j == num_programs(j) - 1 and k == num_programs(k) - 1\n    do: [\"y[...] = l\"]\n");
}

}  // namespace

TEST_CASE("a guard counts for the steps for which it holds, of whichever axis they are") {
  const double without = counted(in_two_axes("4", "")).step.slots;
  const double always = counted(in_two_axes("4", "j >= 0 and M >= 0")).step.slots - without;
  CHECK(always > without);
  for (const auto& [guard, share] : {std::pair("j == 3", 1.0 / 16), std::pair("j == 0", 1.0 / 16),
                                     std::pair("j >= 4", 12.0 / 16), std::pair("k == 1", 1.0 / 4)}) {
    INFO(guard);
    CHECK(counted(in_two_axes("4", guard)).step.slots - without == doctest::Approx(always * share).epsilon(0.05));
  }
}

// 1 + 2 + ... + 16 steps; the model takes 16 of the middle axis' 9.
TEST_CASE("steps whose number depends on another axis are taken in the middle") {
  CHECK(counted(in_two_axes("j + 1", "")).steps == doctest::Approx(136).epsilon(0.1));
}

TEST_CASE("what a guard cuts into two loops is under way one after the other") {
  const auto planned = [](const std::string& guarded) {
    return Planned(
        "pallasgen: 1\nkernel: cut\ndims: {M: {}, N: {multiple_of: 4}}\ngrid:\n"
        "  - {axis: m, size: \"cdiv(M, 8)\"}\n  - {axis: n, size: \"cdiv(N, 128)\", semantics: sequential}\n"
        "inputs:\n  x: {type: \"f32[M, N]\", block: [8, 128], index_map: [m, n], fill: 0}\noutputs:\n"
        "  y: {type: \"f32[M]\", block: [8], index_map: [m]}\nscratch:\n  l: {type: \"f32[8]\"}\nbody:\n"
        "  - when: n == 0\n    do: [\"l[...] = 0\"]\n  - z = x\n" +
        guarded + "  - l[...] += sum(exp(z), axis=1)\n  - when: n == num_programs(n) - 1\n    do: [\"y[...] = l\"]\n");
  };
  const double whole = counted(planned("")).step.in_flight;
  CHECK(whole == 8 * 128 * 4);
  CHECK(counted(planned("  - when: (n + 1) * 128 > N\n    do: [\"z = z * 2\"]\n")).step.in_flight == whole);
}

TEST_CASE("a kernel with so many CTAs has so many workers") {
  Planned few = library("matmul/matmul.yaml", {{"schedule.num_ctas", "4"}});
  REQUIRE_MESSAGE(few.plan.has_value(), few.errors());
  CHECK(few.plan->cost.waves == few.plan->cost.tiles / 4);
}

TEST_CASE("a step of a cluster copies the parts of all its CTAs") {
  Planned rows = library("rows/rms_norm_wide.yaml");
  REQUIRE_MESSAGE(rows.plan.has_value(), rows.errors());
  const double row = 65536 * 4;
  CHECK(rows.plan->cost.bytes_per_step == doctest::Approx(2 * row).epsilon(0.02));  // one in, one out
  REQUIRE(rows.plan->launch.least_ctas == 1);
  CHECK(rows.plan->cost.bytes_in_flight == row / 4);  // each of four CTAs has a quarter
}

TEST_CASE("what is asked into L2 is under way too") {
  const double row = 32768 * 2;  // a cluster of two CTAs has one
  for (const int asked : {0, 1}) {
    Planned rows = library("rows/layer_norm_wide.yaml", {{"pipeline.prefetch", std::to_string(asked)}});
    REQUIRE_MESSAGE(rows.plan.has_value(), rows.errors());
    REQUIRE(rows.plan->launch.least_ctas == 1);
    CHECK(rows.plan->cost.bytes_in_flight == (1 + asked) * row / 2);
  }
}

// Programs of short rows are many; programs that walk along rows are as few as sequences of a batch.
TEST_CASE("a grid of rows is taken to be large, a grid of walks small") {
  using Dims = std::vector<std::pair<std::string, int64_t>>;
  const auto rows = [](const std::string& axis, const std::string& block, const std::string& at) {
    const Planned planned(
        "pallasgen: 1\nkernel: rows\ndims: {B: {}, M: {}, N: {}}\ngrid:\n  - {axis: b, size: B}\n"
        "  - {axis: i, size: M}\n" +
        axis + "inputs:\n  x: {type: \"f32[B, M, N]\", block: [1, 1, " + block + "], index_map: [b, i, " + at +
        "], fill: 0}\noutputs:\n  y: {type: \"f32[B, M]\", "
        "block: [1, 1], index_map: [b, i], init: 0}\nbody:\n  - y[...] = sum(x, axis=2)\n");
    REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
    return Example(*planned.plan->kernel, *planned.plan->target).dims();
  };
  CHECK(rows("", "128", "0") == Dims{{"B", 16}, {"M", 4096}, {"N", 4096}});
  CHECK(rows("  - {axis: k, size: \"cdiv(N, 128)\", semantics: sequential}\n", "128", "k") ==
        Dims{{"B", 16}, {"M", 16}, {"N", 4096}});
}
