#include <set>

#include "element_bodies.h"

using namespace pallasgen;
using namespace element_bodies;
using program::Share;

TEST_CASE("element reductions: of many terms, each result of a reduction is a warp's") {
  const Planned sum = of_rows("  - o[...] = sum(" + kTwice + ", axis=1)\n", kVector);
  REQUIRE_MESSAGE(sum.plan.has_value(), sum.errors());
  CHECK(tiles(*sum.plan).empty());  // the lane with the sum stores it
  CHECK(syncs(*sum.plan).empty());
  CHECK(loops(*sum.plan) == std::vector<Share>{Share::warps, Share::lanes});
  CHECK(count<program::ReduceLanes>(*sum.plan) == 1);
  CHECK(sum.plan->launch.threads.value == 8 * 32);  // the 8 rows of a block
  // Columns of 8 terms belong to a thread; of 64, if there are few of them, to a warp again.
  CHECK(loops(*of_rows("  - o[...] = x - sum(" + kTwice + ", axis=0)[0:64]\n", kMatrix).plan) ==
        std::vector<Share>{Share::threads, Share::threads});
  CHECK(loops(*of_rows("  - o[...] = argmin(x.T, axis=0).astype(f32)\n", kVector).plan) ==
        std::vector<Share>{Share::warps, Share::lanes});
}

TEST_CASE("element reductions: the only result of many terms is shared by warps, and each thread has it") {
  const Planned total = of_rows("  - o[...] = x / sum(" + kTwice + ")\n  - o[...] += x / sum(x * x)\n", kMatrix);
  REQUIRE_MESSAGE(total.plan.has_value(), total.errors());
  std::vector<int64_t> parts;
  std::set<std::string> declared;
  for (const program::Statement& statement : std::get<program::ForTiles>(total.plan->roles[0].program[0].node).body) {
    if (const auto* set = std::get_if<program::SetScalar>(&statement.node); set && set->declares)
      CHECK_MESSAGE(declared.insert(total.plan->scalars[set->scalar].name).second, "declared twice in one block");
  }
  visit(total.plan->roles[0].program, [&](const program::Statement& statement) {
    const auto* loop = std::get_if<program::ForElements>(&statement.node);
    if (loop && loop->by == Share::lanes) parts.push_back(loop->parts);
  });
  CHECK(parts == std::vector<int64_t>{4, 2});  // 1024 and 512 terms
  CHECK(declared.size() == 2);
}

TEST_CASE("element reductions: what others than the lane of a result need goes through a tile") {
  // Each row takes the next one's sum; other warps read the array that a loop writes.
  const Planned turned =
      of_rows("  - s = sum(" + kTwice + ", axis=1)\n  - o[...] = concatenate([s[1:8], s[0:1]], axis=0)\n", kVector);
  REQUIRE_MESSAGE(turned.plan.has_value(), turned.errors());
  CHECK(syncs(*turned.plan) == std::vector<std::string>{"s_ is written"});
  const Planned scaled = of_rows("  - o[...] = x / sum(" + kTwice + ", axis=1)[:, None]\n", kMatrix);
  CHECK(syncs(*scaled.plan) == std::vector<std::string>{"o_sum is written"});
  const Planned twice = of_rows("  - s = sum(" + kTwice + ", axis=1)\n  - o[...] = s\n  - o[...] += s * 2\n", kVector);
  REQUIRE_MESSAGE(twice.plan.has_value(), twice.errors());
  CHECK(tiles(*twice.plan) == std::vector<std::string>{"s_"});  // o is in registers
}

TEST_CASE("element reductions: a warp walks each long line of a scan, all lanes in all turns") {
  const auto lanes_of = [](const Planned& planned) {
    REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
    int64_t turns = 0;
    visit(planned.plan->roles[0].program, [&](const program::Statement& statement) {
      const auto* loop = std::get_if<program::ForElements>(&statement.node);
      if (loop && loop->by == Share::lanes) turns = loop->shape[0].value;
    });
    return turns;
  };
  const std::string parts = "concatenate([x[:, 1:64], x[:, 0:1]], axis=1)";  // which no fragment holds
  CHECK(lanes_of(of_rows("  - o[...] = cumsum(" + parts + ", axis=1)\n", kMatrix)) == 64);
  const std::string long_line = "cummax(concatenate([x, x[:, 0:3]], axis=1), axis=1)";  // of 67 elements
  CHECK(lanes_of(of_rows("  - o[...] = " + long_line + "[:, 3:67]\n", kMatrix)) == 96);
  CHECK(lanes_of(of_rows("  - o[...] = cumsum(x, axis=0)\n", kMatrix)) == 0);
}

TEST_CASE("element reductions: with run-time checks no thread waits for its warp") {
  const Planned sum = of_rows("  - o[...] = sum(" + kTwice + ", axis=1)\n", std::string(kVector) + "checks: [nan]\n");
  REQUIRE_MESSAGE(sum.plan.has_value(), sum.errors());
  CHECK(count<program::ReduceLanes>(*sum.plan) == 0);
}
