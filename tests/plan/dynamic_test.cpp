#include "planned.h"
#include "tile_texts.h"

using pallasgen::test::after_pass;

namespace {

Planned dynamic(const std::string& path, std::vector<pallasgen::Define> defines = {}) {
  defines.push_back({"schedule.persistent", "dynamic"});
  return library(path, defines);
}

}  // namespace

TEST_CASE("tiles are given out as CTAs get free where the spec asks for it") {
  const std::string axis = "dim M\naxis m parallel M\nref o: i32[M] {out, block [squeezed], at [m]}\n";
  const std::string body = "for tile in work(m):\n  o: i32[] = 1\n  write o[m] <- o\n";
  CHECK(after_pass("schedule", axis + "ask schedule.persistent = dynamic\n", body)
            .find("for tile in work(m) {dynamic}:") != std::string::npos);
  const std::string none = "ref o: i32[1] {out, block [squeezed], at [0]}\nask schedule.persistent = dynamic\n";
  CHECK(after_pass("schedule", none, "for tile in work():\n  o: i32[] = 1\n  write o[0] <- o\n")
            .find("for tile in work() {static_persistent}:") != std::string::npos);
}

TEST_CASE("the thread that takes the tiles tells all warps that work on them") {
  // One thread copies, and the consumers' warps take.
  const Planned one = dynamic("matmul/matmul.yaml");
  REQUIRE(one.plan.has_value());
  REQUIRE(one.plan->barriers.size() == 4);
  CHECK(one.plan->barriers[2].name == "tile_queue.full");
  CHECK(one.plan->barriers[2].count.value == 1);
  CHECK(one.plan->barriers[3].name == "tile_queue.empty");
  CHECK(one.plan->barriers[3].count.text == "4 * kConsumers");
  CHECK(one.plan->barriers[3].count.value == 8);
  CHECK(one.plan->shared.fields[static_cast<size_t>(one.plan->work.queue)].bytes == 40);
  CHECK(one.plan->launch.workspace.back().name == "tile_counter");
  // A warp or a warpgroup copies, and takes too.
  const Planned warp = dynamic("pipeline/labelled_sums.yaml");
  REQUIRE(warp.plan.has_value());
  CHECK(warp.plan->roles.front().run_by == pallasgen::Issuer::one_warp);
  CHECK(warp.plan->barriers.back().count.value == 1 + warp.plan->roles.back().warps);
  const Planned all = dynamic("pipeline/add_any_rows.yaml");
  REQUIRE(all.plan.has_value());
  CHECK(all.plan->roles.front().run_by == pallasgen::Issuer::all);
  CHECK(all.plan->barriers.back().count.value == 4 + all.plan->roles.back().warps);
}

TEST_CASE("threads that go together need a word, and no barrier") {
  const Planned alone = dynamic("rows/softmax.yaml");
  REQUIRE(alone.plan.has_value());
  CHECK(alone.plan->barriers.empty());
  CHECK(alone.plan->shared.fields[static_cast<size_t>(alone.plan->work.queue)].name == "tile_slot");
}
