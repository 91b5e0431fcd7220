// Operands of matrix instructions that threads make.
#include "questions/computed_operands.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "planned.h"
#include "tile_texts.h"

using pallasgen::RingPlan;
using pallasgen::test::after_pass;
using pallasgen::test::has;

namespace {

// Returns the result of `protocol` for a role that multiplies in each step by an operand that it has made.
std::string with_made(const std::string& slots, const std::string& turn) {
  return after_pass("protocol",
                    "dim M, K\n"
                    "axis m parallel cdiv(M, 64)\n"
                    "axis k sequential cdiv(K, 64)\n"
                    "ref o: f32[M, 64] {out, block [64, 64], at [m, 0]}\n",
                    "channel t(t: bf16[64, 64]) {moves tile k, from all, to all, slots " + slots +
                        "}\n"
                        "role all {warps 4}:\n"
                        "  for tile in work(m) {one_per_cta}:\n"
                        "    o: f32[64, 64] @wgmma in reg = 0.0\n"
                        "    for k in 0 .. num_programs(k) {carry o}:\n"
                        "      t: bf16[64, 64] @wgmma = 1.0\n" +
                        turn);
}

const std::string kPutMade = "      put t[k].t <- t\n";
const std::string kGetMade = "      t_operand: bf16[64, 64] in smem = get t[k].t\n";
const std::string kOtherRead = "      u: bf16[64, 64] @wgmma_operand in reg = t * 2.0\n";
const std::string kMma = "      o: f32[64, 64] @wgmma in reg = mma o, u, t_operand {family wgmma.k16.f32.bf16}\n";

}  // namespace

TEST_CASE("instructions see what all threads stored, at the first that reads it") {
  const std::string text = with_made("2", kPutMade + kGetMade + kOtherRead + kMma);
  INFO(text);
  CHECK(has(text, kPutMade + kGetMade + kOtherRead + "      fence_proxy filled(t)\n      sync filled(t) read(t)\n" +
                      kMma + "      wait_mma 0 o u\n      advance t\n"));
}

TEST_CASE("the warps of a warpgroup meet before they write an entry again that all of them read") {
  const std::string text = with_made("1", kPutMade + kGetMade + kOtherRead + kMma);
  INFO(text);
  CHECK(has(text, "      t: bf16[64, 64] @wgmma = 1.0\n      sync read(t)\n" + kPutMade + kGetMade + kOtherRead +
                      "      fence_proxy filled(t)\n      sync filled(t)\n" + kMma + "      wait_mma 0 o u\n"));
}

namespace {

// The same for two warpgroups, each with rows of the operand `t` that the dot `mma` reads.
std::string of_two_warpgroups(const std::string& slots, const std::string& mma) {
  return after_pass("protocol",
                    "dim M, K\n"
                    "axis m parallel cdiv(M, 128)\n"
                    "axis k sequential cdiv(K, 64)\n"
                    "ref b: bf16[128, K] {in, block [128, 64], at [0, k]}\n"
                    "ref o: f32[M, 128] {out, block [128, 128], at [m, 0]}\n",
                    "channel b(b: bf16[128, 128]) {moves tile k, from load, to all, slots 2}\n"
                    "channel t(t: bf16[128, 128]) {moves tile k, from all, to all, slots " +
                        slots +
                        "}\n"
                        "role load {warps 1}:\n"
                        "  for tile in work(m) {one_per_cta}:\n"
                        "    for k in 0 .. num_programs(k):\n"
                        "      put b[k].b <- b[0 +: 128, k * 128 +: 128] {path tma}\n"
                        "role all {warps 8}:\n"
                        "  for tile in work(m) {one_per_cta}:\n"
                        "    o: f32[128, 128] @wgmma in reg = 0.0\n"
                        "    for k in 0 .. num_programs(k) {carry o}:\n"
                        "      b: bf16[128, 128] in smem = get b[k].b\n"
                        "      t: bf16[128, 128] @wgmma = 1.0\n"
                        "      put t[k].t <- t\n"
                        "      t_operand: bf16[128, 128] in smem = get t[k].t\n" +
                        mma);
}

const std::string kFamily = " {family wgmma.k16.f32.bf16}\n";

}  // namespace

TEST_CASE("where each warpgroup reads the rows that it has stored, its threads alone meet, and only behind the store") {
  const std::string mma = "      o: f32[128, 128] @wgmma in reg = mma o, t_operand, b" + kFamily;
  const std::string text = of_two_warpgroups("1", mma);
  INFO(text);
  CHECK(has(text, "      t: bf16[128, 128] @wgmma = 1.0\n      put t[k].t <- t\n"));
  CHECK(has(text, "      fence_proxy filled(t)\n      sync warpgroup filled(t)\n"));
  CHECK_FALSE(has(text, "      sync filled"));
  CHECK_FALSE(has(text, "      sync read"));
}

