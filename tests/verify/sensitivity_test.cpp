#include "sensitivity.h"

#include <doctest/doctest.h>

#include <cmath>

#include "../interpret/specs.h"

using namespace pallasgen;

namespace {

// What o moves by, for x = 1, r = 40, c = -40 and s = 0 everywhere.
std::vector<double> moves_of(const std::string& dtype, const std::string& value, bool interpreted = false) {
  const auto checked = check_text("moves.yaml", "pallasgen: 1\nkernel: moves\ninputs:\n  x: {type: \"" + dtype +
                                                    "[8]\"}\n  r: {type: \"" + dtype + "[8]\"}\n  c: {type: \"" +
                                                    dtype + "[8]\"}\noutputs: {o: {type: \"" + dtype +
                                                    "[8]\"}}\nbody:\n  - o[...] = " + value + "\n");
  REQUIRE_MESSAGE(checked->kernel, render(checked->diagnostics, ErrorFormat::text, false));
  Arguments arguments = seeded_arguments(*checked->kernel, {}, checked->diagnostics);
  for (const auto& [name, number] : {std::pair{"x", 1.0}, std::pair{"r", 40.0}, std::pair{"c", -40.0}})
    for (int64_t i = 0; i < 8; ++i) arguments.arrays.at(name).set(i, number);
  const auto own = interpret(*checked->kernel, arguments, {}, checked->diagnostics);
  REQUIRE(own);
  return sensitivities(*checked->kernel, arguments, interpreted ? *own : std::map<std::string, Array>())["o"];
}

}  // namespace

TEST_CASE("what cancels moves by the last places of what is added, not of the sum") {
  for (const double moved : moves_of("f32", "x * r + c")) {
    CHECK(moved > 40 * 0x1p-26);
    CHECK(moved < 40 * 0x1p-19);
  }
  for (const double moved : moves_of("f64", "x * r + c")) CHECK(moved < 40 * 0x1p-48);
  for (const double moved : moves_of("f32", "x")) CHECK(moved < 0x1p-20);
}

TEST_CASE("a difference of two equal sums moves by the interpreter's roundings") {
  const std::string value = "(x / 3 + 100) - 100 - x / 3";
  for (const double moved : moves_of("f32", value)) CHECK(moved < 0x1p-24);
  for (const double moved : moves_of("f32", value, true)) {
    CHECK(moved > 0x1p-24);
    CHECK(moved < 0x1p-14);
  }
  // One rounding to the output's dtype is none of them.
  for (const double moved : moves_of("bf16", "x / 3", true)) CHECK(moved < 0x1p-20);
}

TEST_CASE("what is not finite leaves no room") {
  for (const double moved : moves_of("f32", "log(c)")) CHECK(moved == 0);
  for (const double moved : moves_of("f32", "where(r > 0, inf, r)")) CHECK(moved == 0);
}

TEST_CASE("kernels that take floats for their bits leave none") {
  CHECK(moves_of("f32", "x + bitcast(bitcast(r, u32) + 1, f32)").empty());
}
