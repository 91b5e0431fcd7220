#include "sensitivity.h"

#include <doctest/doctest.h>

#include <cmath>

#include "../interpret/specs.h"

using namespace pallasgen;

namespace {

// The sensitivity of o where every element of x is 1, of r 40 and of c -40.
Sensitivity sensitivity_of(const std::string& dtype, const std::string& value) {
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
  return sensitivities(*checked->kernel, arguments, *own)["o"];
}

}  // namespace

TEST_CASE("what cancels moves by the last places of what is added, not of the sum") {
  for (const double moved : sensitivity_of("f32", "x * r + c").moves) {
    CHECK(moved > 40 * 0x1p-26);
    CHECK(moved < 40 * 0x1p-19);
  }
  for (const double moved : sensitivity_of("f64", "x * r + c").moves) CHECK(moved < 40 * 0x1p-48);
  for (const double moved : sensitivity_of("f32", "x").moves) CHECK(moved < 0x1p-20);
}

TEST_CASE("a difference of two equal sums is the interpreter's roundings") {
  const Sensitivity noise = sensitivity_of("f32", "(x / 3 + 100) - 100 - x / 3");
  for (const double moved : noise.moves) CHECK(moved < 0x1p-24);
  CHECK(noise.rounding > 0x1p-24);
  CHECK(noise.rounding < 0x1p-14);
  // One rounding to the output's dtype is none of them.
  CHECK(sensitivity_of("bf16", "x / 3").rounding < 0x1p-20);
}

TEST_CASE("what is not finite leaves no room") {
  for (const double moved : sensitivity_of("f32", "log(c)").moves) CHECK(moved == 0);
  for (const double moved : sensitivity_of("f32", "where(r > 0, inf, r)").moves) CHECK(moved == 0);
}

TEST_CASE("kernels that take floats for their bits leave none") {
  CHECK(sensitivity_of("f32", "x + bitcast(bitcast(r, u32) + 1, f32)").moves.empty());
}
