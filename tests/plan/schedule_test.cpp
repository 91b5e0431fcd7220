#include <doctest/doctest.h>

#include "tile_texts.h"

using pallasgen::test::after_pass;
using pallasgen::test::has;

namespace {

const std::string kMatmul =
    "dim M, K multiple_of 8\n"
    "axis m parallel cdiv(M, 128)\n"
    "axis k sequential cdiv(K, 64)\n"
    "ref a: bf16[M, K] {in, block [128, 64], at [m, k], fill 0}\n"
    "ref c: f32[M, 128] {out, block [128, 128], at [m, 0]}\n";

std::string steps(const std::string& before, const std::string& in_step) {
  return "for tile in work(m):\n" + before +
         "  for k in 0 .. num_programs(k) {carry c}:\n"
         "    a: bf16[128, 64] = read a[m * 128 +: 128?, k * 64 +: 64?]\n" +
         in_step + "  write c[m * 128 +: 128?, 0 +: 128] <- c\n";
}

}  // namespace

TEST_CASE("the first instruction overwrites an accumulator that starts as zero, which is filled where no step is") {
  CHECK(after_pass("select,schedule",
                   kMatmul + "ask pipeline.warp_specialized = true\nask schedule.persistent = true\n",
                   steps("  c: f32[128, 128] = 0.0\n", "    c: f32[128, 128] = dot c, a, (a).T\n")) ==
        "role all:\n"
        "  for tile in work(m) {static_persistent}:\n"
        "    c: f32[128, 128] in reg = undef\n"
        "    for k in 0 .. num_programs(k) {carry c}:\n"
        "      a: bf16[128, 64] in smem = read a[m * 128 +: 128?, k * 64 +: 64?] {path tma}\n"
        "      c: f32[128, 128] in reg = mma c, a, (a).T {family wgmma.k16.f32.bf16, accumulate k > 0, in_flight 1}\n"
        "    if num_programs(k) <= 0 {carry c}:\n"
        "      c: f32[128, 128] in reg = 0.0\n"
        "    write c[m * 128 +: 128?, 0 +: 128] <- c {path tma}\n");
}

TEST_CASE("a step that is always there needs no fill") {
  const std::string text =
      after_pass("select,schedule", "dim M, K multiple_of 8 min 8\n" + kMatmul.substr(kMatmul.find('\n') + 1),
                 steps("  c: f32[128, 128] = 0.0\n", "    c: f32[128, 128] = dot c, a, (a).T\n"));
  CHECK(text.find("accumulate k > 0") != std::string::npos);
  CHECK(text.find("if ") == std::string::npos);
}

TEST_CASE("an accumulator of a loop in a loop that may have no step is filled in front of both") {
  const auto nest = [](const std::string& facts) {
    std::string kernel = "dim H" + facts + "\ndim M, K multiple_of 8" + facts + kMatmul.substr(kMatmul.find('\n'));
    kernel.insert(kernel.find("ref a"), "axis h sequential H\n");
    return after_pass("select,schedule", kernel,
                      "for tile in work(m):\n  c: f32[128, 128] = 0.0\n"
                      "  for k in 0 .. num_programs(k) {carry c}:\n    for h in 0 .. num_programs(h) {carry c}:\n"
                      "      a: bf16[128, 64] = read a[m * 128 +: 128?, k * 64 +: 64?]\n"
                      "      c: f32[128, 128] = dot c, a, (a).T\n  write c[m * 128 +: 128?, 0 +: 128] <- c\n");
  };
  const std::string text = nest("");
  CHECK(has(text, "    c: f32[128, 128] in reg = 0.0\n    for k in 0 .. num_programs(k) {carry c}:\n"));
  CHECK(text.find("accumulate") == std::string::npos);
  CHECK(text.find("if ") == std::string::npos);
  CHECK(has(nest(" min 8"), "accumulate k > 0 or h > 0"));
}

TEST_CASE("an accumulator that starts otherwise, is scaled in the step or goes by loops is left as it is") {
  const std::string dot = "    c: f32[128, 128] = dot c, a, (a).T\n";
  for (const std::string& text :
       {after_pass("select,schedule", kMatmul, steps("  c: f32[128, 128] = 1.0\n", dot)),
        after_pass("select,schedule", kMatmul, steps("  c: f32[128, 128] = -0.0\n", dot)),
        after_pass("select,schedule", kMatmul,
                   steps("  c: f32[128, 128] = 0.0\n", "    c: f32[128, 128] = c * 0.5\n" + dot)),
        after_pass("select,schedule", kMatmul,
                   steps("  c: f32[128, 128] = 0.0\n", "    c: f32[128, 128] = c + dot(a, (a).T)\n"))}) {
    CHECK(text.find("undef") == std::string::npos);
    CHECK(text.find("accumulate") == std::string::npos);
    CHECK(text.find("if ") == std::string::npos);
  }
}

