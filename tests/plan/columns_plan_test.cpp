#include <set>
#include <string>
#include <vector>

#include "element_bodies.h"
#include "plan/passes.h"

using namespace element_bodies;

namespace {

// A kernel of blocks of `rows` x `columns` of f32 with one result for each column.
Planned of_columns(int rows, int columns, const std::string& body, const std::string& more = "") {
  return Planned("pallasgen: 1\nkernel: f\ndims: {M: {}}\nconsts: {bm: " + std::to_string(rows) +
                 ", bn: " + std::to_string(columns) +
                 "}\ngrid: [{axis: m, size: \"cdiv(M, bm)\"}]\ninputs:\n"
                 "  x: {type: \"f32[M, bn]\", block: [bm, bn], index_map: [m, 0], fill: 0}\noutputs:\n"
                 "  o: {type: \"f32[cdiv(M, bm), bn]\", block: [squeezed, bn], index_map: [m, 0]}\n" +
                 more + "body:\n" + body);
}

std::vector<program::ReduceFragment> reductions(const Planned& planned) {
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  std::vector<program::ReduceFragment> found;
  visit(planned.plan->roles.back().program, [&](const program::Statement& statement) {
    if (const auto* node = std::get_if<program::ReduceFragment>(&statement.node)) found.push_back(*node);
  });
  return found;
}

// Returns "4 of 512; 128 x 16": lanes, threads and the tile, if any, of the first reduction.
std::string shared_out(const Planned& planned) {
  const auto found = reductions(planned);
  if (found.empty() || found[0].axis != 0) return "no columns in registers";
  std::string lanes;
  for (const PlanConstant& constant : planned.plan->constants) {
    if (constant.name == "kRowLanes") lanes = std::to_string(constant.value);
  }
  lanes += " of " + std::to_string(planned.plan->launch.threads.value);
  if (found[0].field < 0) return lanes;
  const SharedField& field = planned.plan->shared.fields[static_cast<size_t>(found[0].field)];
  return lanes + "; " + std::to_string(field.dims[0].value) + " x " + std::to_string(field.dims[1].value);
}

const char* const kSum = "  - o[...] = sum(x, axis=0)\n";

}  // namespace

TEST_CASE("columns: neighbouring threads have vectors of a row, as many as there are, and share few columns") {
  CHECK(shared_out(of_columns(1024, 16, kSum)) == "4 of 512; 128 x 16");
  CHECK(shared_out(of_columns(64, 64, kSum)) == "16 of 256; 16 x 64");
  CHECK(shared_out(of_columns(16, 1024, kSum)) == "256 of 512; 2 x 1024");
  CHECK(shared_out(of_columns(40, 24, kSum)) == "8 of 64; 8 x 24");  // 6 vectors, two of 8 lanes without any
  CHECK(shared_out(of_columns(8, 3, kSum)) == "4 of 32");            // a warp has them all
  CHECK(shared_out(of_columns(2048, 16, kSum)) == "4 of 1024; 256 x 16");
}

TEST_CASE("columns: two CTAs of 512 threads hold eight vectors a thread") {
  const Planned share =
      of_columns(1024, 16, "  - p = exp(x - max(x, axis=0))\n  - o[...] = sum(p / sum(p, axis=0), axis=0)\n");
  REQUIRE_MESSAGE(share.plan.has_value(), share.errors());
  CHECK(share.plan->launch.least_ctas == 2);
}

TEST_CASE("columns: a block whose rows are reduced too has the lanes of its rows") {
  CHECK(shared_out(of_columns(16, 64, "  - y = x - sum(x, axis=1)[:, None]\n  - o[...] = sum(y, axis=0)\n")) ==
        "no columns in registers");  // the first reduction is of rows
  const Planned both = of_columns(16, 64, "  - o[...] = sum(x, axis=0)\n  - r[...] = sum(x, axis=1)\n",
                                  "  r: {type: \"f32[M]\", block: [bm], index_map: [m]}\n");
  CHECK(shared_out(both) == "16 of 64; 4 x 64");
}

TEST_CASE("columns: blocks of several heights have vectors of columns in one place") {
  const Planned two(
      "pallasgen: 1\nkernel: f\ndims: {M: {}}\ngrid: [{axis: m, size: \"M\"}]\ninputs:\n"
      "  x: {type: \"f32[M, 128, 16]\", space: gmem}\n  z: {type: \"f32[M, 96, 16]\", space: gmem}\noutputs:\n"
      "  o: {type: \"f32[M, 16]\", block: [squeezed, 16], index_map: [m, 0]}\nbody:\n"
      "  - top = max(x[m, :, :], axis=0)\n  - for: i\n    range: \"3\"\n    do:\n"
      "      - v = z[m, ds(i * 32, 32), :]\n      - top = maximum(top, max(v * top, axis=0))\n  - o[...] = top\n");
  const auto found = reductions(two);
  REQUIRE(found.size() == 2);
  CHECK(two.plan->layouts.size() == 2);
  CHECK(loops(*two.plan).empty());  // nothing is computed per element
  CHECK(tiles(*two.plan) == std::vector<std::string>{"top_parts", "max_parts"});
}

