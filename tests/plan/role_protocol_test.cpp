#include <doctest/doctest.h>

#include <sstream>

#include "tile_texts.h"

using pallasgen::test::after_pass;
using pallasgen::test::has;

namespace {

// Returns the lines, each without its first two blanks or with two more.
std::string moved(const std::string& text, bool deeper) {
  std::istringstream lines(text);
  std::string out;
  for (std::string line; std::getline(lines, line);) out += (deeper ? "  " + line : line.substr(2)) + "\n";
  return out;
}

// Returns the result of `protocol` for a kernel with these channels, puts of the producer and steps of the consumer.
std::string between(const std::string& channels, const std::string& puts, const std::string& step,
                    const std::string& work = "static_persistent") {
  return moved(after_pass("protocol",
                          "dim M, N multiple_of 4, K multiple_of 8\n"
                          "axis m parallel cdiv(M, 64)\n"
                          "axis n sequential cdiv(N, 32)\n"
                          "ref x: f32[M, N] {in, block [64, 32], at [m, n], fill 0}\n"
                          "ref w: f32[M, N] {in, block [64, 32], at [m, n], fill 0}\n"
                          "ref a: bf16[M, K] {in, block [64, 64], at [m, n], fill 0}\n"
                          "ref b: bf16[64, K] {in, block [64, 64], at [0, n], fill 0}\n"
                          "ref o: f32[M, 32] {out, block [64, 32], at [m, 0]}\n"
                          "ref c: f32[M, 64] {out, block [64, 64], at [m, 0]}\n",
                          moved(channels +
                                    "  role producer {warps 4}:\n"
                                    "    for tile in work(m) {" +
                                    work +
                                    "}:\n"
                                    "      for n in 0 .. num_programs(n):\n" +
                                    puts +
                                    "  role consumer {warps 4}:\n"
                                    "    for tile in work(m) {" +
                                    work + "}:\n" + step,
                                false)),
               true);
}

std::string channel_line(const std::string& name, const std::string& more = "slots 3") {
  return "  channel " + name + "(" + name + ": f32[64, 32]) {moves tile n, from producer, to consumer, " + more + "}\n";
}
std::string put_line(const std::string& name, const std::string& path) {
  return "        put " + name + "[n]." + name + " <- " + name + "[m * 64 +: 64?, n * 32 +: 32?] {path " + path + "}\n";
}
std::string get(const std::string& name) {
  return "        " + name + ": f32[64, 32] in smem = get " + name + "[n]." + name + "\n";
}
std::string load(const std::string& name) {
  return "        " + name + "_block: f32[64, 32] @strided.4 in reg = " + name + "\n";
}
std::string steps(const std::string& in_step) {
  return "      acc: f32[64, 32] @strided.4 = 0.0\n"
         "      for n in 0 .. num_programs(n) {carry acc}:\n" +
         in_step + "      write o[m * 64 +: 64?, 0 +: 32] <- acc {path direct, vector 4}\n";
}
const std::string kAddBlock = "        acc: f32[64, 32] @strided.4 = acc + x_block\n";

}  // namespace

TEST_CASE("a unit fills an entry that is free and expected, and threads free it behind their last read") {
  const std::string text = between(channel_line("x"), put_line("x", "tma"), steps(get("x") + load("x") + kAddBlock));
  INFO(text);
  CHECK(has(text,
            "    wait_free x\n        expect x\n        put x[n].x <- x[m * 64 +: 64?, n * 32 +: 32?] {path tma}\n"
            "        advance x\n"));
  CHECK(has(text,
            "        wait_full x\n        x: f32[64, 32] in smem = get x[n].x\n"
            "        x_block: f32[64, 32] @strided.4 in reg = x\n"
            "        fence_proxy read(x)\n        sync warp read(x)\n        release x\n"
            "        acc: f32[64, 32] @strided.4 = acc + x_block\n        advance x\n"));
}

