#include <doctest/doctest.h>

#include "tile/text.h"
#include "tile/walk.h"
#include "two_roles.h"

using namespace pallasgen;

namespace {

// Returns the complaint of verify() about a kernel with these roles, over the axis k of 3 steps.
std::string wrong(const std::string& producer, const std::string& consumer,
                  const std::string& channel = "x(x: f32[8]) {moves tile k, from producer, to consumer}") {
  Sources sources;
  Diagnostics diagnostics;
  const auto program = tile::read_text(
      sources.add("k.tile", test::two_roles("  channel " + channel + "\n", producer, consumer)), diagnostics);
  CAPTURE(render(diagnostics, ErrorFormat::text, false));
  REQUIRE(program);
  const std::vector<std::string> found = tile::verify(*program);
  return found.empty() ? "" : found.front();
}

const std::string kPuts = "for k in 0 .. 3:\n  put x[k].x <- x[i * 8 +: 8?]";
const std::string kGets = "for k in 0 .. 3:\n  x: f32[8] = get x[k].x\n  write o[i * 8 +: 8?] <- x";

}  // namespace

TEST_CASE("a channel is filled and emptied in one order") {
  CHECK(wrong(kPuts, kGets) == "");
  CHECK(wrong("if N > 8:\n  put x[0].x <- x[i * 8 +: 8?]",
              "if N > 8:\n  x: f32[8] = get x[0].x\n  write o[i * 8 +: 8?] <- x") == "");
}

TEST_CASE("other entries, loops or conditions on one side are found") {
  const std::string said = "channel 'x' is filled as\n";
  for (const std::string& puts : {std::string("for k in 0 .. 2:\n  put x[k].x <- x[i * 8 +: 8?]"),
                                  std::string("for k in 0 .. 3:\n  put x[k + 1].x <- x[i * 8 +: 8?]"),
                                  std::string("for k in 0 .. 3:\n  if k < M:\n    put x[k].x <- x[i * 8 +: 8?]"),
                                  kPuts + "\nput x[3].x <- x[i * 8 +: 8?]"}) {
    CAPTURE(puts);
    CHECK(wrong(puts, kGets).substr(0, said.size()) == said);
  }
}

TEST_CASE("roles, coordinates and types of a channel are checked") {
  CHECK(wrong(kPuts, kGets, "x(x: f32[8]) {moves tile k, from consumer, to producer}") ==
        "role 'producer' puts into 'x'");
  CHECK(wrong(kPuts, kGets, "x(x: f32[8]) {moves tile, from producer, to consumer}") ==
        "an entry of 'x' has 1 coordinates instead of 0");
  CHECK(wrong(kPuts, kGets, "x(x: f32[4]) {moves tile k, from producer, to consumer}") ==
        "'x' is of another type than 'x' of channel 'x'");
  CHECK(wrong("for k in 0 .. 3:\n  y: f32[8] = 1.0", "for k in 0 .. 3:\n  y: f32[8] = 1.0\n  write o[i * 8 +: 8?] <- y",
              "x(x: f32[8]) {moves tile k, from loader, to consumer}") ==
        "channel 'x' is between roles that are not there");
}
