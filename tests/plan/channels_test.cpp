#include <doctest/doctest.h>

#include "tile_texts.h"

using pallasgen::test::after_pass;
using pallasgen::test::has;

namespace {

std::string declarations(const std::string& pipeline) {
  return "dim M, K multiple_of 8\n"
         "axis m parallel cdiv(M, 128)\n"
         "axis k sequential cdiv(K, 64)\n"
         "ref a: bf16[M, K] {in, block [128, 64], at [m, k], fill 0}\n"
         "ref b: bf16[128, K] {in, block [128, 64], at [0, k], fill 0}\n"
         "ref w: f32[K] {in, block [64], at [k], fill 0, stages 2}\n"
         "ref s: f32[M, K] {in, block [128, 64], at [m, k], fill 0}\n"
         "ref c: f32[M, 128] {out, block [128, 128], at [m, 0]}\n" +
         pipeline;
}

const std::string kProducer =
    "ask pipeline.stages = 4\n"
    "ask pipeline.warp_specialized = true\n"
    "ask pipeline.compute_warpgroups = 2\n";

// Returns the channels of a kernel with these steps, a line each, and the lines after them.
std::string formed(const std::string& in_step, const std::string& pipeline = kProducer) {
  return after_pass("select,schedule,roles,channels", declarations(pipeline),
                    "for tile in work(m):\n"
                    "  c: f32[128, 128] = 1.0\n"
                    "  for k in 0 .. num_programs(k) {carry c}:\n" +
                        in_step + "  write c[m * 128 +: 128?, 0 +: 128] <- c\n");
}

const std::string kA = "    a: bf16[128, 64] = read a[m * 128 +: 128?, k * 64 +: 64?]\n";
const std::string kB = "    b: bf16[128, 64] = read b[0 +: 128, k * 64 +: 64?]\n";
const std::string kS = "    s: f32[128, 64] = read s[m * 128 +: 128?, k * 64 +: 64?]\n";

}  // namespace

TEST_CASE("operands of one instruction share a channel, which keeps them while it runs on") {
  const std::string text = formed(kA + kB + "    c: f32[128, 128] = dot c, a, (b).T\n");
  CHECK(has(
      text,
      "channel ab(a: bf16[128, 64], b: bf16[128, 64]) {moves tile k, from producer, to consumer, slots 4, delay 1}\n"));
  CHECK(has(text,
            "      put ab[k].a <- a[m * 128 +: 128?, k * 64 +: 64?] {path tma}\n"
            "      put ab[k].b <- b[0 +: 128, k * 64 +: 64?] {path tma}\n"));
  CHECK(has(text,
            "      a: bf16[128, 64] in smem = get ab[k].a\n"
            "      b: bf16[128, 64] in smem = get ab[k].b\n"));
}

TEST_CASE("in a kernel without steps a producer's copies go ahead by tiles, in as many slots as there are stages") {
  const auto text = [](const std::string& pipeline) {
    return after_pass("select,schedule,roles,channels",
                      "dim M, N multiple_of 8\n"
                      "axis m parallel cdiv(M, 128)\n"
                      "axis n parallel cdiv(N, 64)\n"
                      "ref s: f32[M, N] {in, block [128, 64], at [m, n], fill 0}\n"
                      "ref c: f32[M, N] {out, block [128, 64], at [m, n]}\n" +
                          pipeline,
                      "for tile in work(m, n):\n"
                      "  s: f32[128, 64] = read s[m * 128 +: 128?, n * 64 +: 64?]\n"
                      "  c: f32[128, 64] = s + 1.0\n"
                      "  write c[m * 128 +: 128?, n * 64 +: 64?] <- c\n");
  };
  CHECK(has(text(kProducer), "channel s(s: f32[128, 64]) {moves tile, from producer, to consumer, slots 4}\n"));
  CHECK(!has(text("ask pipeline.stages = 4\n"), "channel"));
}

TEST_CASE("copies that tell how many bytes they bring, and others, have channels of their own") {
  const auto text = [](const std::string& rows) {
    return after_pass("select,schedule,roles,channels",
                      "dim M" + rows +
                          "\naxis m parallel cdiv(M, 8)\n"
                          "ref x: f32[M, 100] {in, block [8, 100], at [m, 0], fill 1.5}\n"
                          "ref w: f32[100] {in, block [100], at [0]}\n"
                          "ref c: f32[M, 100] {out, block [8, 100], at [m, 0]}\n" +
                          kProducer,
                      "for tile in work(m):\n"
                      "  x: f32[8, 100] = read x[m * 8 +: 8" +
                          std::string(rows.empty() ? "?" : "") +
                          ", 0 +: 100]\n"
                          "  w: f32[100] = read w[0 +: 100]\n"
                          "  c: f32[8, 100] = x * w[None, :]\n"
                          "  write c[m * 8 +: 8?, 0 +: 100] <- c\n");
  };
  // Past the end of x the fill is not 0: the number of bytes is not known until the copy is issued.
  CHECK(has(text(""), "put x[].x <- x[m * 8 +: 8?, 0 +: 100] {path bulk}\n"));
  CHECK(has(text(""), "channel x(x: f32[8, 100])"));
  CHECK(has(text(""), "channel w(w: f32[100])"));
  CHECK(has(text(" multiple_of 8"), "channel xw(x: f32[8, 100], w: f32[100])"));
}

