#include "plan/passes.h"
#include "planned.h"
#include "tile/text.h"
#include "tile_texts.h"

using namespace pallasgen;
using pallasgen::test::has;

namespace {

// A step of a sum of products of 128 terms, by this expression.
std::string step_of(const std::string& sum, const std::string& dtype, const std::string& scales) {
  return "pallasgen: 1\nkernel: scaled\ndims: {M: {}, N: {multiple_of: 8}, K: {multiple_of: 128}}\n"
         "grid: [{axis: m, size: \"cdiv(M, 64)\"}, {axis: n, size: \"cdiv(N, 64)\"}, {axis: k, size: \"K // 128\", "
         "semantics: sequential}]\n"
         "inputs:\n"
         "  a: {type: \"" +
         dtype + "[M, K]\", block: [64, 128], index_map: [m, k], fill: 0}\n  b: {type: \"" + dtype +
         "[N, K]\", block: [64, 128], index_map: [n, k], fill: 0}\n" + scales +
         "outputs: {c: {type: \"f32[M, N]\", block: [64, 64], index_map: [m, n]}}\n"
         "scratch: {acc: {type: \"f32[64, 64]\", space: acc}}\n"
         "pipeline: {stages: 2, warp_specialized: true, compute_warpgroups: 1}\n"
         "body:\n  - when: k == 0\n    do: [\"acc[...] = 0\"]\n  - acc[...] += " +
         sum + "\n  - when: k == num_programs(k) - 1\n    do: [\"c[...] = acc[...]\"]\n";
}

std::string selected(const Planned& planned) {
  REQUIRE(planned.kernel);
  const auto kernel = std::make_shared<const Kernel>(*planned.kernel);
  Diagnostics diagnostics;
  return tile::to_text(lower(PreparedKernel(kernel, *target_named(*kernel, "sm_90a", diagnostics)), "select"));
}

// Returns the first of the matrix instructions of each group, in the order of the plan.
std::vector<std::string> first_instructions(const Plan& plan) {
  std::vector<std::string> firsts;
  for (const RolePlan& role : plan.roles) {
    for_each_statement(role.program, [&](const program::Statement& statement) {
      const auto* mma = std::get_if<program::Mma>(&statement.node);
      if (mma) firsts.push_back(to_string(mma->k_first));
    });
  }
  return firsts;
}

constexpr const char* kScales =
    "  s: {type: \"f8e8m0[M, K // 32]\", block: [64, 4], index_map: [m, k]}\n"
    "  t: {type: \"f32[N, K // 64]\", block: [64, 2], index_map: [n, k]}\n";

}  // namespace

TEST_CASE("a dot with scales is a product of instructions for each part") {
  const Planned planned(step_of("dot(a, b, trans_b=true, a_scale=s)", "f8e4m3", kScales));
  REQUIRE_MESSAGE(planned.plan, planned.errors());
  CHECK_FALSE(planned.has_scalar_dot());
  const std::string text = selected(planned);
  CHECK(has(text, "mma 0, a[0:64, 0:32], (b[0:64, 0:32]).T {family wgmma.k32.f32.e4m3}"));
  CHECK(has(text, "mma 0, a[0:64, 96:128], (b[0:64, 96:128]).T {family wgmma.k32.f32.e4m3}"));
  CHECK(has(text, "s_t: f32[4, 64] = transpose(s, [1, 0]).astype(f32)"));
  CHECK(has(text, "s_t[3, 0:64]"));
  CHECK(first_instructions(*planned.plan) == std::vector<std::string>{"part"});
}

TEST_CASE("parts of 64 products of 16 bits begin at every fourth instruction") {
  const Planned planned(step_of("dot(a, b, trans_b=true, b_scale=t)", "bf16", kScales));
  REQUIRE_MESSAGE(planned.plan, planned.errors());
  CHECK(first_instructions(*planned.plan) == std::vector<std::string>{"part * 4"});
}

TEST_CASE("slices that begin inside an instruction are read as blocks of their own") {
  const Planned planned(step_of("dot(a[:, 8:40], b[:, 8:40], trans_b=true)", "bf16", kScales));
  const std::string text = selected(planned);
  CHECK(has(text, "a_8: bf16[64, 32] in smem = read a["));
  CHECK_FALSE(has(text, "a[0:64, 8:40], (b"));
}

TEST_CASE("slices of different terms are no part of one dot") {
  const Planned planned(step_of("dot(a[:, 0:32], b[:, 32:64], trans_b=true)", "bf16", kScales));
  CHECK(has(selected(planned), "a_0: bf16[64, 32] in smem = read a["));
}
