#include <doctest/doctest.h>

#include "interpret/interpret.h"
#include "tile/text.h"

using namespace pallasgen;

namespace {

// Returns `text` with `from` replaced by `to`.
std::string with(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  REQUIRE_MESSAGE(at != std::string::npos, from);
  return text.replace(at, from.size(), to);
}

// Returns the diagnostics of running the program, on sizes of 64.
std::string said(const std::string& text) {
  Sources sources;
  Diagnostics diagnostics;
  const auto program = tile::read_text(sources.add("k.tile", text), diagnostics);
  REQUIRE_MESSAGE(program, render(diagnostics, ErrorFormat::text, false));
  Arguments arguments;
  arguments.dims["M"] = arguments.dims["K"] = 64;
  arguments.arrays["a"] =
      Array::zeros(text.find("ref a: f32") == std::string::npos ? DType::bf16 : DType::f32, {64, 64});
  if (interpret(*program, arguments, {}, diagnostics)) return "";
  CHECK(render(diagnostics, ErrorFormat::text, false).find("[run-order]") != std::string::npos);
  return diagnostics.all().front().message;
}

// A producer that copies a and b, matrix instructions that multiply them, and a staged store.
const std::string kProduct = R"(tile 1 k sm_90a after protocol
dim M, K
axis i parallel cdiv(M, 64)
axis k sequential cdiv(K, 32)
ref a: bf16[M, K] {in, block [64, 32], at [i, k], fill 0}
ref o: f32[M, M] {out, block [64, 64], at [i, 0]}
kernel k:
  channel a(a: bf16[64, 32]) {moves tile k, from producer, to consumer, slots 2, delay 0}
  channel o_store(o: f32[64, 64]) {moves tile, from consumer, to consumer, slots 1, delay 0}
  role producer {warps 1}:
    for tile in work(i) {one_per_cta}:
      for k in 0 .. num_programs(k):
        wait_free a
        expect a
        put a[k].a <- a[i * 64 +: 64, k * 32 +: 32] {path tma}
        advance a
  role consumer {warps 4}:
    for tile in work(i) {one_per_cta}:
      o: f32[64, 64] in reg = 0.0
      for k in 0 .. num_programs(k) {carry o}:
        wait_full a
        a: bf16[64, 32] in smem = get a[k].a
        o: f32[64, 64] in reg = mma o, a, (a).T {family wgmma.k16.f32.bf16}
        wait_mma 0 o
        release a
        advance a
      wait_stores 0 o_store
      sync warpgroup
      put o_store[].o <- o
      fence_proxy
      sync warpgroup
      o_store: f32[64, 64] in smem = get o_store[].o
      write o[i * 64 +: 64, 0 +: 64] <- o_store {path tma}
      advance o_store
    wait_stores 0 o_store
)";

}  // namespace

TEST_CASE("instructions end before anything touches what they write or read") {
  const std::string wait = "        wait_mma 0 o\n", release = "        release a\n";
  CHECK(said(kProduct) == "");
  CHECK(said(with(kProduct, wait, "")) == "an entry of 'a' is freed while matrix instructions read it");
  CHECK(said(with(kProduct, wait, "        wait_mma 1 o\n")) ==
        "an entry of 'a' is freed while matrix instructions read it");
  CHECK(said(with(kProduct, release, "")) == "the role ends before it is done with an entry of 'a'");
  CHECK(said(with(kProduct, wait, "        wait_mma 0\n")) ==
        "'o' is touched, and no wait for its matrix instructions names it");
  CHECK(said(with(kProduct, wait, "        o: f32[64, 64] in reg = o * 2.0\n" + wait)) ==
        "matrix instructions that make 'o' still run when it is touched");
}

TEST_CASE("who fills an entry waits until it is free, but where nobody frees one and no slot is filled twice") {
  const std::string wait = "        wait_free a\n", release = "        release a\n";
  const std::string alone = with(with(kProduct, wait, ""), release, "");
  CHECK(said(alone) == "");
  CHECK(said(with(alone, "slots 2", "slots 1")) == "bytes are expected in an entry of 'a' that is not empty");
  CHECK(said(with(kProduct, wait, "")) == "bytes are expected in an entry of 'a' that is not empty");
  const std::string previous = with(kProduct, release, "        release a previous\n");
  CHECK(said(previous) == "");
  const std::string one = "role consumer {warps 4}:\n    for tile in work(i) {one_per_cta}";
  const std::string several = "role consumer {warps 4}:\n    for tile in work(i) {static_persistent}";
  CHECK(said(with(previous, one, several)) == "the role ends before it is done with an entry of 'a'");
}

TEST_CASE("who fills an entry has it and says when it has arrived") {
  CHECK(said(with(kProduct, "        expect a\n", "")) == "nothing tells when an entry of 'a' has arrived");
  CHECK(said(with(kProduct, "        expect a\n", "        expect a\n        expect a\n")) ==
        "bytes are expected in an entry of 'a' that is not empty");
  CHECK(said(with(kProduct, "{path tma}\n        advance a\n", "{path tma}\n")) ==
        "an entry of 'a' is waited for twice");
}

TEST_CASE("threads that have read an entry tell of it together") {
  const std::string read = "        y: bf16[64, 32] in reg = a\n", wait = "        wait_mma 0 o\n";
  const std::string fence = "        fence_proxy\n", sync = "        sync warp\n";
  CHECK(said(with(kProduct, wait, wait + read + fence + sync)) == "");
  CHECK(said(with(kProduct, wait, wait + read + fence + "        sync warpgroup\n")) == "");
  for (const std::string& less : {read + fence, read + sync, read + sync + fence})
    CHECK(said(with(kProduct, wait, wait + less)) ==
          "an entry of 'a' is freed before all know that threads have read it");
  // Without an instruction that all execute, others may still wait.
  const std::string mma = "        o: f32[64, 64] in reg = mma o, a, (a).T {family wgmma.k16.f32.bf16}\n";
  CHECK(said(with(with(kProduct, mma, ""), wait, "")) ==
        "an entry of 'a' is freed while threads may still wait for it");
}