TEST_CASE("without stages, an operand of an instruction has one slot") {
  const std::string none = "ask pipeline.stages = 0\n";
  CHECK(has(formed(kA + kB + "    c: f32[128, 128] = dot c, a, (b).T\n", none),
            "channel ab(a: bf16[128, 64], b: bf16[128, 64]) {moves tile k, from all, to all, slots 1}\n"));
}

TEST_CASE("operands of instructions behind each other have channels of their own") {
  const std::string text = formed(kA + kB +
                                  "    t: f32[128, 128] = dot 0, a, (a).T\n"
                                  "    c: f32[128, 128] = c * max(t)\n"
                                  "    c: f32[128, 128] = dot c, b, (b).T\n");
  CHECK(has(text,
            "channel a(a: bf16[128, 64]) {moves tile k, from producer, to consumer, slots 4}\n"
            "channel b(b: bf16[128, 64]) {moves tile k, from producer, to consumer, slots 4}\n"));
}

TEST_CASE("a small operand joins the channel of a large one that is used from then on and as long") {
  const std::string dot = "    t: f32[128, 128] = dot 0, a, (a).T\n", scale = "    c: f32[128, 128] = c * max(w)\n";
  const auto text = [&](const std::string& size, const std::string& first) {
    return after_pass("select,schedule,roles,channels",
                      "dim M, K multiple_of 8\n"
                      "axis m parallel cdiv(M, 128)\n"
                      "axis k sequential cdiv(K, 64)\n"
                      "ref a: bf16[M, K] {in, block [128, 64], at [m, k], fill 0}\n"
                      "ref w: f32[K] {in, block [" +
                          size +
                          "], at [k], fill 0}\n"
                          "ref c: f32[M, 128] {out, block [128, 128], at [m, 0]}\n" +
                          kProducer,
                      "for tile in work(m):\n"
                      "  c: f32[128, 128] = 1.0\n"
                      "  for k in 0 .. num_programs(k) {carry c}:\n" +
                          kA + "    w: f32[" + size + "] = read w[k * " + size + " +: " + size + "]\n" + first +
                          "    c: f32[128, 128] = dot c, a, (a).T\n"
                          "    c: f32[128, 128] = c + t\n"
                          "  write c[m * 128 +: 128?, 0 +: 128] <- c\n");
  };
  CHECK(has(text("64", scale + dot), "channel aw(a: bf16[128, 64], w: f32[64]) {"));
  CHECK(has(text("2048", scale + dot), "channel w(w: f32[2048]) {"));
  // After the dot, the wait is after the dot, too.
  CHECK(has(text("64", dot + scale), "channel w(w: f32[64]) {"));
}

TEST_CASE("an operand that no step moves has one slot, and stages of its own go over those of all") {
  const std::string text = after_pass("select,schedule,roles,channels", declarations(kProducer),
                                      "for tile in work(m):\n"
                                      "  b: bf16[128, 64] = read b[0 +: 128, 0 +: 64]\n"
                                      "  c: f32[128, 128] = 1.0\n"
                                      "  for k in 0 .. num_programs(k) {carry c}:\n" +
                                          kA +
                                          "    w: f32[64] = read w[k * 64 +: 64]\n"
                                          "    c: f32[128, 128] = c * max(w)\n"
                                          "    c: f32[128, 128] = dot c, a, (b).T\n"
                                          "  write c[m * 128 +: 128?, 0 +: 128] <- c\n");
  CHECK(has(text, "channel b(b: bf16[128, 64]) {moves tile, from producer, to consumer, slots 1}\n"));
  CHECK(has(text, "channel w(w: f32[64]) {moves tile k, from producer, to consumer, slots 2}\n"));
}

TEST_CASE("without a producer the threads that copy also wait, and fill an entry whole") {
  const std::string text = formed(kS + "    w: f32[64] = read w[k * 64 +: 64]\n"
                                       "    c: f32[128, 128] = c + sum(s * w[None, 0:64])\n",
                                  "ask pipeline.stages = 2\n");
  CHECK(has(text, "channel sw(s: f32[128, 64], w: f32[64]) {moves tile k, from all, to all, slots 2}\n"));
  CHECK(has(text, "      put sw[k].s <- s[m * 128 +: 128?, k * 64 +: 64?] {path"));
  CHECK(text.find("put sw[k].w") < text.find("get sw[k].s"));
}

