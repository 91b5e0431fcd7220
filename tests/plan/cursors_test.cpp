// Rings that share the variables of their slots.
#include "questions/cursors.h"

#include <doctest/doctest.h>

#include "planned.h"
#include "tile/text.h"

using namespace pallasgen;

namespace {

// Returns the cursors of three channels that the role `all` advances together; it fills the first-named itself.
// `producer`: statements of the other role.
std::map<int, std::string> cursors_of(const std::string& producer) {
  const SourceText source("few.tile",
                          "tile 1 few sm_90a after protocol\n"
                          "dim K\n"
                          "axis k sequential cdiv(K, 64)\n"
                          "ref a: bf16[64, K] {in, block [64, 64], at [0, k]}\n"
                          "ref b: bf16[64, K] {in, block [64, 64], at [0, k]}\n"
                          "ref o: f32[64, 64] {out, block [64, 64], at [0, 0]}\n"
                          "kernel few:\n"
                          "  channel t(t: bf16[64, 64]) {moves tile k, from all, to all, slots 2}\n"
                          "  channel a(a: bf16[64, 64]) {moves tile k, from load, to all, slots 2}\n"
                          "  channel b(b: bf16[64, 64]) {moves tile k, from load, to all, slots 2}\n"
                          "  role load {warps 1}:\n"
                          "    for tile in work() {one_per_cta}:\n"
                          "      for k in 0 .. num_programs(k):\n" +
                              producer +
                              "  role all {warps 4}:\n"
                              "    for tile in work() {one_per_cta}:\n"
                              "      for k in 0 .. num_programs(k):\n"
                              "        advance t\n"
                              "        advance a\n"
                              "        advance b\n");
  Diagnostics diagnostics;
  const auto program = tile::read_text(source, diagnostics);
  if (!program) FAIL(render(diagnostics, ErrorFormat::text, false));
  return shared_cursors(*program);
}

}  // namespace

TEST_CASE("rings that move on together in every role share a cursor") {
  CHECK(cursors_of("        advance a\n        advance b\n").size() == 3);
}

TEST_CASE("rings that one role moves on apart do not share that of a ring it does not have") {
  const auto cursors = cursors_of("        advance a\n        sync warpgroup\n        advance b\n");
  CHECK(cursors.size() == 2);
  CHECK(cursors.count(0) == 1);
  CHECK(cursors.count(2) == 0);
}

TEST_CASE("rings of kernels share a variable where they move on together") {
  const auto cursors = [](const std::string& name) {
    std::string out;
    const Planned planned = library(name);
    REQUIRE_MESSAGE(planned.plan, planned.errors());
    for (const RingPlan& ring : planned.plan->rings) out += ring.name + " " + ring.cursor + " " + ring.slot_name + "\n";
    return out;
  };
  CHECK(cursors("attention/attention_bwd.yaml") ==
        "ring_k_v ring_k_v s_k_v\nring_q ring s\nring_do_ ring s\nring_lse ring s\nring_delta ring s\n"
        "ring_dq ring_dq s_dq\nring_ds16 ring s\n");
  CHECK(cursors("attention/attention_fwd.yaml") == "ring_q ring_q s_q\nring_k ring_k s_k\nring_v ring_v s_v\n");
  CHECK(cursors("matmul/matmul.yaml") == "ring ring s\n");
}