TEST_CASE("a dot whose result a step reads does not run on") {
  const std::string text = after_pass(
      "select,schedule", kMatmul + "ref top: f32[128] {scratch, space reg}\n",
      steps("  c: f32[128, 128] = 0.0\n  top: f32[128] = 0.0\n",
            "    c: f32[128, 128] = dot c, a, (a).T\n    top: f32[128] = max(c, axis=1)\n    print \"{}\", top\n"));
  CHECK(text.find("in_flight") == std::string::npos);
}

TEST_CASE("a dot whose accumulator threads set in each step does not run on") {
  for (const char* start : {"c * 0.5", "0.5 * c", "c + c", "b"}) {
    CAPTURE(std::string(start));
    const std::string text = after_pass("select,schedule", kMatmul,
                                        steps("  b: f32[128, 128] = 2.0\n  c: f32[128, 128] = 0.0\n",
                                              std::string("    c: f32[128, 128] = dot ") + start + ", a, (a).T\n"));
    CHECK(text.find("wgmma") != std::string::npos);
    CHECK(text.find("in_flight") == std::string::npos);
  }
}

TEST_CASE("tiles are walked as the spec asks") {
  const std::string axes =
      "dim M, N\naxis m parallel M\naxis n parallel N\nref o: i32[M, N] {out, block [squeezed, squeezed], at [m, n]}\n";
  const std::string body = "for tile in work(m, n):\n  o: i32[] = 1\n  write o[m, n] <- o\n";
  CHECK(after_pass("schedule", axes, body).find("for tile in work(m, n) {one_per_cta}:") != std::string::npos);
  CHECK(after_pass("schedule", axes + "ask schedule.tile_order = column\n", body)
            .find("for tile in work(m, n) {one_per_cta, column}:") != std::string::npos);
  CHECK(after_pass("schedule",
                   axes + "ask schedule.persistent = true\nask schedule.tile_order.axis = n\n"
                          "ask schedule.tile_order.width = 4\n",
                   body)
            .find("for tile in work(m, n) {static_persistent, strips n 4}:") != std::string::npos);
  const std::string listed = after_pass("schedule",
                                        axes +
                                            "ask schedule.tile_order.0.axis = m\nask schedule.tile_order.0.width = 4\n"
                                            "ask schedule.tile_order.1 = -n\nask schedule.tile_order.2 = m\n",
                                        body);
  CHECK(listed.find("for tile in work(m, n) {one_per_cta, order m:4 -n m}:") != std::string::npos);
  CHECK(listed.find("tile_order") == std::string::npos);  // no request is left
}

namespace {

// A second dot adds the scores of a step to a sum, in addition to their other uses.
const std::string kTwoDots =
    "dim N multiple_of 8\n"
    "axis m parallel 4\n"
    "axis j sequential cdiv(N, 64)\n"
    "ref q: bf16[256, 64] {in, block [64, 64], at [m, 0], fill 0}\n"
    "ref k: bf16[N, 64] {in, block [64, 64], at [j, 0], fill 0}\n"
    "ref v: bf16[N, 64] {in, block [64, 64], at [j, 0], fill 0}\n"
    "ref o: f32[256, 64] {out, block [64, 64], at [m, 0]}\n"
    "ask pipeline.stages = 2\n"
    "ask pipeline.warp_specialized = true\n"
    "ask pipeline.compute_warpgroups = 1\n";

std::string two_dots(const std::string& steps) {
  return "for tile in work(m):\n"
         "  q: bf16[64, 64] = read q[m * 64 +: 64, 0 +: 64]\n"
         "  acc: f32[64, 64] = 0.0\n"
         "  most: f32[64] = 0.0\n" +
         steps + "  write o[m * 64 +: 64, 0 +: 64] <- acc {path direct, vector 2}\n";
}
const std::string kStep =
    "    k: bf16[64, 64] = read k[j * 64 +: 64?, 0 +: 64]\n"
    "    s: f32[64, 64] = dot 0, q, (k).T\n"
    "    most: f32[64] = maximum(most, max(s, axis=1))\n"
    "    v: bf16[64, 64] = read v[j * 64 +: 64?, 0 +: 64]\n"
    "    acc: f32[64, 64] = dot acc * most[:, None], s.astype(bf16), v\n";

}  // namespace

