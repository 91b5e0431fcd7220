// What roles do, by their duties.
#include <doctest/doctest.h>

#include "tile/text.h"
#include "tile/walk.h"
#include "two_roles.h"

using namespace pallasgen;

namespace {

const std::string kChannel = "  channel x(x: f32[8]) {moves tile k, from producer, to consumer}\n";
const std::string kFills = "for k in 0 .. 3:\n  put x[k].x <- x[i * 8 +: 8?]";
const std::string kTakes = "for k in 0 .. 3:\n  x: f32[8] = get x[k].x\n  write o[i * 8 +: 8?] <- x";

std::optional<tile::Program> roles_of(const std::string& text, Diagnostics& diagnostics) {
  Sources sources;
  return tile::read_text(sources.add("k.tile", text), diagnostics);
}
tile::Program roles_of(const std::string& text) {
  Diagnostics diagnostics;
  std::optional<tile::Program> program = roles_of(text, diagnostics);
  REQUIRE_MESSAGE(program, render(diagnostics, ErrorFormat::text, false));
  CHECK(tile::to_text(*program) == text);
  CHECK(tile::verify(*program).empty());
  return *program;
}

}  // namespace

TEST_CASE("a role is found by what it does, wherever it stands") {
  const std::string text = test::two_roles(kChannel, kFills, kTakes);
  for (const std::string& order : {text, test::consumer_first(text)}) {
    const tile::Program program = roles_of(order);
    CHECK(tile::has_several_roles(program));
    CHECK(tile::computing_role(program).name == "consumer");
    CHECK(tile::role_with(program, &tile::Duties::copies)->name == "producer");
    CHECK(tile::role_with(program, &tile::Duties::stores) == nullptr);
  }
}

TEST_CASE("a role that takes to memory what another computes stores, and the other computes") {
  const tile::Program program =
      roles_of(test::two_roles("  channel s(s: f32[8]) {moves tile, from producer, to consumer}\n",
                               "s: f32[8] = 1.0\nput s[].s <- s", "s: f32[8] = get s[].s\nwrite o[i * 8 +: 8?] <- s"));
  CHECK(tile::computing_role(program).name == "producer");
  CHECK(tile::role_with(program, &tile::Duties::stores)->name == "consumer");
  CHECK(tile::role_with(program, &tile::Duties::copies) == nullptr);
}

TEST_CASE("a role that copies for another and computes too says so") {
  std::string text = test::two_roles(kChannel, kFills, kTakes);
  text.replace(text.find("{warps 1}"), 9, "{computes, warps 1}");
  const tile::Program program = roles_of(text);
  CHECK(tile::computing_role(program).name == "producer");
  CHECK(tile::role_with(program, &tile::Duties::copies)->name == "producer");
  CHECK(program.roles[1].duties.computes);
}

TEST_CASE("the only role computes, and one role must") {
  const tile::Program only = roles_of(
      "tile 1 k sm_90a after roles\nref o: f32[8] {out}\nkernel k:\n  role all:\n"
      "    for tile in work():\n      o: f32[8] = 1.0\n      write o[0 +: 8] <- o\n");
  CHECK(tile::computing_role(only).name == "all");
  Diagnostics diagnostics;
  const std::string both = kChannel + "  channel y(y: f32[8]) {moves tile k, from consumer, to producer}\n";
  REQUIRE_FALSE(roles_of(test::two_roles(both, kFills + "\n  y: f32[8] = get y[k].y",
                                         "for k in 0 .. 3:\n  x: f32[8] = get x[k].x\n  put y[k].y <- x[i * 8 +: 8?]"),
                         diagnostics));
  CHECK(diagnostics.all().front().message == "no role computes: one says so, as in `role NAME {computes}:`");
}

TEST_CASE("duties that channels do not say are found") {
  tile::Program program = roles_of(test::two_roles(kChannel, kFills, kTakes));
  program.roles[1].duties.copies = true;
  const std::vector<std::string> wrong = tile::verify(program);
  REQUIRE_FALSE(wrong.empty());
  CHECK(wrong.front() == "role 'consumer' has other duties than its channels say");
}
