#include <doctest/doctest.h>

#include "tile_texts.h"

using pallasgen::test::after_pass;
using pallasgen::test::has;

namespace {

// Returns the result of `protocol` for a role that stores 64 columns of an accumulator at a time, with this loop body.
std::string stored(const std::string& turn) {
  return after_pass("protocol",
                    "dim M, N multiple_of 8\n"
                    "axis m parallel cdiv(M, 64)\n"
                    "ref c: bf16[M, N] {out, block [64, 128], at [m, 0]}\n",
                    "channel c_store(c: bf16[64, 64]) {moves tile j, from all, to all, slots 2}\n"
                    "role all {warps 4}:\n"
                    "  for tile in work(m) {static_persistent}:\n"
                    "    acc: f32[64, 128] @wgmma in reg = 1.0\n"
                    "    for j in 0 .. 2 {unroll 2}:\n" +
                        turn);
}

const std::string kValue = "      c: bf16[64, 64] @wgmma = acc[0:64, ds(j * 64, 64)].astype(bf16)\n";
const std::string kPut = "      put c_store[j].c <- c\n";
const std::string kCopy =
    "      c_store: bf16[64, 64] in smem = get c_store[j].c\n"
    "      write c[m * 64 +: 64?, j * 64 +: 64?] <- c_store {path tma}\n";

}  // namespace

TEST_CASE("a buffer is waited for before what is computed for it, and the copy sees what all threads wrote") {
  const std::string text = stored(kValue + kPut + kCopy);
  INFO(text);
  CHECK(has(text, "      wait_stores 1 c_store\n      sync warpgroup read(c_store)\n" + kValue + kPut +
                      "      fence_proxy filled(c_store)\n      sync warpgroup filled(c_store)\n" + kCopy +
                      "      advance c_store\n"));
  CHECK(has(text, "  wait_stores 0 c_store\n"));
  CHECK(!has(text, "    wait_stores 0 c_store\n"));
}

TEST_CASE("a value that others take too is computed before the wait") {
  const std::string used = "      d: bf16[64, 64] @wgmma = c + c\n";
  const std::string text = stored(kValue + used + kPut + kCopy);
  INFO(text);
  CHECK(has(text, kValue + used + "      wait_stores 1 c_store\n      sync warpgroup read(c_store)\n" + kPut));
}

TEST_CASE("what is stored by the threads themselves is not waited for") {
  const std::string text = after_pass("protocol",
                                      "dim M\naxis m parallel cdiv(M, 64)\n"
                                      "ref o: f32[M] {out, block [64], at [m]}\n",
                                      "role all {warps 4}:\n"
                                      "  for tile in work(m) {one_per_cta}:\n"
                                      "    o: f32[64] @strided.1 = 1.0\n"
                                      "    write o[m * 64 +: 64?] <- o {path direct, vector 1}\n");
  CHECK(!has(text, "wait_stores"));
  CHECK(!has(text, "sync"));
}

TEST_CASE("what another role stores is waited for, written, told and freed once for each entry") {
  const std::string text =
      after_pass("protocol",
                 "dim M\n"
                 "axis m parallel cdiv(M, 64)\n"
                 "axis k sequential 3\n"
                 "ref o: f32[3, M, 128] {out, block [1, 64, 128], at [k, m, 0], init 0, reduce add}\n",
                 "channel o_store(o: f32[64, 128]) {moves tile k j, from consumer, to storer, slots 1}\n"
                 "role storer {warps 1}:\n"
                 "  for tile in work(m) {one_per_cta}:\n"
                 "    for k in 0 .. num_programs(k):\n"
                 "      for j in 0 .. 1 {unroll 1}:\n"
                 "        o_store: f32[64, 128] in smem = get o_store[k, j].o\n"
                 "        write o[k, m * 64 +: 64?, 0 +: 128] <- o_store {path tma}\n"
                 "role consumer {warps 4}:\n"
                 "  for tile in work(m) {one_per_cta}:\n"
                 "    acc: f32[64, 128] @wgmma in reg = 1.0\n"
                 "    for k in 0 .. num_programs(k):\n"
                 "      for j in 0 .. 1 {unroll 1}:\n"
                 "        o_part: f32[64, 128] @wgmma in reg = acc\n"
                 "        put o_store[k, j].o <- o_part\n");
  INFO(text);
  CHECK(has(text,
            "      wait_full o_store\n"
            "      for j in 0 .. 1 {unroll 1}:\n"
            "        o_store: f32[64, 128] in smem = get o_store[k, j].o\n"
            "        write o[k, m * 64 +: 64?, 0 +: 128] <- o_store {path tma}\n"
            "      wait_stores 0 o_store\n"
            "      release o_store\n"
            "      advance o_store\n"));
  CHECK(has(text,
            "      wait_free o_store\n"
            "      for j in 0 .. 1 {unroll 1}:\n"
            "        o_part: f32[64, 128] @wgmma in reg = acc\n"
            "        put o_store[k, j].o <- o_part\n"
            "      fence_proxy filled(o_store)\n"
            "      sync warpgroup filled(o_store)\n"
            "      fill o_store\n"
            "      advance o_store\n"));
}