TEST_CASE("threads that fill an entry say so behind their copies, and no fence stands before them") {
  for (const char* path : {"cp_async, vector 4", "direct, vector 1"}) {
    const std::string text = between(channel_line("x"), put_line("x", path), steps(get("x") + load("x") + kAddBlock));
    INFO(text);
    CHECK(has(text, std::string("wait_free x\n        put x[n].x <- x[m * 64 +: 64?, n * 32 +: 32?] {path ") + path +
                        "}\n        fill x\n        advance x\n"));
    CHECK(has(text, "in reg = x\n        sync warp read(x)\n        release x\n"));
    CHECK(!has(text, "expect"));
  }
}

TEST_CASE("channels whose last reads stand together are freed together, others apart") {
  const std::string both = channel_line("x") + channel_line("w", "slots 2"),
                    puts = put_line("x", "tma") + put_line("w", "tma");
  const std::string together = between(both, puts, steps(get("x") + get("w") + load("x") + load("w") + kAddBlock));
  INFO(together);
  CHECK(has(together,
            "in reg = w\n        fence_proxy read(x w)\n        sync warp read(x w)\n        release x\n        "
            "release w\n"));
  const std::string apart = between(both, puts, steps(get("x") + load("x") + kAddBlock + get("w") + load("w")));
  INFO(apart);
  CHECK(has(apart, "in reg = x\n        fence_proxy read(x)\n        sync warp read(x)\n        release x\n"));
  CHECK(has(apart, "in reg = w\n        fence_proxy read(w)\n        sync warp read(w)\n        release w\n"));
  CHECK(has(apart, "acc + x_block\n        wait_full w\n"));
}

TEST_CASE("an entry that is kept for a step is freed in the next one, and the last behind the loop") {
  const std::string text =
      between(channel_line("x", "slots 3, delay 1"), put_line("x", "tma"), steps(get("x") + load("x") + kAddBlock));
  INFO(text);
  CHECK(has(text, "        release x previous\n"));
  CHECK(has(text, "      release x last\n      write o"));
}

TEST_CASE("nobody waits for or frees a slot that is not filled again") {
  const std::string once = "  channel w(w: f32[64, 32]) {moves tile, from producer, to consumer, slots 1}\n";
  const std::string puts = put_line("x", "tma") + "      put w[].w <- w[m * 64 +: 64?, 0 +: 32?] {path tma}\n";
  const std::string uses = steps(get("x") + load("x") + kAddBlock) +
                           "      w: f32[64, 32] in smem = get w[].w\n"
                           "      w_block: f32[64, 32] @strided.4 in reg = w\n"
                           "      write c[m * 64 +: 64?, 0 +: 32] <- w_block {path direct, vector 4}\n";
  for (const char* work : {"one_per_cta", "static_persistent"}) {
    const std::string text = between(channel_line("x", "slots 3, delay 1") + once, puts, uses, work);
    const bool again = work == std::string("static_persistent");
    INFO(text);
    // In a loop over steps slots are filled again, except those of the last steps of the CTA.
    CHECK(has(text, "wait_free x\n"));
    CHECK(has(text, "release x previous\n"));
    CHECK(has(text, "release x last\n") == again);
    CHECK(has(text, "wait_free w\n") == again);
    CHECK(has(text, "release w\n") == again);
    CHECK(has(text, "expect w\n"));
    CHECK(has(text, "wait_full w\n"));
  }
}

TEST_CASE("what instructions read is free when they are done, one group of them later") {
  const auto text = [](int in_flight) {
    return between(
        "  channel ab(a: bf16[64, 64], b: bf16[64, 64]) {moves tile n, from producer, to consumer, slots 4, delay " +
            std::to_string(in_flight) + "}\n",
        "        put ab[n].a <- a[m * 64 +: 64?, n * 64 +: 64?] {path tma}\n"
        "        put ab[n].b <- b[0 +: 64, n * 64 +: 64?] {path tma}\n",
        "      acc: f32[64, 64] @wgmma in reg = undef\n"
        "      for n in 0 .. num_programs(n) {carry acc}:\n"
        "        a: bf16[64, 64] in smem = get ab[n].a\n"
        "        b: bf16[64, 64] in smem = get ab[n].b\n"
        "        acc: f32[64, 64] @wgmma in reg = mma acc, a, (b).T {family wgmma.k16.f32.bf16, accumulate n > 0, "
        "in_flight " +
            std::to_string(in_flight) + "}\n");
  };
  const std::string one = text(1), none = text(0);
  INFO(one << none);
  CHECK(has(one, "in_flight 1}\n        wait_mma 1\n        release ab previous\n        advance ab\n"));
  CHECK(has(one, "      wait_mma 0 acc\n      release ab last\n"));
  CHECK(has(none, "in_flight 0}\n        wait_mma 0 acc\n        release ab\n        advance ab\n"));
  CHECK(!has(none, "last"));
  // No thread reads it directly.
  CHECK(!has(one, "fence_proxy"));
}

