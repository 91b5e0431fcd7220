#include <doctest/doctest.h>

#include "plan/passes.h"
#include "tile/text.h"
#include "tile_texts.h"

using namespace pallasgen;
using test::after_pass;
using test::has;

namespace {

const std::string kDeclarations =
    "dim M, K multiple_of 8\n"
    "axis m parallel cdiv(M, 64)\n"
    "axis k sequential cdiv(K, 64)\n"
    "ref a: bf16[M, K] {in, block [64, 64], at [m, k], fill 0}\n"
    "ref b: bf16[64, K] {in, block [64, 64], at [0, k], fill 0}\n"
    "ref x: f32[M, 256] {in, block [8, 256], at [m, 0], fill 0}\n"
    "ref s: f32[M] {out, block [8], at [m]}\n"
    "ref c: f32[M, 64] {out, block [64, 64], at [m, 0]}\n";

// Returns the result of the passes after `canonicalise` for a product whose accumulator ends so.
std::string product(const std::string& epilogue) {
  return after_pass("select,schedule,roles,channels,size,layouts",
                    kDeclarations + "ask pipeline.stages = 2\nask pipeline.warp_specialized = true\n",
                    "for tile in work(m):\n"
                    "  acc: f32[64, 64] = 0.0\n"
                    "  for k in 0 .. num_programs(k) {carry acc}:\n"
                    "    a: bf16[64, 64] = read a[m * 64 +: 64?, k * 64 +: 64?]\n"
                    "    b: bf16[64, 64] = read b[0 +: 64, k * 64 +: 64?]\n"
                    "    acc: f32[64, 64] = dot acc, a, (b).T\n" +
                        epilogue + "  write c[m * 64 +: 64?, 0 +: 64] <- c\n");
}

// Returns the first complaint of verify_pass() about a text after `layouts`.
std::string wrong(const std::string& body) {
  const SourceText source("few.tile", "tile 1 few sm_90a after layouts\n" + kDeclarations +
                                          "kernel few:\n  role all {warps 4}:\n    for tile in work(m):\n" + body);
  Diagnostics diagnostics;
  const auto program = tile::read_text(source, diagnostics);
  if (!program) return diagnostics.all().front().message;
  const std::vector<std::string> found = verify_pass("layouts", *program);
  return found.empty() ? "" : found.front();
}

}  // namespace

TEST_CASE("chunks of an accumulator are windows of its registers") {
  const std::string text = product("  c: f32[64, 64] = acc * 2.0\n");
  CHECK(has(text, "    acc: f32[64, 64] @wgmma in reg = undef\n"));
  CHECK(has(text, "      c: f32[64, 32] @wgmma = acc[0:64, ds(j * 32, 32)] * 2.0\n"));
  CHECK(!has(text, "_moved"));
}

TEST_CASE("a part of an expression that comes in another layout is a value of its own, and converted") {
  const std::string text = product(
      "  t: f32[64] = sum(acc, axis=1) + sum(acc * acc, axis=0)\n"
      "  c: f32[64, 64] = acc + t[0:64, None]\n");
  CHECK(has(text,
            "    t_part: f32[64] @wgmma_column = sum(acc * acc, axis=0)\n"
            "    t_moved: f32[64] @wgmma_row = t_part\n"
            "    t: f32[64] @wgmma_row = sum(acc, axis=1) + t_moved\n"));
}

TEST_CASE("a value that is wanted in another layout twice is converted once, until it changes") {
  const std::string body =
      "  r: f32[64] = sum(acc, axis=1)\n"
      "  u: f32[64, 64] = acc + r\n"
      "  v: f32[64, 64] = u * r\n"
      "  r: f32[64] = sum(v, axis=1)\n"
      "  c: f32[64, 64] = v - r\n";
  const std::string text = product(body);
  size_t moves = 0;
  for (size_t at = text.find(" = r\n"); at != std::string::npos; at = text.find(" = r\n", at + 1)) ++moves;
  CHECK(moves == 2);
  CHECK(has(text, "    r_moved_: f32[64] @wgmma_column = r\n    for j in 0 .. 2"));
}

TEST_CASE(
    "what threads compute with in shared memory comes into registers first, and sums in parts end before a write") {
  const std::string text = after_pass("select,schedule,roles,channels,size,layouts",
                                      kDeclarations + "ask pipeline.stages = 2\nask pipeline.warp_specialized = true\n",
                                      "for tile in work(m):\n"
                                      "  s: f32[8] = 0.0\n"
                                      "  for k in 0 .. num_programs(k) {carry s}:\n"
                                      "    x: f32[8, 256] = read x[m * 8 +: 8?, 0 +: 256]\n"
                                      "    s: f32[8] = s + sum(x, axis=1)\n"
                                      "  write s[m * 8 +: 8?] <- s\n");
  CHECK(has(text, "      x_block: f32[8, 256] @rows.32.4 in reg = x\n"));
  CHECK(has(text, "      s: f32[8] @rows.32.slice.partial(sum) = s + sum(x_block, axis=1)\n"));
  CHECK(has(text, "    s_moved: f32[8] @rows.32.slice = s\n"));
  CHECK(has(text, "<- s_moved {"));
}

