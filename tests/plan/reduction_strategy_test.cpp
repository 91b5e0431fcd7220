#include "element_bodies.h"

using namespace pallasgen;
using namespace element_bodies;
using program::ReduceStrategy;

namespace {

std::string schedule(const std::string& strategy) { return "schedule: {reduction: " + strategy + "}\n"; }

// Returns the reductions across threads of the last role, of one kind.
template <class T>
std::vector<T> reductions(const Planned& planned) {
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  std::vector<T> found;
  visit(planned.plan->roles.back().program, [&](const program::Statement& statement) {
    if (const T* node = std::get_if<T>(&statement.node)) found.push_back(*node);
  });
  return found;
}

std::string dims_of(const Planned& planned, int field) {
  REQUIRE(field >= 0);
  std::string text;
  for (const Number& dim : planned.plan->shared.fields[static_cast<size_t>(field)].dims)
    text += (text.empty() ? "" : " x ") + std::to_string(dim.value);
  return text;
}

std::string across(const Planned& planned, const std::string& name) {
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  for (const Decision& decision : planned.plan->decisions) {
    if (decision.subject == name + " across threads") return decision.choice + " (" + decision.reason + ")";
  }
  return {};
}

// A kernel of one row of 2048 elements.
Planned of_long_row(const std::string& body, const std::string& more) {
  return Planned(
      "pallasgen: 1\nkernel: f\ndims: {M: {}}\ngrid: [{axis: m, size: M}]\n"
      "inputs:\n  x: {type: \"f32[M, 2048]\", block: [squeezed, 2048], index_map: [m, 0]}\n"
      "outputs:\n  o: {type: \"f32[M]\", block: [squeezed], index_map: [m]}\n" +
      more + "body:\n" + body);
}

const std::string kSumOfRows = "  - o[...] = sum(x, axis=1)\n", kWhole = "  - o[...] = sum(x)\n";

}  // namespace

TEST_CASE("strategies: shuffles unless another one is asked for, and a decision says which") {
  for (const std::string strategy : {"", "auto", "shuffle"}) {
    const Planned planned = of_rows(kSumOfRows, kVector + (strategy.empty() ? "" : schedule(strategy)));
    const auto sums = reductions<program::ReduceFragment>(planned);
    REQUIRE(sums.size() == 1);
    CHECK(sums[0].strategy == ReduceStrategy::shuffle);
    CHECK(sums[0].field < 0);
    CHECK(planned.plan->headers.empty());
  }
  CHECK(across(of_rows(kSumOfRows, kVector), "o_block") ==
        "shuffles (16 threads share a result; the values stay in registers within a warp)");
  CHECK(across(of_rows(kSumOfRows, kVector + schedule("shuffle")), "o_block") ==
        "shuffles (16 threads share a result; `reduction: shuffle`)");
  CHECK(across(of_long_row(kWhole, ""), "sum") ==
        "shuffles in each warp, then once across warps (128 threads share a result; the values stay in registers "
        "within a warp)");
  CHECK(across(of_rows(kSumOfRows, kVector + schedule("neighbours")), "o_block") ==
        "neighbouring pairs at growing distances, in shared memory (16 threads share a result; `reduction: "
        "neighbours`)");
}

TEST_CASE("strategies: rows have a place in a tile for each thread, and warps their own part of it") {
  for (const auto& [word, strategy] :
       {std::pair{"halves", ReduceStrategy::halves}, std::pair{"neighbours", ReduceStrategy::neighbours}}) {
    const Planned warp = of_rows(kSumOfRows, kVector + schedule(word));
    const auto sums = reductions<program::ReduceFragment>(warp);
    REQUIRE(sums.size() == 1);
    CHECK(sums[0].strategy == strategy);
    CHECK(sums[0].in_warp());
    CHECK(dims_of(warp, sums[0].field) == "4 x 32");
    CHECK(warp.plan->headers == std::set<std::string>{"reduce_shared.cuh"});
    const Planned row = of_long_row(kWhole, schedule(word));
    const auto whole = reductions<program::ReduceFragment>(row);
    REQUIRE(whole.size() == 1);
    CHECK_FALSE(whole[0].in_warp());
    CHECK(dims_of(row, whole[0].field) == "1 x 128");
  }
}

TEST_CASE(
    "strategies: a tile of all threads is read by all before it is written again, a warp's own without a barrier") {
  const std::string persistent = "schedule: {persistent: true, reduction: halves}\n";
  const Planned row = of_long_row(kWhole, persistent);
  CHECK(reductions<program::RoleSync>(row).size() == 1);
  const Planned two = of_long_row("  - o[...] = sum(x) * max(x)\n", persistent);
  CHECK(reductions<program::RoleSync>(two).empty());  // each is read before the other is full
  CHECK(reductions<program::RoleSync>(of_rows(kSumOfRows, kVector + persistent)).empty());
}

TEST_CASE("strategies: of values by elements, lanes have a line of a tile, the only result one tile of all parts") {
  const Planned rows = of_rows("  - o[...] = sum(" + kTwice + ", axis=1)\n", kVector + schedule("halves"));
  const auto lanes = reductions<program::ReduceLanes>(rows);
  REQUIRE(lanes.size() == 1);
  CHECK(lanes[0].strategy == ReduceStrategy::halves);
  CHECK(dims_of(rows, lanes[0].field) == "8 x 32");
  CHECK(lanes[0].positions < 0);
  CHECK(syncs(*rows.plan).empty());
  const Planned best =
      of_rows("  - o[...] = argmax(" + kTwice + ", axis=1).astype(f32)\n", kVector + schedule("halves"));
  const auto positions = reductions<program::ReduceLanes>(best);
  REQUIRE(positions.size() == 1);
  CHECK(dims_of(best, positions[0].positions) == "8 x 32");
  CHECK(positions[0].positions != positions[0].field);
  const Planned total = of_rows("  - o[...] = x / sum(" + kTwice + ")\n", kMatrix + schedule("neighbours"));
  const auto tiles_of_total = reductions<program::ReduceTile>(total);
  REQUIRE(tiles_of_total.size() == 1);
  CHECK(dims_of(total, tiles_of_total[0].field) == "128");
  CHECK(reductions<program::ReduceLanes>(total).empty());
  CHECK(syncs(*total.plan) == std::vector<std::string>{"o_sum_parts is written"});
}

TEST_CASE("strategies: a setting that no reduction could honour is refused") {
  const Planned nothing = of_rows("  - o[...] = x\n", kMatrix + schedule("halves"));
  CHECK_FALSE(nothing.plan.has_value());
  CHECK(nothing.errors().find("but this kernel reduces nothing") != std::string::npos);
  const Planned alone =
      of_rows("  - o[...] = x - sum(concatenate([x, x], axis=0), axis=0)[None, :]\n", kMatrix + schedule("shuffle"));
  CHECK_FALSE(alone.plan.has_value());
  CHECK(alone.errors().find("each result of this kernel's reductions is one thread's") != std::string::npos);
  CHECK(of_rows("  - o[...] = x\n", kMatrix + schedule("auto")).plan.has_value());
}
