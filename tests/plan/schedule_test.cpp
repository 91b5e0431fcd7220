#include <doctest/doctest.h>

#include "tile_texts.h"

using pallasgen::test::after_pass;

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
  CHECK(after_pass("select,schedule", kMatmul + "ask schedule.persistent = true\n",
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
}