TEST_CASE("what is staged is written when its slot has been read, and copied when all have written") {
  const std::string before = "      wait_stores 0 o_store\n      sync warpgroup\n";
  const std::string behind = "      fence_proxy\n      sync warpgroup\n";
  // The other warps' stores are not ordered if only a warp has synchronised.
  CHECK(said(with(kProduct, behind, "      fence_proxy\n      sync warp\n")) != "");
  CHECK(said(with(kProduct, before, "      sync warpgroup\n")) ==
        "an entry of 'o_store' is filled while a copy out of its slot may read it");
  CHECK(said(with(kProduct, before, "      wait_stores 0 o_store\n")) ==
        "an entry of 'o_store' is filled before all know that its slot was read");
  CHECK(said(with(kProduct, behind, "      fence_proxy\n")) ==
        "an entry of 'o_store' is used before all know that it was written");
  CHECK(said(with(kProduct, behind, "      sync warpgroup\n      fence_proxy\n")) ==
        "an entry of 'o_store' is used before all know that it was written");
  CHECK(said(with(kProduct, "      advance o_store\n    wait_stores 0 o_store\n", "      advance o_store\n")) ==
        "the role ends while copies out of 'o_store' may run");
  CHECK(said(with(kProduct, "      advance o_store\n", "")) ==
        "the role ends and has not moved on from an entry of 'o_store'");
}

TEST_CASE("each thread fills again what it has taken itself, and nothing else") {
  const std::string program = R"(tile 1 k sm_80 after protocol
dim M, K
axis i parallel M
axis j sequential 4
ref a: f32[M, K] {in, block [1, 16], at [i, j], fill 0}
kernel k:
  channel x(x: f32[1, 16]) {moves tile j, from all, to all, slots 1}
  role all {warps 1}:
    for tile in work(i) {one_per_cta}:
      for ahead in 0 .. 1:
        if ahead < num_programs(j):
          put x[ahead].x <- a[i +: 1, ahead * 16 +: 16] {path cp_async, vector 4, ahead ahead}
        commit
      for j in 0 .. num_programs(j):
        wait_copies 0 x
        x: f32[1, 16] in smem = get x[j].x
        x_block: f32[1, 16] @strided.4 in reg = x
        if j < num_programs(j) - 1:
          put x[j + 1].x <- a[i +: 1, (j + 1) * 16 +: 16] {path cp_async, vector 4, ahead 1}
        commit
        y: f32[1, 16] @strided.4 in reg = x_block + 1.0
        advance x
)";
  const std::string load = "        x_block: f32[1, 16] @strided.4 in reg = x\n";
  const std::string add = "        y: f32[1, 16] @strided.4 in reg = x_block + 1.0\n";
  CHECK(said(program) == "");
  CHECK(said(with(program, "wait_copies 0 x", "wait_copies 1 x")) ==
        "an entry of 'x' is used, and nobody has waited for the copies to it");
  CHECK(said(with(with(program, load, ""), add, "")) ==
        "an entry of 'x' is filled before all have read what its slot holds");
  CHECK(said(with(with(program, load, ""), add, load + add)) ==
        "an entry of 'x' is filled before all have read what its slot holds");
  CHECK(said(with(program, add, add + "        z: f32[1, 16] @strided.4 in reg = x\n")) ==
        "an entry of 'x' is used, and its slot has been filled again");
  // Other threads have copied what these read.
  CHECK(said(with(program, load, "        x_block: f32[1, 16] @strided.2 in reg = x\n")) ==
        "an entry of 'x' is used before all know that it was written");
}

TEST_CASE("instructions see what threads make for them, and read it before it is made anew") {
  const std::string program = R"(tile 1 k sm_90a after protocol
dim M, K
axis i parallel cdiv(M, 64)
axis k sequential cdiv(K, 16)
ref a: bf16[M, K] {in, block [64, 64], at [i, 0], fill 0}
kernel k:
  channel t(t: bf16[64, 64]) {moves tile k, from all, to all, slots 1, delay 0}
  role all {warps 8}:
    for tile in work(i) {one_per_cta}:
      o: f32[64, 64] in reg = 0.0
      for k in 0 .. num_programs(k) {carry o}:
        t: bf16[64, 64] in reg = 1.0
        sync
        put t[k].t <- t
        fence_proxy
        sync
        u: bf16[64, 64] in smem = get t[k].t
        o: f32[64, 64] in reg = mma o, u, (u).T {family wgmma.k16.f32.bf16}
        wait_mma 0 o
        advance t
)";
  const std::string before = "        sync\n        put", behind = "        fence_proxy\n        sync\n";
  CHECK(said(program) == "");
  CHECK(said(with(program, before, "        put")) ==
        "an entry of 't' is filled before all have read what its slot holds");
  CHECK(said(with(program, behind, "        sync\n")) == "an entry of 't' is used before all know that it was written");
  CHECK(said(with(program, behind, "        fence_proxy\n")) ==
        "an entry of 't' is used before all know that it was written");
  // With two slots, the synchronisation after one entry proves that the other was read.
  const std::string two = with(program, "slots 1", "slots 2");
  CHECK(said(with(two, before, "        put")) == "");
  CHECK(said(with(with(two, before, "        put"), "        wait_mma 0 o\n", "        wait_mma 1 o\n")) != "");
  CHECK(said(with(with(program, before, "        sync warpgroup\n        put"), "{warps 8}", "{warps 8}")) != "");
}
