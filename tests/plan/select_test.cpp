#include <doctest/doctest.h>

#include "tile_texts.h"

using pallasgen::test::after_pass;
using pallasgen::test::has;

namespace {

const std::string kMatrices =
    "dim M, N, K multiple_of 8\n"
    "axis m parallel cdiv(M, 128)\n"
    "axis k sequential cdiv(K, 64)\n"
    "ref a: bf16[M, K] {in, block [128, 64], at [m, k], fill 0}\n"
    "ref b: bf16[64, 128] {in, block [64, 128], at [0, 0]}\n"
    "ref c: f32[M, 128] {out, block [128, 128], at [m, 0]}\n";

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

TEST_CASE("an operand that the threads make is a value of its own: A in registers, B through shared memory") {
  CHECK(after_pass("select", kMatrices,
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
        "    c_b: bf16[64, 128] in smem = b + b\n"
        "    c: f32[128, 128] in reg = mma 0, c_a, c_b {family wgmma.k16.f32.bf16}\n"
        "    write c[m * 128 +: 128?, 0 +: 128] <- c {path tma}\n");
}

TEST_CASE("what no row multiplies stays a dot, and its operands in registers") {
  const std::string text = after_pass("select", kMatrices,
                                      "for tile in work(m):\n"
                                      "  b: bf16[64, 128] = read b[0 +: 64, 0 +: 128]\n"
                                      "  c: f32[128, 128] = dot 0, (b).T, b\n"
                                      "  d: f32[24, 128] = dot 0, full(bf16, [24, 64], 1.0), b\n"
                                      "  write c[m * 128 +: 128?, 0 +: 128] <- c\n"
                                      "  write c[m * 128 +: 24?, 0 +: 128] <- d\n");
  CHECK(text.find("c: f32[128, 128] in reg = mma 0, (b).T, b {family") != std::string::npos);
  CHECK(text.find("d: f32[24, 128] = dot 0, d_a, b\n") != std::string::npos);
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