TEST_CASE("a value of each column is read in place by instructions' sums, but where only some elements want it") {
  const auto plus = [](const std::string& expr) {
    return after_pass("select,schedule,roles,channels,size,layouts",
                      kDeclarations +
                          "ref w: f32[K] {in, block [64], at [k], fill 0}\n"
                          "ask pipeline.stages = 2\nask pipeline.warp_specialized = true\n",
                      "for tile in work(m):\n"
                      "  c: f32[64, 64] = 0.0\n"
                      "  for k in 0 .. num_programs(k) {carry c}:\n"
                      "    a: bf16[64, 64] = read a[m * 64 +: 64?, k * 64 +: 64?]\n"
                      "    b: bf16[64, 64] = read b[0 +: 64, k * 64 +: 64?]\n"
                      "    w: f32[64] = read w[k * 64 +: 64?]\n"
                      "    t: f32[64, 64] = dot 0, a, (b).T\n"
                      "    c: f32[64, 64] = c + " +
                          expr + "\n  write c[m * 64 +: 64?, 0 +: 64] <- c\n");
  };
  CHECK(!has(plus("(t + w[None, 0:64])"), "w_block"));
  CHECK(has(plus("where(t > 1.0, t + w[None, 0:64], 0.0)"), "w_block: f32[64] @wgmma_column in reg = w\n"));
  CHECK(has(plus("where(t > 1.0 and w[None, 0:64] > 1.0, t, 0.0)"), "w_block: f32[64] @wgmma_column in reg = w\n"));
  CHECK(!has(plus("where(w[None, 0:64] > 1.0 and t > 1.0, t, 0.0)"), "w_block"));
}

TEST_CASE("the elements that an atomic takes together are of one thread, and so are those from before") {
  const std::string text = after_pass(
      "select,schedule,roles,channels,size,layouts", kDeclarations + "ref bins: i32[64] {scratch, space smem}\n",
      "for tile in work(m):\n"
      "  forget bins\n"
      "  bins[...] = 0\n"
      "  x: f32[8, 256] = read x[m * 8 +: 8?, 0 +: 256]\n"
      "  t: f32[8] = max(x, axis=1)\n"
      "  b: i32[8] = f32(iota(i32, [8], 0)).astype(i32)\n"
      "  before: i32[8] = atomic_add(bins, [b], t.astype(i32), mask=t > 0.0, order=relaxed, scope=device)\n"
      "  s: f32[8] = before.astype(f32)\n"
      "  write s[m * 8 +: 8?] <- s\n");
  CHECK(has(text, "  t: f32[8] @rows.32.slice = max(x, axis=1)\n"));
  CHECK(has(text, "  before: i32[8] @rows.32.slice = atomic_add("));
  CHECK(has(text, "  s: f32[8] @rows.32.slice = before.astype(f32)\n"));
}

TEST_CASE("a statement that wants a value in two layouts converts one of them") {
  const std::string text = product("  c: f32[64, 64] = acc + transpose(acc, [1, 0])\n");
  CHECK(has(text, "acc_moved: f32[64, 64] @wgmma.T in reg = acc\n"));
  CHECK(
      has(text,
          "c: f32[64, 32] @wgmma = acc[0:64, ds(j * 32, 32)] + transpose(acc_moved[ds(j * 32, 32), 0:64], [1, 0])\n"));
}

TEST_CASE("the verifier finds layouts that do not meet, and names that no layout has") {
  const std::string read = "      x: f32[8, 256] @rows.32.4 = read x[m * 8 +: 8?, 0 +: 256] {path direct, vector 4}\n";
  const std::string write = "      write s[m * 8 +: 8?] <- t {path direct, vector 1}\n";
  CHECK(wrong(read + "      t: f32[8] @rows.32.slice = max(x, axis=1)\n" + write) == "");
  CHECK(wrong(read + "      t: f32[8] @strided.1 = max(x, axis=1)\n" + write) ==
        "'t' is used in another layout than it has");
  CHECK(wrong(read + "      y: f32[8, 256] @strided.4 = x + 1.0\n      t: f32[8] @rows.64.slice = max(y, axis=1)\n" +
              write) == "'x' is used in another layout than it has");
  CHECK(wrong(read + "      t: f32[8] @wgmma = max(x, axis=1)\n" + write) ==
        "no layout of this shape over the role's threads has this name");
}

TEST_CASE("a value in parts says what reduces them, and reads back") {
  const auto of = [](const std::string& layout) {
    return wrong(
        "      x: f32[8, 256] @rows.32.4 = read x[m * 8 +: 8?, 0 +: 256] {path direct, vector 4}\n"
        "      l: f32[8] @rows.32.slice" +
        layout +
        " = full(f32, [8], 0.0)\n"
        "      for j in 0 .. 4 {carry l}:\n"
        "        l: f32[8] @rows.32.slice" +
        layout +
        " = maximum(l, max(x, axis=1))\n"
        "      t: f32[8] @rows.32.slice = l\n"
        "      write s[m * 8 +: 8?] <- t {path direct, vector 1}\n");
  };
  CHECK(of(".partial(max)") == "");
  CHECK(of(".partial(prod)") == "");
  const std::string refusal = "a layout of parts, and no other, says what reduces them: sum, prod, max or min";
  CHECK(of(".partial") == refusal);
  CHECK(of(".partial(exp)") == refusal);
  CHECK(of("(max)") == refusal);
}
