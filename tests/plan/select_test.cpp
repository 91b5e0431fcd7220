#include <doctest/doctest.h>

#include "tile_texts.h"

using pallasgen::test::after_pass;
using pallasgen::test::has;

namespace {

const std::string kAlone =
    "dim M, N, K multiple_of 8\n"
    "axis m parallel cdiv(M, 128)\n"
    "axis k sequential cdiv(K, 64)\n"
    "ref a: bf16[M, K] {in, block [128, 64], at [m, k], fill 0}\n"
    "ref b: bf16[64, 128] {in, block [64, 128], at [0, 0]}\n"
    "ref c: f32[M, 128] {out, block [128, 128], at [m, 0]}\n";

const std::string kMatrices = kAlone + "ask pipeline.warp_specialized = true\n";

}  // namespace

TEST_CASE("a dot that a row of the table multiplies goes by it, its operands by tensor copies, its result back so") {
  CHECK(after_pass("select", kMatrices,
                   "for tile in work(m):\n"
                   "  c: f32[128, 128] = 0.0\n"
                   "  for k in 0 .. num_programs(k) {carry c}:\n"
                   "    a: bf16[128, 64] = read a[m * 128 +: 128?, k * 64 +: 64?]\n"
                   "    b: bf16[64, 128] = read b[0 +: 64, 0 +: 128]\n"
                   "    c: f32[128, 128] = dot c, a, b\n"
                   "  write c[m * 128 +: 128?, 0 +: 128] <- c\n") ==
        "role all:\n"
        "  for tile in work(m):\n"
        "    c: f32[128, 128] in reg = 0.0\n"
        "    for k in 0 .. num_programs(k) {carry c}:\n"
        "      a: bf16[128, 64] in smem = read a[m * 128 +: 128?, k * 64 +: 64?] {path tma}\n"
        "      b: bf16[64, 128] in smem = read b[0 +: 64, 0 +: 128] {path tma}\n"
        "      c: f32[128, 128] in reg = mma c, a, b {family wgmma.k16.f32.bf16}\n"
        "    write c[m * 128 +: 128?, 0 +: 128] <- c {path tma}\n");
}

TEST_CASE("without a producer threads copy what instructions read") {
  const std::string text = after_pass("select", kAlone,
                                      "for tile in work(m):\n"
                                      "  c: f32[128, 128] = 0.0\n"
                                      "  for k in 0 .. num_programs(k) {carry c}:\n"
                                      "    a: bf16[128, 64] = read a[m * 128 +: 128?, k * 64 +: 64?]\n"
                                      "    b: bf16[64, 128] = read b[0 +: 64, 0 +: 128]\n"
                                      "    c: f32[128, 128] = dot c, a, b\n"
                                      "  write c[m * 128 +: 128?, 0 +: 128] <- c\n");
  CHECK(has(text, "a: bf16[128, 64] in smem = read a[m * 128 +: 128?, k * 64 +: 64?] {path cp_async, vector 8}"));
  CHECK(has(text, "b: bf16[64, 128] in smem = read b[0 +: 64, 0 +: 128] {path cp_async, vector 8}"));
  CHECK(has(text, "c: f32[128, 128] in reg = mma c, a, b {family wgmma.k16.f32.bf16}"));
}

TEST_CASE("an operand that the threads make is a value of its own: A in registers, B through shared memory") {
  CHECK(after_pass("select", kAlone,
                   "for tile in work(m):\n"
                   "  a: bf16[128, 64] = read a[m * 128 +: 128?, 0 +: 64?]\n"
                   "  b: bf16[64, 128] = read b[0 +: 64, 0 +: 128]\n"
                   "  c: f32[128, 128] = dot 0, a * a, b + b\n"
                   "  write c[m * 128 +: 128?, 0 +: 128] <- c\n") ==
        "role all:\n"
        "  for tile in work(m):\n"
        "    a: bf16[128, 64] = read a[m * 128 +: 128?, 0 +: 64?] {path direct, vector 8}\n"
        "    b: bf16[64, 128] = read b[0 +: 64, 0 +: 128] {path direct, vector 8}\n"
        "    c_a: bf16[128, 64] in reg = a * a\n"
        "    c_b: bf16[64, 128] = b + b\n"
        "    c_b_operand: bf16[64, 128] in smem = c_b\n"
        "    c: f32[128, 128] in reg = mma 0, c_a, c_b_operand {family wgmma.k16.f32.bf16}\n"
        "    write c[m * 128 +: 128?, 0 +: 128] <- c {path tma}\n");
}

