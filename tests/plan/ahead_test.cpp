// Copies ahead of their use, and the synchronisation that orders them.
#include <doctest/doctest.h>

#include <sstream>

#include "plan/passes.h"
#include "tile/text.h"
#include "tile/walk.h"
#include "tile_texts.h"

using namespace pallasgen;
using test::after_pass;
using test::has;

namespace {

const std::string kSteps =
    "dim M, N multiple_of 4\n"
    "axis m parallel cdiv(M, 8)\n"
    "axis n sequential cdiv(N, 32)\n"
    "let far = n * 32\n"
    "ref x: f32[M, N] {in, block [8, 32], at [m, n], fill 0}\n"
    "ref w: f32[M, N] {in, block [8, 32], at [m, n], fill 0}\n"
    "ref o: f32[M, 32] {out, block [8, 32], at [m, 0]}\n";

// A loop whose iterations copy into channels with these attributes.
std::string kernel(const std::string& channels, const std::string& puts, const std::string& uses) {
  return channels +
         "role all {warps 2}:\n"
         "  for tile in work(m) {one_per_cta}:\n"
         "    acc: f32[8, 32] @strided.4 = 0.0\n"
         "    for n in 0 .. num_programs(n) {carry acc}:\n" +
         puts + uses + "    write o[m * 8 +: 8?, 0 +: 32] <- acc {path direct, vector 4}\n";
}

std::string channel(const std::string& name, const std::string& more) {
  return "channel " + name + "(" + name + ": f32[8, 32]) {moves tile n, from all, to all, " + more + "}\n";
}
std::string put(const std::string& name, const std::string& path) {
  return "      put " + name + "[n]." + name + " <- " + name + "[m * 8 +: 8?, n * 32 +: 32?] {path " + path + "}\n";
}
std::string use(const std::string& name, const std::string& layout = "strided.4") {
  return "      " + name + ": f32[8, 32] in smem = get " + name + "[n]." + name + "\n      " + name +
         "_block: f32[8, 32] @" + layout + " in reg = " + name + "\n";
}
const std::string kAdd = "      acc: f32[8, 32] @strided.4 = acc + x_block\n";

// Returns a kernel's lines with the indentation of a whole text.
std::string two_deeper(const std::string& text) {
  std::istringstream lines(text);
  std::string out;
  for (std::string line; std::getline(lines, line);) out += "  " + line + "\n";
  return out;
}

std::string made(const std::string& passes, const std::string& body) { return after_pass(passes, kSteps, body); }

}  // namespace

TEST_CASE("entries are copied as many turns ahead as there are slots beside the one in use") {
  const std::string text =
      made("ahead", kernel(channel("x", "slots 4"), put("x", "cp_async, vector 1"), use("x") + kAdd));
  INFO(text);
  CHECK(has(text,
            "    for ahead in 0 .. 3:\n"
            "      if ahead < num_programs(n):\n"
            "        put x[ahead].x <- x[m * 8 +: 8?, ahead * 32 +: 32?] {path cp_async, vector 1, ahead ahead}\n"
            "    for n in 0 .. num_programs(n) {carry acc}:\n"
            "      if n < num_programs(n) - 3:\n"
            "        put x[n + 3].x <- x[m * 8 +: 8?, (n + 3) * 32 +: 32?] {path cp_async, vector 1, ahead 3}\n"
            "      x: f32[8, 32] in smem = get x[n].x\n"));
}

TEST_CASE("what copies go ahead of is asked into L2 where the spec says so") {
  const auto text_of = [](const std::string& vector, const std::string& ask) {
    return after_pass("ahead", kSteps + ask,
                      kernel(channel("x", "slots 2"), put("x", "cp_async, vector " + vector), use("x") + kAdd));
  };
  const std::string own = text_of("4", "ask pipeline.prefetch = 1\n");
  INFO(own);
  CHECK(has(own,
            "        put x[n + 2].x <- x[m * 8 +: 8?, (n + 2) * 32 +: 32?] {path cp_async, vector 4, ahead 2}\n"
            "      if n < num_programs(n) - 3:\n"
            "        prefetch x[m * 8 +: 8?, (n + 3) * 32 +: 32?] {path cp_async, vector 4, ahead 3}\n"
            "      acc: "));
  CHECK(!has(own, "ask pipeline.prefetch"));  // it is honoured
  const std::string shared = text_of("1", "ask pipeline.prefetch = 2\n");
  INFO(shared);
  CHECK(has(shared,
            "        put x[n + 1].x <- x[m * 8 +: 8?, (n + 1) * 32 +: 32?] {path cp_async, vector 1, ahead 1}\n"
            "      if n < num_programs(n) - 3:\n"
            "        prefetch x[m * 8 +: 8?, (n + 3) * 32 +: 32?] {path cp_async, vector 1, ahead 3}\n"));
  CHECK(!has(text_of("4", ""), "prefetch"));
}

TEST_CASE("a thread that has taken what it copied copies into the slot again") {
  const std::string text =
      made("ahead", kernel(channel("x", "slots 4"), put("x", "cp_async, vector 4"), use("x") + kAdd));
  INFO(text);
  CHECK(has(text, "    for ahead in 0 .. 4:\n"));
  CHECK(has(text,
            "      x_block: f32[8, 32] @strided.4 in reg = x\n"
            "      if n < num_programs(n) - 4:\n"
            "        put x[n + 4].x <- x[m * 8 +: 8?, (n + 4) * 32 +: 32?] {path cp_async, vector 4, ahead 4}\n"
            "      acc: f32[8, 32] @strided.4 = acc + x_block\n"));
  // Another channel holds data of other threads: all follow the rule for those.
  const std::string two = made(
      "ahead", kernel(channel("x", "slots 4") + channel("w", "slots 4"),
                      put("x", "cp_async, vector 4") + put("w", "cp_async, vector 1"), use("x") + use("w") + kAdd));
  CHECK(!has(two, "ahead 4}"));
  CHECK(has(two, "ahead 3}"));
}

