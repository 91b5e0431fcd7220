#include "cost.h"

#include "counts.h"
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
  CHECK(tile.accesses.empty());
}

// Each lane of a warp reads in a row of its own: 32 sectors, where 32 elements of 4 bytes fill 4 and of 2 bytes 2.
TEST_CASE("a transpose read in place touches a sector for each lane") {
  for (const auto& [type, bytes, needed] : {std::tuple("f32", 4, 4), std::tuple("bf16", 2, 2)}) {
    const CountedTile tile = counted(of_blocks(type, "y[...] = x.T", "j, i"));
    REQUIRE(tile.accesses.size() == 2);
    const ElementAccess &read = tile.accesses[tile.accesses[0].reads ? 0 : 1],
                        &write = tile.accesses[tile.accesses[0].reads ? 1 : 0];
    CHECK(read.of_warp.touched == 32);
    CHECK(read.of_warp.needed == needed);
    CHECK(write.of_warp.touched == needed);
    CHECK(tile.tile.wanted() == 2 * 64 * 64 * bytes);
    CHECK(tile.tile.touched() == 64 * 64 * bytes * (1 + 32 / needed));
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

// Two loads from tiles and a multiply-add for each of 12 x 16 x 8 products, at least: nothing of it on tensor cores.
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
  // Of the 2048 threads of an SM each has its part of a block under way.
  CHECK(cost.bytes_in_flight == 64 * 64 * 4 * 2048 / static_cast<double>(planned.plan->launch.threads.value));
  CHECK(cost.bound == Bound::bandwidth);
  // 64 MB each way come and go at the bandwidth of the device.
  const Device* device = find_device(planned.plan->target->device);
  REQUIRE(device);
  CHECK(cost.seconds > 2 * 4096.0 * 4096 * 4 / device->bytes_per_second);
  CHECK(cost.seconds < 1.3 * 2 * 4096.0 * 4096 * 4 / device->bytes_per_second);
}
