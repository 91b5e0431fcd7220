#include "sensitivity.h"

#include <doctest/doctest.h>

#include <cmath>

#include "../interpret/specs.h"

using namespace pallasgen;

namespace {

// Returns the sensitivity of o where every element of x is 1, of r 40 and of c -40.
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
  // One rounding to the output's dtype does not count.
  CHECK(sensitivity_of("bf16", "x / 3").rounding < 0x1p-20);
}

TEST_CASE("what is not finite leaves no room") {
  for (const double moved : sensitivity_of("f32", "log(c)").moves) CHECK(moved == 0);
  for (const double moved : sensitivity_of("f32", "where(r > 0, inf, r)").moves) CHECK(moved == 0);
}

TEST_CASE("kernels that take floats for their bits leave none") {
  CHECK(sensitivity_of("f32", "x + bitcast(bitcast(r, u32) + 1, f32)").moves.empty());
}

namespace {

bool is_exact(const std::string& text) {
  const auto checked = check_text("exact.yaml", "pallasgen: 1\nkernel: exact\n" + text);
  REQUIRE_MESSAGE(checked->kernel, render(checked->diagnostics, ErrorFormat::text, false));
  return is_computed_exactly(*checked->kernel);
}

// Tests a kernel that computes o, [16, 16], from x, y and z.
bool is_exact(const std::string& in, const std::string& out, const std::string& body, const std::string& more = "") {
  std::string inputs = "inputs:\n";
  for (const char* name : {"x", "y", "z"}) inputs += std::string("  ") + name + ": {type: \"" + in + "[16, 16]\"}\n";
  return is_exact(inputs + "outputs: {o: {type: \"" + out + "[16, 16]\"}}\n" + more + "body:\n" + body);
}

}  // namespace

TEST_CASE("computed exactly is what nothing but roundings of f32 and f64 is on the way to") {
  CHECK(is_exact("f32", "f32", "  - o[...] = exp(x) * y + z\n"));
  CHECK(is_exact("f32", "f32", "  - o[...] = dot(x, y) + z\n"));
  CHECK(is_exact("f64", "f32", "  - o[...] = (x + y * z).astype(f32)\n"));
  CHECK(is_exact("bf16", "f32", "  - o[...] = x.astype(f32) * y.astype(f32)\n"));
}

TEST_CASE("the rounding of an element that is stored is none on the way") {
  CHECK(is_exact("f32", "bf16", "  - o[...] = (x * y).astype(bf16)\n"));
  CHECK_FALSE(is_exact("f32", "f32", "  - o[...] = (x * y).astype(bf16).astype(f32)\n"));
  CHECK_FALSE(is_exact("f32", "f32", "  - v = x.astype(bf16)\n  - o[...] = v.astype(f32) + y\n"));
  // In a branch, a loop, a condition of one and a function of the spec, too.
  CHECK_FALSE(is_exact("f32", "f32",
                       "  - v = x\n  - for: i\n    range: 3\n    do:\n      - v = v + y.astype(f16).astype(f32)\n"
                       "  - o[...] = v\n"));
  CHECK_FALSE(is_exact("f32", "f32",
                       "  - v = x\n  - while: max(v.astype(f16)) < 9\n    do:\n      - v = v + 1\n  - o[...] = v\n"));
  CHECK_FALSE(is_exact("f32", "f32", "  - o[...] = coarse(x)\n",
                       "functions: {\"coarse(v)\": \"v.astype(bf16).astype(f32)\"}\n"));
  CHECK(is_exact("f32", "f32", "  - o[...] = fine(x)\n", "functions: {\"fine(v)\": \"v * 2\"}\n"));
}

TEST_CASE("matrix products of narrow operands, and approximations, are not exact") {
  CHECK_FALSE(is_exact("bf16", "f32", "  - o[...] = dot(x, y)\n"));
  CHECK_FALSE(is_exact("f8e4m3", "f32", "  - o[...] = dot(x, y)\n"));
  CHECK_FALSE(is_exact("f32", "f32", "  - o[...] = dot(x, y, precision=tf32)\n"));
  CHECK_FALSE(is_exact("f32", "f32", "  - o[...] = dot(x, y, precision=bf16x3)\n"));
  CHECK_FALSE(is_exact("f32", "f32", "  - o[...] = exp(x)\n", "math: {approx: true}\n"));
  CHECK(is_exact("i8", "i32", "  - o[...] = dot(x, y)\n"));
}