TEST_CASE("what threads make goes through a channel where instructions or a copy need it in shared memory") {
  const std::string text = formed(kA +
                                  "    t: bf16[128, 64] = a * 2.0\n"
                                  "    c: f32[128, 128] = dot c, a, (t).T\n");
  CHECK(has(text, "channel t(t: bf16[128, 64]) {moves tile k, from consumer, to consumer, slots auto}\n"));
  CHECK(has(text,
            "      t: bf16[128, 64] = a * 2.0\n"
            "      put t[k].t <- t\n"
            "      t_operand: bf16[128, 64] in smem = get t[k].t\n"));
  CHECK(has(text,
            "    put c_store[].c <- c\n"
            "    c_store: f32[128, 128] in smem = get c_store[].c\n"
            "    write c[m * 128 +: 128?, 0 +: 128] <- c_store {path tma}\n"));
}

TEST_CASE("a value that is filled at several depths has a channel for each, and one that is undefined none") {
  const std::string text = after_pass("select,schedule,roles,channels", declarations("ask pipeline.stages = 2\n"),
                                      "for tile in work(m):\n"
                                      "  s: f32[128, 64] = undef\n"
                                      "  c: f32[128, 128] = 1.0\n"
                                      "  for k in 0 .. num_programs(k) {carry c s}:\n"
                                      "" + kS +
                                          "    c: f32[128, 128] = c + max(s)\n"
                                          "  s: f32[128, 64] = read s[m * 128 +: 128?, 0 +: 64?]\n"
                                          "  c: f32[128, 128] = c + max(s)\n"
                                          "  write c[m * 128 +: 128?, 0 +: 128] <- c\n");
  CHECK(has(text,
            "channel s(s: f32[128, 64]) {moves tile k, from all, to all, slots 2}\n"
            "channel s_(s: f32[128, 64]) {moves tile, from all, to all, slots 1}\n"));
  CHECK(has(text, "    s: f32[128, 64] in smem = undef\n"));
}

TEST_CASE("two boxes of one array in a channel are members of two names") {
  const std::string text = formed(
      "    s: f32[128, 64] = read s[m * 128 +: 128?, k * 64 +: 64?]\n"
      "    t: f32[128, 64] = read s[m * 128 +: 128?, k * 64 + 1 +: 64?]\n"
      "    c: f32[128, 128] = c + max(s * t)\n",
      "ask pipeline.stages = 2\n");
  CHECK(has(text, "(s: f32[128, 64], t: f32[128, 64]) {moves tile k, from all, to all, slots 2}\n"));
  CHECK(has(text, "t: f32[128, 64] in smem = get st[k].t\n"));
}

TEST_CASE("a box that needs a block taken before it, or the same block again, begins a new entry") {
  const std::string where = formed(kS + "    j: index = i32(s[0, 0])\n"
                                        "    w: f32[64] = read w[j +: 64?]\n"
                                        "    c: f32[128, 128] = c + sum(s * w[None, 0:64])\n",
                                   "ask pipeline.stages = 2\n");
  CHECK(has(where, "channel s(s: f32[128, 64]) {"));
  CHECK(where.find("get s[k].s") < where.find("j: index"));
  CHECK(where.find("j: index") < where.find("put w[k].w"));
  const std::string again = formed(
      kS + "    w: f32[64] = read w[k * 64 +: 64]\n" + kS + "    c: f32[128, 128] = c + sum(s * w[None, 0:64])\n",
      "ask pipeline.stages = 2\n");
  const size_t first = again.find("get s[k].s");
  CHECK(again.find("put s[k].s") < first);
  CHECK(first < again.rfind("put s[k].s"));
}

TEST_CASE("index values between boxes do not part the entry that they fill together") {
  const std::string text = formed(kS + "    j: index = k * 64\n"
                                       "    w: f32[64] = read w[j +: 64]\n"
                                       "    c: f32[128, 128] = c + sum(s * w[None, 0:64])\n",
                                  "ask pipeline.stages = 2\n");
  CHECK(has(text, "channel sw("));
  CHECK(text.find("j: index") < text.find("put sw[k].w"));
  CHECK(text.find("put sw[k].w") < text.find("get sw[k].s"));
}

TEST_CASE("what a pass adds has a name of its own") {
  const std::string text = formed("    t_operand: f32[128] = max(c, axis=1)\n    c_store: index = k\n" + kA +
                                  "    t: bf16[128, 64] = a * 2.0\n"
                                  "    c: f32[128, 128] = dot c, a, (t).T\n"
                                  "    c: f32[128, 128] = c + t_operand[:, None] + f32(c_store)\n");
  CHECK(has(text, "t_operand_: bf16[128, 64] in smem = get t[k].t\n"));
  CHECK(has(text, "c_store_: f32[128, 128] in smem = get c_store[].c\n"));
}

TEST_CASE("with `stages: 0` the threads load without a channel") {
  const std::string text = formed(kS + "    c: f32[128, 128] = c + max(s)\n", "ask pipeline.stages = 0\n");
  CHECK(has(text, "    s: f32[128, 64] = read s[m * 128 +: 128?, k * 64 +: 64?] {path direct"));
}