TEST_CASE("slots that are kept beyond their use are not copied into ahead") {
  const std::string text =
      made("ahead", kernel(channel("x", "slots 4, delay 1"), put("x", "cp_async, vector 4"), use("x") + kAdd));
  CHECK(has(text, "ahead 2}"));
  CHECK(!has(text, "ahead 3}"));
}

TEST_CASE("a copy stays where it is used") {
  const auto stays = [](const std::string& channels, const std::string& puts, const std::string& uses) {
    return made("ahead", kernel(channels, puts, uses)).find("ahead") == std::string::npos;
  };
  const std::string add = use("x") + kAdd;
  CHECK(!stays(channel("x", "slots 4"), put("x", "direct, vector 1"), add));
  CHECK(stays(channel("x", "slots 1"), put("x", "cp_async, vector 1"), add));
  CHECK(!stays(channel("x", "slots 1"), put("x", "cp_async, vector 4"), add));  // each thread reads only its own
  CHECK(stays(channel("x", "slots 4"), put("x", "tma"), add));
  // An iteration computes its place.
  const std::string moved =
      "      at: index = n * 2\n      put x[n].x <- x[m * 8 +: 8?, at * 32 +: 32?] {path cp_async, vector 4}\n";
  CHECK(stays(channel("x", "slots 4"), moved, add));
  // An iteration stores to the array that a later one reads, unless each stores its own box.
  const std::string copied = put("x", "cp_async, vector 4");
  const auto stored = [](const std::string& box) {
    return "      write x[m * 8 +: 8?, " + box + "?] <- acc {path direct, vector 4}\n";
  };
  CHECK(stays(channel("x", "slots 4"), copied, add + stored("n * 32 + 32 +: 32")));
  CHECK(!stays(channel("x", "slots 4"), copied, add + stored("n * 32 +: 32")));
}

TEST_CASE("one meeting a turn stands between the copies of all threads and their reads, and the reads and new copies") {
  const std::string text =
      made("ahead,protocol", kernel(channel("x", "slots 4"), put("x", "cp_async, vector 1"), use("x") + kAdd));
  INFO(text);
  CHECK(has(text,
            "        put x[ahead].x <- x[m * 8 +: 8?, ahead * 32 +: 32?] {path cp_async, vector 1, ahead ahead}\n"
            "      commit\n    for n in"));
  CHECK(has(text,
            "    for n in 0 .. num_programs(n) {carry acc}:\n      wait_copies 2 x\n      sync filled(x) read(x)\n"
            "      if n < num_programs(n) - 3:\n"));
  CHECK(has(text, "ahead 3}\n      commit\n      x: f32[8, 32] in smem = get x[n].x\n"));
  CHECK(has(text, "acc + x_block\n      advance x\n"));
}

TEST_CASE("a thread that reads just what it copied meets nobody") {
  const std::string text =
      made("ahead,protocol", kernel(channel("x", "slots 2"), put("x", "cp_async, vector 4"), use("x") + kAdd));
  INFO(text);
  CHECK(has(text, "      wait_copies 1 x\n      x: f32[8, 32] in smem = get x[n].x\n"));
  CHECK(has(text, "ahead 2}\n      commit\n"));
  CHECK(!has(text, "      sync"));
}

TEST_CASE("with one slot the threads meet before the copy and behind it") {
  const std::string text =
      made("ahead,protocol", kernel(channel("x", "slots 1"), put("x", "cp_async, vector 1"), use("x") + kAdd));
  INFO(text);
  CHECK(has(text, "{carry acc}:\n      sync read(x)\n      put x[n].x <- "));
  CHECK(has(text,
            "vector 1}\n      commit\n      wait_copies 0 x\n      sync filled(x)\n      x: f32[8, 32] in smem = get"));
}

TEST_CASE("copies through registers have arrived when the threads have met") {
  const std::string text =
      made("ahead,protocol", kernel(channel("x", "slots 2"), put("x", "direct, vector 1"), use("x") + kAdd));
  INFO(text);
  CHECK(has(text, "{carry acc}:\n      sync filled(x) read(x)\n      if n < num_programs(n) - 1:\n"));
  CHECK(!has(text, "commit"));
  CHECK(!has(text, "wait_copies"));
}

TEST_CASE("groups of copies are those of all channels of a loop, and the wait is for the one that goes least ahead") {
  const std::string text = made(
      "ahead,protocol", kernel(channel("x", "slots 2") + channel("w", "slots 5"),
                               put("x", "cp_async, vector 1") + put("w", "cp_async, vector 1"),
                               use("x") + use("w") + "      acc: f32[8, 32] @strided.4 = acc + x_block * w_block\n"));
  INFO(text);
  CHECK(has(text, "    for ahead in 0 .. 4:\n      if ahead < 1 and ahead < num_programs(n):\n"));
  CHECK(has(text, "      wait_copies 0 x w\n      sync filled(x w) read(x w)\n"));
  CHECK(has(text, "      advance x\n      advance w\n"));
}

TEST_CASE("what the protocol is made of is read back") {
  const SourceText source("few.tile", "tile 1 few sm_90a after protocol\n" + kSteps + "kernel few:\n" +
                                          two_deeper(kernel(channel("x", "slots 2"), "      wait_copies 1 y\n", "")));
  Diagnostics diagnostics;
  CHECK(!tile::read_text(source, diagnostics));
  CHECK(diagnostics.all().front().message == "there is no channel 'y'");
}