TEST_CASE("what no instruction multiplies goes by blocks of threads, and its operands stay where they are") {
  const std::string text = after_pass("select", kMatrices,
                                      "for tile in work(m):\n"
                                      "  b: bf16[64, 128] = read b[0 +: 64, 0 +: 128]\n"
                                      "  c: f32[128, 128] = dot 0, (b).T, b\n"
                                      "  d: f32[24, 128] = dot 0, full(bf16, [24, 64], 1.0), b\n"
                                      "  write c[m * 128 +: 128?, 0 +: 128] <- c\n"
                                      "  write c[m * 128 +: 24?, 0 +: 128] <- d\n");
  CHECK(text.find("c: f32[128, 128] in reg = mma 0, (b).T, b {family") != std::string::npos);
  CHECK(text.find("d: f32[24, 128] in reg = dot 0, d_a, b {family fma.f32.bf16, choices 1}\n") != std::string::npos);
}

TEST_CASE("copies go by the best path that the facts prove") {
  const std::string declarations =
      "dim M, N, K multiple_of 4\n"
      "axis m parallel M\n"
      "axis k sequential cdiv(K, 64)\n"
      "ref whole: f32[M, 64] {in, block [squeezed, 64], at [m, 0]}\n"
      "ref ragged: f32[M, N] {in, block [squeezed, 64], at [m, k]}\n"
      "ref filled: f32[M, K] {in, block [squeezed, 64], at [m, k], fill 1}\n"
      "ref bytes: i8[M, N] {in, block [squeezed, 64], at [m, k]}\n"
      "ref o: f32[M, 64] {out, block [squeezed, 64], at [m, 0]}\n"
      "ask pipeline.stages = 3\n";
  const std::string body =
      "for tile in work(m):\n"
      "  o: f32[64] = 0.0\n"
      "  for k in 0 .. num_programs(k) {carry o}:\n"
      "    whole: f32[64] = read whole[m, 0 +: 64]\n"
      "    ragged: f32[64] = read ragged[m, k * 64 +: 64?]\n"
      "    filled: f32[64] = read filled[m, k * 64 +: 64?]\n"
      "    bytes: i8[64] = read bytes[m, k * 64 +: 64?]\n"
      "    o: f32[64] = o + whole + ragged + filled + bytes.astype(f32)\n"
      "  write o[m, 0 +: 64] <- o\n";
  // Without a producer the threads that use a block copy it.
  const std::string alone = after_pass("select", declarations, body);
  CHECK(has(alone, "whole: f32[64] in smem = read whole[m, 0 +: 64] {path cp_async, vector 4}\n"));
  CHECK(has(alone, "filled: f32[64] in smem = read filled[m, k * 64 +: 64?] {path cp_async, vector 4}\n"));
  CHECK(after_pass("select", declarations + "ask pipeline.warp_specialized = true\n", body) ==
        "role all:\n"
        "  for tile in work(m):\n"
        "    o: f32[64] = 0.0\n"
        "    for k in 0 .. num_programs(k) {carry o}:\n"
        "      whole: f32[64] in smem = read whole[m, 0 +: 64] {path tma}\n"
        "      ragged: f32[64] in smem = read ragged[m, k * 64 +: 64?] {path cp_async, vector 1}\n"
        "      filled: f32[64] in smem = read filled[m, k * 64 +: 64?] {path bulk}\n"
        "      bytes: i8[64] in smem = read bytes[m, k * 64 +: 64?] {path direct, vector 1}\n"
        "      o: f32[64] = o + whole + ragged + filled + bytes.astype(f32)\n"
        "    write o[m, 0 +: 64] <- o {path direct, vector 4}\n");
}

