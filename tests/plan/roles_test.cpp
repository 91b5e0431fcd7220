#include <doctest/doctest.h>

#include "tile_texts.h"

using pallasgen::test::after_pass;
using pallasgen::test::has;

namespace {

const std::string kMatmulDeclarations =
    "dim M, K multiple_of 8\n"
    "scalar limit: i32\n"
    "axis m parallel cdiv(M, 128)\n"
    "axis k sequential cdiv(K, 64)\n"
    "ref a: bf16[M, K] {in, block [128, 64], at [m, k], fill 0}\n"
    "ref page: i32[M] {in, space gmem}\n"
    "ref spin: i32[M] {workspace, init 0}\n"
    "ref c: f32[M, 128] {out, block [128, 128], at [m, 0]}\n"
    "ask pipeline.stages = 2\n"
    "ask pipeline.warp_specialized = true\n"
    "ask pipeline.compute_warpgroups = 2\n";

// Returns the roles of a kernel whose programs copy `a` and add a product of it; `in_step` is in the loop over k.
std::string roles(const std::string& in_step, const std::string& before = "",
                  const std::string& declarations = kMatmulDeclarations) {
  return after_pass("select,schedule,roles", declarations,
                    "for tile in work(m):\n" + before +
                        "  c: f32[128, 128] = 1.0\n"
                        "  for k in 0 .. num_programs(k) {carry c}:\n" +
                        in_step + "  write c[m * 128 +: 128?, 0 +: 128] <- c\n");
}

const std::string kDot = "    c: f32[128, 128] = dot c, a, (a).T\n";

}  // namespace

TEST_CASE("what leads to the copies is a role of its own, and each value that they fill a channel") {
  CHECK(roles("    a: bf16[128, 64] = read a[m * 128 +: 128?, k * 64 +: 64?]\n" + kDot) ==
        "channel a(a: bf16[128, 64]) {moves tile k, from producer, to consumer}\n"
        "role producer {warps 1}:\n"
        "  for tile in work(m) {one_per_cta}:\n"
        "    for k in 0 .. num_programs(k):\n"
        "      put a[k].a <- a[m * 128 +: 128?, k * 64 +: 64?] {path tma}\n"
        "role consumer {warps 8}:\n"
        "  for tile in work(m) {one_per_cta}:\n"
        "    c: f32[128, 128] in reg = 1.0\n"
        "    for k in 0 .. num_programs(k) {carry c}:\n"
        "      a: bf16[128, 64] in smem = get a[k].a\n"
        "      c: f32[128, 128] in reg = mma c, a, (a).T {family wgmma.k16.f32.bf16, in_flight 1}\n"
        "    write c[m * 128 +: 128?, 0 +: 128] <- c {path tma}\n");
}

TEST_CASE("a copy under a condition is put and got under it") {
  const std::string text = roles(
      "    if k < limit {carry c}:\n"
      "      a: bf16[128, 64] = read a[m * 128 +: 128?, k * 64 +: 64?]\n"
      "  " +
      kDot);
  CHECK(has(text,
            "    for k in 0 .. num_programs(k):\n"
            "      if k < limit:\n"
            "        put a[k].a <- "));
  CHECK(has(text,
            "      if k < limit {carry c}:\n"
            "        a: bf16[128, 64] in smem = get a[k].a\n"));
}