TEST_CASE("where warpgroups read rows of others, all threads meet") {
  for (const char* operands : {"(t_operand).T, b", "b, t_operand"}) {
    const std::string mma = std::string("      o: f32[128, 128] @wgmma in reg = mma o, ") + operands + kFamily;
    const std::string text = of_two_warpgroups("1", mma);
    INFO(text);
    CHECK(has(text, "      t: bf16[128, 128] @wgmma = 1.0\n      sync read(t)\n      put t[k].t <- t\n"));
    CHECK(has(text, "      fence_proxy filled(t)\n      sync filled(t)\n"));
    CHECK_FALSE(has(text, "      sync warpgroup"));
  }
}

namespace {

// Steps that each add a product of the previous step's result: as B it belongs to all warpgroups, as A to each.
std::string of_step_before(const std::string& product, const std::string& passes) {
  return after_pass("select,schedule,roles,channels" + passes,
                    "dim M, N multiple_of 8\naxis m parallel cdiv(M, 128)\naxis n sequential cdiv(N, 128)\n"
                    "ref q: bf16[M, 64] {in, block [128, 64], at [m, 0], fill 0}\n"
                    "ref k: i8[N, 64] {in, block [128, 64], at [n, 0], fill 0}\n"
                    "ref v: bf16[N, 128] {in, block [128, 128], at [n, 0], fill 0}\n"
                    "ref o: f32[M, 128] {out, block [128, 128], at [m, 0]}\n"
                    "ask pipeline.stages = 2\nask pipeline.warp_specialized = true\n"
                    "ask pipeline.compute_warpgroups = 2\nask schedule.lookahead = [s]\n",
                    "for tile in work(m):\n"
                    "  o: f32[128, 128] = 0.0\n"
                    "  q: bf16[128, 64] = read q[m * 128 +: 128?, 0 +: 64]\n"
                    "  for n in 0 .. num_programs(n) {carry o}:\n"
                    "    k: i8[128, 64] = read k[n * 128 +: 128?, 0 +: 64]\n"
                    "    v: bf16[128, 128] = read v[n * 128 +: 128?, 0 +: 128]\n"
                    "    k16: bf16[128, 64] = k.astype(bf16)\n"
                    "    s: f32[128, 128] = dot 0, q, (k16).T\n"
                    "    p: bf16[128, 128] = s.astype(bf16)\n"
                    "    o: f32[128, 128] = dot o, " +
                        product +
                        "\n"
                        "  write o[m * 128 +: 128?, 0 +: 128] <- o\n");
}

}  // namespace

TEST_CASE("what a step makes for the next one goes through one channel, in front of the steps, in them and behind") {
  const std::string text = of_step_before("v, p", "");
  INFO(text);
  CHECK(has(text, "channel p(p: bf16[128, 128]) {moves tile n, from consumer, to consumer, slots auto}\n"));
  CHECK_FALSE(has(text, "channel p_"));
  CHECK(has(text, "put p[0].p <- p\n"));
  CHECK(has(text, "p_operand: bf16[128, 128] in smem = get p[n - 1].p\n"));
  CHECK(has(text, "put p[n].p <- p\n"));
  CHECK(has(text, "p_operand: bf16[128, 128] in smem = get p[num_programs(n) - 1].p\n"));
  // The operands of the first dots are made in their steps: one channel too.
  CHECK(has(text, "channel k16(k16: bf16[128, 64]) {moves tile n, from consumer, to consumer, slots auto}\n"));
  CHECK_FALSE(has(text, "channel k16_"));
}

TEST_CASE("the role comes to the next entry before it fills it") {
  const std::string text = of_step_before("v, p", ",size,homes,layouts,ahead,protocol");
  INFO(text);
  CHECK(has(text, "advance p\n        put p[n].p <- p\n"));
  CHECK(has(text, "advance k16\n      for n in 1 .. num_programs(n)"));
}

TEST_CASE("an operand A that registers do not hold goes through shared memory, and `explain` says what was counted") {
  const auto planned = [](const std::string& columns, const std::string& stages) {
    return library("attention/attention_fwd.yaml", {{"d", "64"},
                                                    {"bq", "192"},
                                                    {"bkv", columns},
                                                    {"pipeline.stages", stages},
                                                    {"pipeline.compute_warpgroups", "3"}});
  };
  const auto stored = [](const Planned& of) {
    std::string found;
    for (const pallasgen::Decision& decision : of.plan->decisions) {
      if (decision.subject == "operand a of acc") found = decision.choice + ": " + decision.reason;
    }
    return found;
  };
  const Planned small = planned("128", "2"), large = planned("160", "2");
  REQUIRE_MESSAGE(small.plan, small.errors());
  REQUIRE_MESSAGE(large.plan, large.errors());
  CHECK(stored(small) == "");
  CHECK(has(stored(large), "through shared memory: 181 of 160 registers in each thread of 'consumer' are needed"));
  const auto ring = std::find_if(large.plan->rings.begin(), large.plan->rings.end(),
                                 [](const RingPlan& each) { return each.name == "ring_acc_a"; });
  REQUIRE(ring != large.plan->rings.end());
  CHECK(ring->slots.value == 1);
  // If shared memory has no space for it, the missing registers are reported.
  const Planned deep = planned("160", "4");
  CHECK_FALSE(deep.plan);
  CHECK(has(deep.errors(), "needs 177 of 160 registers in each thread of 'consumer'"));
}