TEST_CASE("instructions run on until something touches their sum or makes their operand anew") {
  const std::string text = after_pass("select,schedule,roles,channels,size,layouts,ahead,protocol",
                                      "dim N multiple_of 8\n"
                                      "axis m parallel 4\n"
                                      "axis j sequential cdiv(N, 64)\n"
                                      "ref q: bf16[512, 64] {in, block [128, 64], at [m, 0], fill 0}\n"
                                      "ref k: bf16[N, 64] {in, block [64, 64], at [j, 0], fill 0}\n"
                                      "ref v: bf16[N, 64] {in, block [64, 64], at [j, 0], fill 0}\n"
                                      "ref o: f32[512, 64] {out, block [128, 64], at [m, 0]}\n"
                                      "ask pipeline.stages = 2\n"
                                      "ask pipeline.warp_specialized = true\n"
                                      "ask pipeline.compute_warpgroups = 2\n"
                                      "ask schedule.lookahead = [s]\n"
                                      "ask schedule.take_turns = [s, acc]\n",
                                      "for tile in work(m):\n"
                                      "  q: bf16[128, 64] = read q[m * 128 +: 128, 0 +: 64]\n"
                                      "  acc: f32[128, 64] = 0.0\n"
                                      "  l: f32[128] = 0.0\n"
                                      "  for j in 0 .. num_programs(j) {carry acc l}:\n"
                                      "    k: bf16[64, 64] = read k[j * 64 +: 64?, 0 +: 64]\n"
                                      "    s: f32[128, 64] = dot 0, q, (k).T\n"
                                      "    p: f32[128, 64] = exp(s)\n"
                                      "    l: f32[128] = l + sum(p, axis=1)\n"
                                      "    v: bf16[64, 64] = read v[j * 64 +: 64?, 0 +: 64]\n"
                                      "    acc: f32[128, 64] = dot acc, p.astype(bf16), v\n"
                                      "  o: f32[128, 64] = acc / l[:, None]\n"
                                      "  write o[m * 128 +: 128, 0 +: 64] <- o\n");
  INFO(text);
  // Step 0 alone: there is no other work during the wait.
  CHECK(has(text,
            "  take_turn\n"
            "      s: f32[128, 64] @wgmma in reg = mma 0, q, (k).T {family wgmma.k16.f32.bf16}\n"
            "      pass_turn\n      wait_mma 0 s\n      release k\n      advance k\n"));
  // A branch waits for k of the next step before the last wait; the sum of rows starts in parts before the loop.
  CHECK(has(text, "      if 1 < num_programs(j):\n        wait_full k\n      for j in 1 .. num_programs(j)"));
  CHECK(has(text,
            "        pass_turn\n        wait_mma 1 s\n        release k\n        advance k\n"
            "        p: f32[128, 64] @wgmma = exp(s)\n"
            "        l: f32[128] @wgmma_row.partial(sum) = l + sum(p, axis=1)\n"
            "        if j + 1 < num_programs(j):\n          wait_full k\n"
            "        wait_mma 0 acc acc_a\n        release v\n"
            "        acc_a: bf16[128, 64] @wgmma_operand in reg = p.astype(bf16)\n        advance v\n"));
  // v in a step is that of the previous step, on both sides; the producer has one loop.
  CHECK(has(text, "      for j in 1 .. num_programs(j):\n        wait_free k\n"));
  CHECK(has(text, "        v: bf16[64, 64] in smem = get v[j - 1].v\n"));
  // Each passed turn is taken.
  CHECK(has(text, "role consumer {warps 8, registers 232}:\n  pass_turn first\n"));
  CHECK(has(text, "  take_turn last\n"));
}