namespace {

// Returns the dot and the lines after it, for a [128, depth] `a` and `b` of these dtypes, b [64, depth] or, not
// `trans`, [depth, 64].
std::string selected(const std::string& a, const std::string& b, const std::string& sums, int depth, bool trans,
                     const std::string& dot, const std::string& ask = "") {
  const std::string k = std::to_string(depth), b_shape = trans ? "64, " + k : k + ", 64",
                    b_box = trans ? "0 +: 64, 0 +: " + k : "0 +: " + k + ", 0 +: 64";
  const std::string text = after_pass("select",
                                      "axis m parallel 1\n"
                                      "ref a: " +
                                          a + "[128, " + k + "] {in, block [128, " + k +
                                          "], at [0, 0]}\n"
                                          "ref b: " +
                                          b + "[" + b_shape + "] {in, block [" + b_shape +
                                          "], at [0, 0]}\n"
                                          "ref c: " +
                                          sums + "[128, 64] {out, block [128, 64], at [0, 0]}\n" + ask,
                                      "for tile in work(m):\n"
                                      "  c: " +
                                          sums +
                                          "[128, 64] = 0\n"
                                          "  a: " +
                                          a + "[128, " + k + "] = read a[0 +: 128, 0 +: " + k +
                                          "]\n"
                                          "  b: " +
                                          b + "[" + b_shape + "] = read b[" + b_box +
                                          "]\n"
                                          "  c: " +
                                          sums + "[128, 64] = dot " + dot +
                                          "\n"
                                          "  write c[0 +: 128, 0 +: 64] <- c\n");
  const size_t from = text.find("    b: "), begin = text.find('\n', from) + 1;
  return text.substr(begin, text.find("    write", begin) - begin);
}

}  // namespace

TEST_CASE("each pair of dtypes has its instructions, which want bytes and tf32 along k") {
  CHECK(selected("f32", "f32", "f32", 32, true, "c, a, (b).T {precision tf32}") ==
        "    c: f32[128, 64] in reg = mma c, a, (b).T {precision tf32, family wgmma.k8.f32.tf32}\n");
  CHECK(selected("f16", "f16", "f16", 64, false, "c, a, b") ==
        "    c: f16[128, 64] in reg = mma c, a, b {family wgmma.k16.f16.f16}\n");
  CHECK(selected("i8", "i8", "i32", 64, true, "c, a, (b).T") ==
        "    c: i32[128, 64] in reg = mma c, a, (b).T {family wgmma.k32.s32.s8}\n");
  CHECK(selected("u8", "u8", "i32", 64, true, "0, a, (b).T") ==
        "    c: i32[128, 64] in reg = mma 0, a, (b).T {family wgmma.k32.s32.u8}\n");
  CHECK(selected("f32", "f32", "f32", 32, true, "c, a, (b).T") ==
        "    c: f32[128, 64] in reg = dot c, a, (b).T {family fma.f32, choices 1}\n");
  // Threads store the transpose of an operand that is contiguous along n.
  CHECK(selected("f32", "f32", "f32", 32, false, "c, a, b {precision tf32}") ==
        "    c_b: f32[64, 32] = transpose(b, [1, 0])\n"
        "    c_b_operand: f32[64, 32] in smem = c_b\n"
        "    c: f32[128, 64] in reg = mma c, a, (c_b_operand).T {precision tf32, family wgmma.k8.f32.tf32}\n");
  CHECK(selected("i8", "i8", "i32", 64, false, "c, a, b") ==
        "    c_b: i8[64, 64] = transpose(b, [1, 0])\n"
        "    c_b_operand: i8[64, 64] in smem = c_b\n"
        "    c: i32[128, 64] in reg = mma c, a, (c_b_operand).T {family wgmma.k32.s32.s8}\n");
  CHECK(selected("i8", "i8", "i32", 48, true, "c, a, (b).T") ==
        "    c: i32[128, 64] in reg = dot c, a, (b).T {family fma.i32.i8, choices 1}\n");
}