TEST_CASE("operands that are made side by side share a fence") {
  const std::string first = "      t_operand: bf16[64, 64] in smem = get t[k].t\n";
  const std::string text =
      after_pass("select,schedule,roles,channels,size,homes,layouts,ahead,protocol",
                 "dim M, K multiple_of 8\naxis m parallel cdiv(M, 64)\naxis k sequential cdiv(K, 64)\n"
                 "ref a: bf16[M, K] {in, block [64, 64], at [m, k], fill 0}\n"
                 "ref o: f32[M, 64] {out, block [64, 64], at [m, 0]}\n"
                 "ask pipeline.stages = 2\nask pipeline.warp_specialized = true\nask pipeline.compute_warpgroups = 1\n",
                 "for tile in work(m):\n"
                 "  o: f32[64, 64] = 0.0\n"
                 "  for k in 0 .. num_programs(k) {carry o}:\n"
                 "    a: bf16[64, 64] = read a[m * 64 +: 64?, k * 64 +: 64?]\n"
                 "    t: bf16[64, 64] = a * 2.0\n"
                 "    u: bf16[64, 64] = a + 1.0\n"
                 "    o: f32[64, 64] = dot o, (t).T, u\n"
                 "  write o[m * 64 +: 64?, 0 +: 64] <- o\n");
  INFO(text);
  CHECK(has(text, "put t[k].t <- t\n"));
  CHECK(has(text, "put u[k].u <- u\n"));
  const size_t fence = text.find("      fence_proxy filled(t u)\n      sync filled(t u)");
  REQUIRE(fence != std::string::npos);
  CHECK(text.find("      fence_proxy filled(t", fence + 1) == std::string::npos);
  CHECK(text.find("      fence_proxy filled(u", fence + 1) == std::string::npos);
  CHECK(text.find("put u[k].u") < fence);
}

TEST_CASE("what is made once outside of the steps is stored once, and what several definitions make before each dot") {
  const std::string head =
      "dim M, K multiple_of 8\naxis m parallel cdiv(M, 64)\naxis k sequential cdiv(K, 64)\n"
      "ref a: bf16[M, K] {in, block [64, 64], at [m, k], fill 0}\n"
      "ref w: bf16[64, 64] {in, block [64, 64], at [0, 0], fill 0}\n"
      "ref o: f32[M, 64] {out, block [64, 64], at [m, 0]}\n";
  const std::string once = after_pass("select", head,
                                      "for tile in work(m):\n"
                                      "  o: f32[64, 64] = 0.0\n"
                                      "  w: bf16[64, 64] = read w[0 +: 64, 0 +: 64]\n"
                                      "  t: bf16[64, 64] = w * 2.0\n"
                                      "  for k in 0 .. num_programs(k) {carry o}:\n"
                                      "    a: bf16[64, 64] = read a[m * 64 +: 64?, k * 64 +: 64?]\n"
                                      "    o: f32[64, 64] = dot o, a, t\n"
                                      "  write o[m * 64 +: 64?, 0 +: 64] <- o\n");
  INFO(once);
  CHECK(has(once, "t: bf16[64, 64] = w * 2.0\n    t_operand: bf16[64, 64] in smem = t\n    for k in"));
  const std::string several = after_pass("select", head,
                                         "for tile in work(m):\n"
                                         "  o: f32[64, 64] = 0.0\n"
                                         "  t: bf16[64, 64] = 1.0\n"
                                         "  for k in 0 .. num_programs(k) {carry o t}:\n"
                                         "    a: bf16[64, 64] = read a[m * 64 +: 64?, k * 64 +: 64?]\n"
                                         "    o: f32[64, 64] = dot o, a, t\n"
                                         "    t: bf16[64, 64] = t * 2.0\n"
                                         "  write o[m * 64 +: 64?, 0 +: 64] <- o\n");
  INFO(several);
  CHECK(has(several, "t_operand: bf16[64, 64] in smem = t\n      o: f32[64, 64] in reg = mma o, a, t_operand"));
}

TEST_CASE("matrices that dots make have the sizes of the operands' names") {
  const Planned planned = library("attention/attention_bwd.yaml");
  REQUIRE_MESSAGE(planned.plan, planned.errors());
  const auto made = std::find_if(planned.plan->rings.begin(), planned.plan->rings.end(),
                                 [](const RingPlan& ring) { return ring.name == "ring_ds16"; });
  REQUIRE(made != planned.plan->rings.end());
  CHECK(made->operands.front().extent.text == "bkv");  // of k, the rows of the first dot
  CHECK(made->operands.front().width.text == "bq");    // of q
}