TEST_CASE("a step issues the named dot of the next one before its own other dot, and both before the rest") {
  const std::string text = after_pass("select,schedule", kTwoDots + "ask schedule.lookahead = [s]\n",
                                      two_dots("  for j in 0 .. num_programs(j) {carry acc most}:\n" + kStep));
  INFO(text);
  CHECK(has(text,
            "    if num_programs(j) > 0 {carry acc}:\n"
            "      q: bf16[64, 64] in smem = read q[m * 64 +: 64, 0 +: 64] {path tma}\n"
            "      k: bf16[64, 64] in smem = read k[0 +: 64?, 0 +: 64] {path tma, of j = 0}\n"
            "      s: f32[64, 64] in reg = mma 0, q, (k).T {family wgmma.k16.f32.bf16}\n"));
  CHECK(has(text,
            "      for j in 1 .. num_programs(j) {carry acc most acc_a}:\n"
            "        k: bf16[64, 64] in smem = read k[j * 64 +: 64?, 0 +: 64] {path tma}\n"
            "        s: f32[64, 64] in reg = mma 0, q, (k).T {family wgmma.k16.f32.bf16}\n"
            "        v: bf16[64, 64] in smem = read v[(j - 1) * 64 +: 64?, 0 +: 64] {path tma, of j = j - 1}\n"
            "        acc: f32[64, 64] in reg = mma acc, acc_a, v {family wgmma.k16.f32.bf16}\n"
            "        most: f32[64] = maximum(most, max(s, axis=1))\n"
            "        acc_a: bf16[64, 64] in reg = s.astype(bf16)\n"
            "        acc: f32[64, 64] in reg = acc * most[0:64, None]\n"
            "      v: bf16[64, 64] in smem = read v[(num_programs(j) - 1) * 64 +: 64?, 0 +: 64] {path tma, of j = "
            "num_programs(j) - 1}\n"
            "      acc: f32[64, 64] in reg = mma acc, acc_a, v {family wgmma.k16.f32.bf16}\n"));
}

TEST_CASE("loops that a guard cuts stay cut, and the step in front of them asks which of them it is of") {
  const std::string text =
      after_pass("select,schedule", kTwoDots + "ask schedule.lookahead = [s]\n",
                 two_dots("  clean: index = minimum(m, num_programs(j))\n"
                          "  for j in 0 .. clean {carry acc most}:\n" +
                          kStep + "  for j in clean .. num_programs(j) {carry acc most}:\n" +
                          std::string(kStep).insert(kStep.find("    most"), "    s: f32[64, 64] = s + 1.0\n")));
  INFO(text);
  CHECK(has(text, "      if clean <= 0 {carry s}:\n        s: f32[64, 64] in reg = s + 1.0\n      most: f32[64]"));
  CHECK(has(text, "      for j in 1 .. maximum(clean, 1) {carry acc most acc_a}:\n"));
  CHECK(has(text, "      for j in maximum(clean, 1) .. num_programs(j) {carry acc most acc_a}:\n"));
}

TEST_CASE("a run of named dots is one turn, with the copies between them") {
  std::string two = kTwoDots;  // each has columns, and A goes through shared memory
  two.replace(two.find("warpgroups = 1"), 14, "warpgroups = 2");
  const std::string text =
      after_pass("select,schedule", two + "ask schedule.lookahead = [s]\nask schedule.take_turns = [s, acc]\n",
                 two_dots("  for j in 0 .. num_programs(j) {carry acc most}:\n" + kStep));
  INFO(text);
  CHECK(has(text,
            "        take_turn\n"
            "        s: f32[64, 64] in reg = mma 0, q, (k).T {family wgmma.k16.f32.bf16}\n"
            "        v: bf16[64, 64] in smem = read v[(j - 1) * 64 +: 64?, 0 +: 64] {path tma, of j = j - 1}\n"
            "        acc: f32[64, 64] in reg = mma acc, acc_a_operand, v {family wgmma.k16.f32.bf16}\n"
            "        pass_turn\n"));
}