TEST_CASE("sums of 8-bit floats begin anew and are added by the threads, unless math is approximate") {
  const std::string apart =
      "    c_part: f32[128, 64] in reg = mma 0, a, (b).T {family wgmma.k32.f32.e4m3.e5m2}\n"
      "    c: f32[128, 64] in reg = c + c_part\n";
  CHECK(selected("f8e4m3", "f8e5m2", "f32", 128, true, "c, a, (b).T") == apart);
  CHECK(selected("f8e4m3", "f8e5m2", "f32", 128, true, "0, a, (b).T") ==
        "    c: f32[128, 64] in reg = mma 0, a, (b).T {family wgmma.k32.f32.e4m3.e5m2}\n");
  CHECK(selected("f8e4m3", "f8e5m2", "f32", 256, true, "c, a, (b).T") ==
        "    c: f32[128, 64] = dot c, a, (b).T {choices 1}\n");
  CHECK(selected("f8e4m3", "f8e5m2", "f32", 256, true, "c, a, (b).T", "ask math.approx = true\n") ==
        "    c: f32[128, 64] in reg = mma c, a, (b).T {family wgmma.k32.f32.e4m3.e5m2}\n");
}

TEST_CASE("windows of a block that dots alone take are read as blocks of their own") {
  const auto selected_windows = [](const char* may_leave) {
    return after_pass("select",
                      "axis m parallel 1\n"
                      "ref a: bf16[2, 100, 64] {in, block [2, 128, 64], at [0, 0, 0]}\n"
                      "ref b: bf16[64, 64] {in, block [64, 64], at [0, 0]}\n"
                      "ref c: f32[64, 64] {out, block [64, 64], at [0, 0]}\n",
                      std::string("for tile in work(m):\n"
                                  "  a: bf16[2, 128, 64] = read a[0 +: 2, 0 +: 128") +
                          may_leave +
                          ", 0 +: 64]\n"
                          "  b: bf16[64, 64] = read b[0 +: 64, 0 +: 64]\n"
                          "  x: bf16[64, 64] = a[1, 64:128, 0:64]  # x = a[1, 64:128]\n"
                          "  c: f32[64, 64] = dot 0, x, (b).T\n"
                          "  write c[0 +: 64, 0 +: 64] <- c\n");
  };
  const std::string inside = selected_windows(""), over_the_end = selected_windows("?");
  CHECK(has(inside, "x: bf16[64, 64] in smem = read a[1, 64 +: 64, 0 +: 64]"));
  CHECK(!has(inside, "x: bf16[64, 64] = a[1, 64:128, 0:64]"));
  CHECK(has(over_the_end, "x: bf16[64, 64] in smem = read a[1, 64 +: 64?, 0 +: 64]"));
}

TEST_CASE("what is read beside a dot by tf32 is rounded in a copy of its own, which threads make") {
  const std::string text = after_pass("select",
                                      "axis m parallel 1\n"
                                      "ref a: f32[64, 32] {in, block [64, 32], at [0, 0]}\n"
                                      "ref c: f32[64, 64] {out, block [64, 64], at [0, 0]}\n"
                                      "ref d: f32[64, 32] {out, block [64, 32], at [0, 0]}\n",
                                      "for tile in work(m):\n"
                                      "  a: f32[64, 32] = read a[0 +: 64, 0 +: 32]\n"
                                      "  c: f32[64, 64] = dot 0, a, (a).T {precision tf32}\n"
                                      "  d: f32[64, 32] = a + a\n"
                                      "  write c[0 +: 64, 0 +: 64] <- c\n"
                                      "  write d[0 +: 64, 0 +: 32] <- d\n");
  CHECK(has(text, "a_tf32: f32[64, 32] = a\n"));
  CHECK(has(text, "a_tf32_operand: f32[64, 32] in smem = a_tf32\n"));
  CHECK(has(text, "mma 0, a_tf32_operand, (a_tf32_operand).T {precision tf32, family wgmma.k8.f32.tf32}\n"));
  CHECK(has(text, "d: f32[64, 32] = a + a\n"));
}