TEST_CASE("pieces of a loop that do the same in the producer are one loop there") {
  const std::string step = "    a: bf16[128, 64] = read a[m * 128 +: 128?, k * 64 +: 64?]\n" + kDot;
  const auto cut = [&](const std::string& clean) {
    return after_pass("select,schedule,roles", kMatmulDeclarations,
                      "for tile in work(m):\n"
                      "  c: f32[128, 128] = 1.0\n"
                      "  clean: index = " +
                          clean +
                          "\n"
                          "  for k in 0 .. clean {carry c}:\n" +
                          step + "  for k in clean .. num_programs(k) {carry c}:\n" + step +
                          "    c: f32[128, 128] = c * 0.5\n"
                          "  write c[m * 128 +: 128?, 0 +: 128] <- c\n");
  };
  CHECK(has(cut("minimum(maximum(M // 64 - m, 0), num_programs(k))"),
            "role producer {warps 1}:\n"
            "  for tile in work(m) {one_per_cta}:\n"
            "    for k in 0 .. num_programs(k):\n"
            "      put a[k].a <- a[m * 128 +: 128?, k * 64 +: 64?] {path tma}\n"
            "role consumer"));
  // If `clean` is not proved to lie between the ends, the loops stay separate, as do their requirements.
  CHECK(has(cut("minimum(M // 64 - m, num_programs(k))"),
            "    clean: index = minimum(M // 64 - m, num_programs(k))\n"
            "    for k in 0 .. clean:\n"
            "      put a[k].a <- a[m * 128 +: 128?, k * 64 +: 64?] {path tma}\n"
            "    for k in clean .. num_programs(k):\n"
            "      put a[k].a <- "));
}

TEST_CASE("an index that an input says moves to the producer with the copy that it places") {
  const std::string text = roles(
      "    first: index = page[m]\n"
      "    a: bf16[128, 64] = read a[first +: 128?, k * 64 +: 64?]\n" +
      kDot);
  CHECK(has(text,
            "      first: index = page[m]\n"
            "      put a[k].a <- a[first +: 128?, k * 64 +: 64?] {path tma}\n"
            "role consumer"));
  CHECK(has(text,
            "    for k in 0 .. num_programs(k) {carry c}:\n"
            "      a: bf16[128, 64] in smem = get a[k].a\n"));
}

TEST_CASE("a loop that only the consumer needs is no part of the producer") {
  const std::string text = roles(
      "    a: bf16[128, 64] = read a[m * 128 +: 128?, k * 64 +: 64?]\n"
      "    left: i32[] = limit.astype(i32)\n"
      "    while left > 0 {carry left}:\n"
      "      left: i32[] = left - 1\n"
      "    c: f32[128, 128] = c + left.astype(f32)\n" +
      kDot);
  CHECK(has(text,
            "    for k in 0 .. num_programs(k):\n"
            "      put a[k].a <- a[m * 128 +: 128?, k * 64 +: 64?] {path tma}\n"
            "role consumer"));
}

TEST_CASE("a copy stays with the threads that use it if what leads to it cannot run ahead of them") {
  const std::string copy = "    a: bf16[128, 64] = read a[m * 128 +: 128?, k * 64 +: 64?]\n";
  for (const std::string& text : {// the body computes whether it is copied,
                                  roles("    if max(c) > 2.0 {carry c}:\n"
                                        "  " +
                                        copy + "  " + kDot),
                                  // or its source,
                                  roles("    first: index = max(c).astype(i32)\n"
                                        "    a: bf16[128, 64] = read a[first +: 128?, k * 64 +: 64?]\n" +
                                        kDot),
                                  // an array that the kernel writes decides it,
                                  roles("    first: index = spin[m]\n"
                                        "    a: bf16[128, 64] = read a[first +: 128?, k * 64 +: 64?]\n" +
                                        kDot + "    store(spin, [m], 1, order=relaxed)\n"),
                                  // as does an access that others order,
                                  roles("    first: i32[] = load(page, [m], order=acquire)\n"
                                        "    if first > 2 {carry c}:\n"
                                        "  " +
                                        copy + "  " + kDot),
                                  // or a number that the program draws once
                                  roles("    if ticket() > 2 {carry c}:\n"
                                        "  " +
                                        copy + "  " + kDot)}) {
    CAPTURE(text);
    CHECK(has(text, "role all:"));
    CHECK(has(text, "= read a["));
    CHECK_FALSE(has(text, "channel"));
  }
}

TEST_CASE("without a producer there is one role") {
  const std::string declarations =
      "dim M, K multiple_of 8\n"
      "axis m parallel cdiv(M, 128)\n"
      "axis k sequential cdiv(K, 64)\n"
      "ref a: bf16[M, K] {in, block [128, 64], at [m, k], fill 0}\n"
      "ref c: f32[M, 128] {out, block [128, 128], at [m, 0]}\n";
  CHECK(has(roles("    a: bf16[128, 64] = read a[m * 128 +: 128?, k * 64 +: 64?]\n" + kDot, "", declarations),
            "role all:\n"));
}