TEST_CASE("columns: tiles of several reductions are called after what is put together through them") {
  const std::string kLargest = "  l: {type: \"f32[cdiv(M, bm), bn]\", block: [squeezed, bn], index_map: [m, 0]}\n";
  CHECK(tiles(*of_columns(1024, 16, "  - o[...] = sum(x, axis=0)\n").plan) == std::vector<std::string>{"partial"});
  CHECK(tiles(*of_columns(1024, 16, "  - o[...] = sum(x, axis=0)\n  - l[...] = max(x, axis=0)\n", kLargest).plan) ==
        std::vector<std::string>{"o_block_parts", "l_block_parts"});
  // Two tiles in turn: the first has a sum and a product.
  CHECK(tiles(*of_columns(
                   1024, 16, "  - o[...] = sum(x, axis=0)\n  - l[...] = max(x, axis=0)\n  - p[...] = prod(x, axis=0)\n",
                   kLargest + "  p: {type: \"f32[cdiv(M, bm), bn]\", block: [squeezed, bn], index_map: [m, 0]}\n")
                   .plan) == std::vector<std::string>{"partial", "l_block_parts"});
}

TEST_CASE("columns: the order of a sum does not depend on the number of threads") {
  // A step adds up whole columns; parts that threads keep over steps would depend on the number of threads.
  const Planned steps(
      "pallasgen: 1\nkernel: f\ndims: {M: {}}\ngrid: [{axis: m, size: \"M\"}]\ninputs:\n"
      "  x: {type: \"f32[M, 96, 16]\", space: gmem}\noutputs:\n"
      "  o: {type: \"f32[M, 16]\", block: [squeezed, 16], index_map: [m, 0]}\nbody:\n"
      "  - total = zeros(f32, [16])\n  - for: i\n    range: \"3\"\n    do:\n"
      "      - total = total + sum(x[m, ds(i * 32, 32), :], axis=0)\n  - o[...] = total\n");
  const auto found = reductions(steps);
  REQUIRE(found.size() == 1);
  CHECK(found[0].part == program::ReducePart::all);
  CHECK(found[0].threads == 8);
  // Orders other than halves depend on all rows.
  const Planned pairs = of_columns(64, 16, kSum, "schedule: {reduction: neighbours}\n");
  CHECK(reductions(pairs).empty());
  const Planned largest = of_columns(64, 16, "  - o[...] = max(x, axis=0)\n", "schedule: {reduction: neighbours}\n");
  CHECK(shared_out(largest) == "4 of 64; 16 x 16");
}

TEST_CASE("columns: what atomics add to memory is added by neighbouring threads") {
  const auto added = [](const std::string& type) {
    return Planned(
        "pallasgen: 1\nkernel: f\ndims: {M: {}}\ngrid: [{axis: m, size: \"cdiv(M, 8)\"}]\ninputs:\n  x: {type: "
        "\"f32[M, " +
        type + "]\", block: [8, " + type + "], index_map: [m, 0], fill: 0}\noutputs:\n  o: {type: \"f32[" + type +
        "]\", init: 0, reduce: add}\nbody:\n  - o[...] = sum(x, axis=0)\n");
  };
  const Planned four = added("64");
  CHECK(reductions(four).empty());
  CHECK(loops(*four.plan).size() == 1);
  CHECK(reductions(added("65")).size() == 1);  // a thread has one of several neighbours
}

namespace {

// Blocks of the rows in steps, with a producer.
Planned in_steps(const std::string& stages, int warpgroups) {
  return Planned(
      "pallasgen: 1\nkernel: f\ndims: {K: {}}\n"
      "grid: [{axis: k, size: \"cdiv(K, 128)\", semantics: sequential}]\ninputs:\n"
      "  x: {type: \"f32[K, 128]\", block: [128, 128], index_map: [k, 0], fill: 0}\noutputs:\n"
      "  o: {type: \"f32[128]\"}\nscratch:\n  acc: {type: \"f32[128]\", space: reg}\npipeline: {stages: " +
      stages + ", warp_specialized: true, compute_warpgroups: " + std::to_string(warpgroups) +
      "}\nbody:\n  - {when: k == 0, do: [\"acc[...] = 0\"]}\n"
      "  - acc[...] = acc * 0.5 + sum(x, axis=0) * sum(x * x, axis=0)\n"
      "  - {when: k == num_programs(k) - 1, do: [\"o[...] = acc\"]}\n");
}

}  // namespace

TEST_CASE("columns of rows in turn: groups that are no power of two have a line of the tile for each row") {
  CHECK(shared_out(in_steps("1", 2)) == "32 of 384; 8 x 128");
  CHECK(shared_out(in_steps("1", 3)) == "32 of 512; 128 x 128");
}

TEST_CASE("columns: a tile of all rows serves every reduction, as two of them may not fit") {
  const auto tiles_of = [](const Planned& planned) {
    std::set<int> fields;
    for (const program::ReduceFragment& reduce : reductions(planned)) fields.insert(reduce.field);
    return fields.size();
  };
  CHECK(tiles_of(in_steps("1", 2)) == 2);
  CHECK(tiles_of(in_steps("1", 3)) == 1);
}

TEST_CASE("stages: auto takes as many as fit beside the tiles of reductions, which no pass counts") {
  const Planned planned = in_steps("auto", 3);
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  CHECK(planned.plan->rings[0].slots.value == 2);
  CHECK(in_steps("auto", 2).plan->rings[0].slots.value == 3);
  const tile::Choices choices = choices_of_plan(*planned.kernel, "sm_90a");
  REQUIRE(choices.size() == 1);
  CHECK(choices[0].bytes > 128 * 128 * 4 - 1024);
  // A requested number is kept.
  const Planned refused = in_steps("3", 3);
  CHECK(!refused.plan.has_value());
  CHECK(refused.errors().find("2 stages fit") != std::string::npos);
}
