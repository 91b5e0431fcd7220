#include <doctest/doctest.h>

#include "planned.h"
#include "proofs/copy_proofs.h"
#include "tile_texts.h"

using pallasgen::test::after_pass;
using pallasgen::test::has;

namespace {

const std::string kPasses = "select,schedule,roles,channels,size";

// A product of [128, 64] and [N, 64] over k, with the output `out`, and its epilogue.
std::string sized(const std::string& rows, const std::string& columns, const std::string& asks,
                  const std::string& epilogue, const std::string& dtype = "bf16") {
  return after_pass(kPasses,
                    "dim M, K multiple_of 8\n"
                    "dim N multiple_of 8\n"
                    "axis m parallel cdiv(M, " +
                        rows +
                        ")\n"
                        "axis n parallel cdiv(N, " +
                        columns +
                        ")\n"
                        "axis k sequential cdiv(K, 64)\n"
                        "ref a: bf16[M, K] {in, block [" +
                        rows +
                        ", 64], at [m, k], fill 0}\n"
                        "ref b: bf16[N, K] {in, block [" +
                        columns +
                        ", 64], at [n, k], fill 0}\n"
                        "ref c: " +
                        dtype + "[M, N] {out, block [" + rows + ", " + columns +
                        "], at [m, n]}\n"
                        "ask pipeline.warp_specialized = true\n" +
                        asks,
                    "for tile in work(m, n):\n"
                    "  acc: f32[" +
                        rows + ", " + columns +
                        "] = 0.0\n"
                        "  for k in 0 .. num_programs(k) {carry acc}:\n"
                        "    a: bf16[" +
                        rows + ", 64] = read a[m * " + rows + " +: " + rows +
                        "?, k * 64 +: 64?]\n"
                        "    b: bf16[" +
                        columns + ", 64] = read b[n * " + columns + " +: " + columns +
                        "?, k * 64 +: 64?]\n"
                        "    acc: f32[" +
                        rows + ", " + columns + "] = dot acc, a, (b).T\n" + epilogue + "  write c[m * " + rows +
                        " +: " + rows + "?, n * " + columns + " +: " + columns + "?] <- c\n");
}

}  // namespace

TEST_CASE("a staged store is cut into chunks as wide as a swizzle, and what is made for it alone goes with it") {
  const std::string text = sized("128", "256", "ask pipeline.stages = 4\nask pipeline.compute_warpgroups = 2\n",
                                 "  t: f32[128, 256] = exp(acc)\n"
                                 "  c: bf16[128, 256] = (t * t).astype(bf16)\n");
  CHECK(has(text, "channel c_store(c: bf16[128, 64]) {moves tile j, from consumer, to consumer, slots 2}\n"));
  CHECK(has(text,
            "    for j in 0 .. 4 {unroll 4}:\n"
            "      if n * 256 + j * 64 < N:\n"
            "        t: f32[128, 64] = exp(acc[0:128, ds(j * 64, 64)])\n"
            "        c: bf16[128, 64] = (t * t).astype(bf16)\n"
            "        put c_store[j].c <- c\n"
            "        c_store: bf16[128, 64] in smem = get c_store[j].c\n"
            "        write c[m * 128 +: 128?, n * 256 + j * 64 +: 64?] <- c_store {path tma}\n"));
}

TEST_CASE("what a store shares with others, or is no map of columns, stays whole") {
  const std::string text = sized("128", "128", "ask pipeline.stages = 2\nask pipeline.compute_warpgroups = 2\n",
                                 "  t: f32[128, 128] = exp(acc)\n"
                                 "  top: f32[128] = max(t, axis=1)\n"
                                 "  u: f32[128, 128] = cumsum(t, axis=1)\n"
                                 "  c: bf16[128, 128] = (t * u - top[0:128, None]).astype(bf16)\n");
  CHECK(has(text, "    t: f32[128, 128] = exp(acc)\n"));
  CHECK(has(text, "    u: f32[128, 128] = cumsum(t, axis=1)\n"));
  CHECK(has(text,
            "        c: bf16[128, 64] = (t[0:128, ds(j * 64, 64)] * u[0:128, ds(j * 64, 64)] - top[0:128, None])"
            ".astype(bf16)\n"));
}