namespace {

const std::string kSums =
    "dim M, K multiple_of 8\n"
    "scalar limit: i32\n"
    "axis m parallel cdiv(K, 64)\n"
    "axis k sequential cdiv(M, 128)\n"
    "ref a: bf16[M, K] {in, block [128, 64], at [k, m], fill 0}\n"
    "ref o: f32[M, 128] {out, block [128, 128], at [k, 0], init 0, reduce add}\n"
    "ref spin: i32[M] {workspace, init 0}\n"
    "ask pipeline.stages = 2\n"
    "ask pipeline.warp_specialized = true\n"
    "ask pipeline.compute_warpgroups = 2\n";
const std::string kSumOfTiles =
    "    a: bf16[128, 64] = read a[k * 128 +: 128?, m * 64 +: 64?]\n"
    "    d: f32[128, 128] = dot 0, a, (a).T\n";
const std::string kStore = "write o[k * 128 +: 128?, 0 +: 128] <- d\n";

// Returns the roles of a kernel that adds a product to memory in each step.
std::string storing(const std::string& step, const std::string& declarations = kSums) {
  return after_pass("select,schedule,roles", declarations,
                    "for tile in work(m):\n  for k in 0 .. num_programs(k):\n" + step);
}

}  // namespace

TEST_CASE("what is stored in each step leaves by a role of its own, which the channel crosses to") {
  const std::string text = storing(kSumOfTiles + "    " + kStore);
  INFO(text);
  CHECK(has(text, "channel o_store(o: f32[128, 128]) {moves tile k, from consumer, to storer}\n"));
  CHECK(has(text,
            "role storer {warps 1}:\n"
            "  for tile in work(m) {one_per_cta}:\n"
            "    for k in 0 .. num_programs(k):\n"
            "      o_store: f32[128, 128] in smem = get o_store[k].o\n"
            "      write o[k * 128 +: 128?, 0 +: 128] <- o_store {path tma}\n"
            "role consumer {warps 8}:\n"));
  CHECK(has(text, "      put o_store[k].o <- d\n"));
}

TEST_CASE("a store under a condition of sizes and numbers is put and got under it") {
  const std::string text = storing(kSumOfTiles + "    if k < limit:\n      " + kStore);
  INFO(text);
  CHECK(has(text, "      if k < limit:\n        o_store: f32[128, 128] in smem = get o_store[k].o\n"));
  CHECK(has(text, "      if k < limit:\n        put o_store[k].o <- d\n"));
}

TEST_CASE("a store stays with the threads that compute it where another warp could not store it by itself") {
  for (const std::string& text : {// the body computes whether it is stored,
                                  storing(kSumOfTiles + "    if max(d) > 2.0:\n      " + kStore),
                                  // or its place,
                                  storing(kSumOfTiles + "    first: index = max(d).astype(i32)\n"
                                                        "    write o[first +: 128?, 0 +: 128] <- d\n"),
                                  // another access is ordered after it,
                                  storing(kSumOfTiles + "    " + kStore + "    store(spin, [m], 1, order=release)\n"),
                                  // it is one of several values of the array,
                                  storing(kSumOfTiles + "    if k < limit:\n      " + kStore +
                                          "    e: f32[128, 128] = dot 0, a, (a).T\n"
                                          "    write o[k * 128 +: 128?, 0 +: 128] <- e\n"),
                                  // CTAs take tiles as they get free, or checks precede it
                                  storing(kSumOfTiles + "    " + kStore, kSums + "ask schedule.persistent = dynamic\n"),
                                  storing(kSumOfTiles + "    " + kStore, kSums + "check oob\n")}) {
    CAPTURE(text);
    CHECK(has(text, "role consumer"));
    CHECK(has(text, "<- d {path tma}"));
    CHECK_FALSE(has(text, "role storer"));
  }
}
