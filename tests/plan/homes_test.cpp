#include "plan/passes.h"
#include "planned.h"
#include "tile/text.h"

using namespace pallasgen;
TEST_CASE("a value that a loop over fragments does not find beside its own elements goes by elements") {
  const auto text_after = [](const std::string& pass, const std::string& refs, const std::string& body) {
    const Planned planned("pallasgen: 1\nkernel: k\n" + refs + "body: [\"" + body + "\"]\n");
    REQUIRE(planned.kernel);
    const Target& target = *find_target("sm_90a");
    const tile::Program program = lower(PreparedKernel(std::make_shared<const Kernel>(*planned.kernel), target), pass);
    return tile::to_text(program);
  };
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  const std::string rows = "inputs: {x: {type: \"f32[4, 16]\"}, s: {type: \"f32[4, 1]\"}}\n";
  const std::string y = "outputs: {y: {type: \"f32[4, 16]\"}}\n";
  CHECK(has(text_after("homes", rows + y, "y[...] = x / concatenate([x[:, 8:16], x[:, 0:8]], axis=1)"),
            "y: f32[4, 16] inlined"));
  CHECK(!has(text_after("homes", rows + y, "y[...] = x / s"), "in smem"));
  // Other values of the body stay in registers: only the gather has a tile.
  const std::string gathered = text_after("homes", rows + y, "y[...] = exp(x) + x[:, (iota(i32, [16], 0) + 1) % 16]");
  CHECK(has(gathered, "y: f32[4, 16] inlined"));
  const std::string row = "inputs: {x: {type: \"f32[5]\"}}\n";
  CHECK(has(text_after("homes", row + "outputs: {z: {type: \"f32[3, 5]\"}}\n", "z[...] = x"), " inlined"));
  CHECK(!has(text_after("homes", row + "outputs: {z: {type: \"f32[1, 5]\"}}\n", "z[...] = x"), "in smem"));
  // A number that a branch tests is a variable of all threads.
  CHECK(has(text_after("homes", row + "outputs: {z: {type: \"f32[5]\"}}\n",
                       "t = argmax(concatenate([x, x], axis=0))\", \"z[...] = x * t.astype(f32)"),
            "t: i32[] in scalar"));
}

TEST_CASE("sums whose parts take rows of a transposed name stay in registers") {
  const Planned planned(text_of("tests/corners/rows_of_a_transposed_name.yaml"));
  REQUIRE(planned.kernel);
  const Target& target = *find_target("sm_90a");
  const std::string text = tile::to_text(
      lower(PreparedKernel(std::make_shared<const Kernel>(*planned.kernel), target), passes().back().name));
  const auto has = [&](const std::string& part) { return text.find(part) != std::string::npos; };
  CHECK(has("rows: f32[2, 128] in smem"));
  CHECK(has("rows_1: f32[128] @wgmma_row in reg = rows[1, 0:128]"));
  CHECK_FALSE(has("acc: f32[128, 64] in smem"));
}

TEST_CASE("a dot whose operands instructions cannot take is known before anything is built on it") {
  const auto why = [](const std::string& yaml) {
    const Planned planned("pallasgen: 1\nkernel: k\n" + yaml);
    REQUIRE(planned.kernel);
    const Target& target = *find_target("sm_90a");
    const tile::Program program =
        lower(PreparedKernel(std::make_shared<const Kernel>(*planned.kernel), target), passes().back().name);
    const tile::Choices dots = tile::all_given_up(program, tile::ChoiceKind::instructions);
    return dots.empty() ? "" : dots.front().why;
  };
  const auto matmul = [](const std::string& multiple, const std::string& stages, const std::string& dtype = "bf16") {
    return "dims: {M: {multiple_of: 8}, N: {multiple_of: 8}, K: {multiple_of: " + multiple +
           "}}\n"
           "grid: [{axis: m, size: \"cdiv(M, 128)\"}, {axis: n, size: \"cdiv(N, 128)\"}, "
           "{axis: k, size: \"cdiv(K, 64)\", semantics: sequential}]\n"
           "inputs:\n"
           "  a: {type: \"" +
           dtype +
           "[M, K]\", block: [128, 64], index_map: [m, k], fill: 0}\n"
           "  b: {type: \"" +
           dtype +
           "[N, K]\", block: [128, 64], index_map: [n, k], fill: 0}\n"
           "outputs: {c: {type: \"bf16[M, N]\", block: [128, 128], index_map: [m, n]}}\n"
           "scratch: {acc: {type: \"f32[128, 128]\", space: acc}}\n"
           "pipeline: {stages: " +
           stages +
           ", warp_specialized: true, compute_warpgroups: 2}\n"
           "body:\n"
           "  - {when: k == 0, do: [\"acc[...] = 0\"]}\n"
           "  - \"acc[...] += dot(a, b, trans_b=true" +
           (dtype == "f32" ? ", precision=tf32" : "") +
           ")\"\n"
           "  - {when: k == num_programs(k) - 1, do: [\"c[...] = acc[...].astype(bf16)\"]}\n";
  };
  CHECK(why(matmul("8", "3")).empty());
  CHECK(why(matmul("8", "1")).empty());
  CHECK(why(matmul("4", "3")).empty());  // the threads of the producer copy it
  CHECK(why(matmul("2", "2", "f32")) ==
        "no tensor copy brings 'a': nothing says that its rows of K elements are whole 16-byte units");
}