TEST_CASE("an accumulator that is stored as it is goes in chunks, too") {
  const std::string text = sized("128", "64", "ask pipeline.stages = 2\nask pipeline.compute_warpgroups = 2\n",
                                 "  c: f32[128, 64] = acc\n", "f32");
  CHECK(has(text, "        c: f32[128, 32] = acc[0:128, ds(j * 32, 32)]\n"));
}

TEST_CASE("open warps follow the rows of accumulators, and open stages hide the latency while they fit") {
  const std::string two =
      sized("128", "256", "ask pipeline.stages = auto\n", "  c: bf16[128, 256] = acc.astype(bf16)\n");
  CHECK(has(two, "role consumer {warps 8, registers 232}:\n"));
  CHECK(has(two, "slots 4, delay 1}\n"));
  const std::string one = sized("64", "256", "ask pipeline.stages = auto\n", "  c: bf16[64, 256] = acc.astype(bf16)\n");
  CHECK(has(one, "role consumer {warps 4"));
}

TEST_CASE("the second buffer of a store gives way before stages that the spec asks for") {
  const std::string text = sized("128", "256", "ask pipeline.stages = 4\nask pipeline.compute_warpgroups = 2\n",
                                 "  c: f32[128, 256] = acc\n", "f32");
  CHECK(has(text, "channel c_store(c: f32[128, 32]) {moves tile j, from consumer, to consumer, slots 2}\n"));
}

TEST_CASE("rows that are reduced get lanes, and other blocks threads with a few accesses each") {
  const auto role = [](const std::string& shape, const std::string& value) {
    return after_pass(kPasses,
                      "dim M\n"
                      "axis m parallel cdiv(M, 8)\n"
                      "ref x: f32[M, 4096] {in, block [8, " +
                          shape +
                          "], at [m, 0], fill 0}\n"
                          "ref y: f32[M, 4096] {out, block [8, " +
                          shape + "], at [m, 0]}\n",
                      "for tile in work(m):\n"
                      "  x: f32[8, " +
                          shape + "] = read x[m * 8 +: 8?, 0 +: " + shape +
                          "]\n"
                          "  y: f32[8, " +
                          shape + "] = " + value +
                          "\n"
                          "  write y[m * 8 +: 8?, 0 +: " +
                          shape + "] <- y\n");
  };
  CHECK(has(role("256", "x - max(x, axis=1, keepdims=true)"), "role all {warps 4}:\n"));
  CHECK(has(role("256", "x + 1.0"), "role all {warps 4}:\n"));
  CHECK(has(role("16", "x + 1.0"), "role all {warps 1}:\n"));
  CHECK(has(role("1024", "x + 1.0"), "role all {warps 8}:\n"));
  CHECK(has(role("4096", "x + 1.0"), "role all {warps 32}:\n"));  // instead of 32 accesses of each of 256 threads
}

TEST_CASE("stages that a plan chooses are as many as a setting may say at most, however small the blocks are") {
  const Planned planned(R"spec(
pallasgen: 1
kernel: f
dims: {N: {multiple_of: 4}}
consts: {bs: 4}
grid: [{axis: k, size: "cdiv(N, bs)", semantics: sequential}]
inputs: {x: {type: "f32[N]", block: [bs], index_map: [k], fill: 0}}
outputs: {y: {type: "f32[N]", block: [bs], index_map: [k]}}
pipeline: {stages: auto, warp_specialized: true, compute_warpgroups: 1}
body: ["y[...] = x"]
)spec");
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  CHECK(planned.plan->rings.front().slots.value == 64);
}

TEST_CASE("boxes of rows: the largest that divide them") {
  const pallasgen::Target& target = *pallasgen::find_target("sm_90a");
  CHECK(pallasgen::rows_of_box(target, 128, 128, true) == 128);
  CHECK(pallasgen::rows_of_box(target, 384, 128, true) == 192);
  CHECK(pallasgen::rows_of_box(target, INT64_C(1) << 40, 128, true) == 256);
  CHECK(pallasgen::rows_of_box(target, 6700417, 128, true) == 0);  // a prime
}
