// Operands of matrix instructions that threads make.
#include "made_operands.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "planned.h"
#include "tile_texts.h"

using pallasgen::RingPlan;
using pallasgen::test::after_pass;
using pallasgen::test::has;

namespace {

// What `protocol` makes of a role that multiplies in each step by what it has made.
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
  CHECK(has(text, kPutMade + kGetMade + kOtherRead + "      fence_proxy\n      sync\n" + kMma +
                      "      wait_mma 0 o u\n      advance t\n"));
}

TEST_CASE("with one slot all have read the entry before it is written again") {
  const std::string text = with_made("1", kPutMade + kGetMade + kOtherRead + kMma);
  INFO(text);
  CHECK(has(text, "      sync\n" + kPutMade + kGetMade + kOtherRead + "      fence_proxy\n      sync\n" + kMma));
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
  const size_t fence = text.find("      fence_proxy\n      sync\n");
  REQUIRE(fence != std::string::npos);
  CHECK(text.find("      fence_proxy\n      sync\n", fence + 1) == std::string::npos);
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
