#include "registers/live_registers.h"

#include <doctest/doctest.h>

#include "tile/text.h"

using namespace pallasgen;

namespace {

tile::Program few(const std::string& body) {
  const SourceText source("few.tile",
                          "tile 1 few sm_90a after layouts\n"
                          "dim M\n"
                          "axis m parallel cdiv(M, 8)\n"
                          "ref x: f32[M, 256] {in, block [8, 256], at [m, 0], fill 0}\n"
                          "ref y: f32[M, 256] {out, block [8, 256], at [m, 0]}\n"
                          "kernel few:\n"
                          "  role all {warps 4}:\n"
                          "    for tile in work(m):\n"
                          "      x: f32[8, 256] @rows.32.4 = read x[m * 8 +: 8?, 0 +: 256] {path direct, vector 4}\n" +
                              body + "      write y[m * 8 +: 8?, 0 +: 256] <- y {path direct, vector 4}\n");
  Diagnostics diagnostics;
  const auto program = tile::read_text(source, diagnostics);
  CAPTURE(render(diagnostics, ErrorFormat::text, false));
  REQUIRE(program);
  return *program;
}

// Returns "6 = 4 x + 2 y" for a role of 128 threads with this body on blocks of [8, 256], 16 words a thread.
std::string live(const std::string& body) {
  const tile::Program program = few(body);
  const LiveRegisters found = live_registers(program, program.roles[0]);
  std::string out = std::to_string(found.words);
  for (const auto& [words, value] : found.values)
    out +=
        (out.find('=') == std::string::npos ? " = " : " + ") + std::to_string(words) + " " + program.value(value).name;
  return out;
}

// Returns the registers that a thread needs within this, besides its live values and addresses.
int64_t within(const std::string& body) {
  const tile::Program program = few(body);
  const tile::Role& role = program.roles[0];
  return registers_needed(program, role) - live_registers(program, role).words - address_registers(program, role);
}

}  // namespace

TEST_CASE("statements hold operands of searches, sums of several scans, and places of elements in loops") {
  const std::string y = "      y: f32[8, 256] @rows.32.4 = x + 1.0\n";
  CHECK(within(y) == 0);
  const std::string search = "      t: i32[8] @rows.32.slice = argmax(x * x, axis=1)\n";
  const std::string use = "      y: f32[8, 256] @rows.32.4 = x + t[0:8, None].astype(f32)\n";
  CHECK(within(search + use) > 16);
  const std::string scan = "      s: f32[8, 256] @rows.32.4 = cumsum(x, axis=1)\n";
  CHECK(within(scan + "      y: f32[8, 256] @rows.32.4 = x * s\n") == 0);
  CHECK(within(scan + "      u: f32[8, 256] @rows.32.4 = cummax(x, axis=1)\n"
                      "      y: f32[8, 256] @rows.32.4 = s + u\n") == 8);
  const std::string tile = "      t: f32[8, 256] in smem = full(f32, [8, 256], 1.0)\n";
  CHECK(within(tile + y) == 0);
  CHECK(within(y + "      for i in 0 .. 4 {carry}:\n        t: f32[8, 256] in smem = full(f32, [8, 256], 1.0)\n") > 7);
}

TEST_CASE("registers are counted where most values are alive") {
  CHECK(live("      y: f32[8, 256] @rows.32.4 = exp(x)\n") == "16 = 16 y");
  CHECK(live("      t: f32[8, 256] @rows.32.4 = exp(x)\n"
             "      y: f32[8, 256] @rows.32.4 = x * t + t\n") == "16 = 16 y");
  CHECK(live("      t: f32[8] @rows.32.slice = max(x, axis=1)\n"
             "      y: f32[8, 256] @rows.32.4 = x - t[0:8, None]\n") == "18 = 16 x + 2 t");
  CHECK(live("      h: bf16[8, 256] @rows.32.4 = x.astype(bf16)\n"
             "      t: f32[8] @rows.32.slice = max(x, axis=1)\n"
             "      y: f32[8, 256] @rows.32.4 = h.astype(f32) * t[0:8, None]\n") == "18 = 16 x + 2 t");
}

TEST_CASE("a value is whole where what it is made of would have to wait for it") {
  const std::string read = "      u: f32[8, 256] @rows.32.4 = read x[m * 8 +: 8?, 0 +: 256] {path direct, vector 4}\n";
  const std::string both = read + "      t: f32[8, 256] @rows.32.4 = x * u\n";
  const std::string beside =
      "      w: f32[8, 256] @rows.32.4 = read x[m * 8 +: 8?, 0 +: 256] {path direct, vector 4}\n";
  CHECK(live(both + "      y: f32[8, 256] @rows.32.4 = t + 1.0\n") == "32 = 16 x + 16 u");
  CHECK(live(both + beside + "      y: f32[8, 256] @rows.32.4 = t + w\n") == "32 = 16 t + 16 w");
}

TEST_CASE("a value that others want too, or whose operands change before, is whole") {
  CHECK(live("      t: f32[8, 256] @rows.32.4 = exp(x)\n"
             "      u: f32[8] @rows.32.slice = max(t, axis=1)\n"
             "      y: f32[8, 256] @rows.32.4 = x * t - u[0:8, None]\n") == "34 = 16 x + 16 t + 2 u");
  CHECK(live("      t: f32[8, 256] @rows.32.4 = exp(x)\n"
             "      x: f32[8, 256] @rows.32.4 = x + 1.0\n"
             "      y: f32[8, 256] @rows.32.4 = x * t\n") == "32 = 16 x + 16 t");
  CHECK(live("      t: f32[8, 256] @rows.32.4 = cumsum(x, axis=1)\n"
             "      y: f32[8, 256] @rows.32.4 = x * t\n") == "32 = 16 x + 16 t");
}

TEST_CASE("arrays of coordinates are never whole, however many statements use them") {
  const std::string rows = "      r: i32[8, 256] @rows.32.4 = m * 8 + iota(i32, [8, 256], 0)\n";
  CHECK(live(rows + "      t: f32[8, 256] @rows.32.4 = where(r < M, x, 0.0)\n"
                    "      y: f32[8, 256] @rows.32.4 = where(r > 5, t, 0.0)\n") == "16 = 16 y");
  // Before a loop, and again in it.
  CHECK(live(rows + "      t: f32[8, 256] @rows.32.4 = where(r < M, x, 0.0)\n"
                    "      y: f32[8, 256] @rows.32.4 = exp(t)\n"
                    "      for i in 0 .. 4 {carry y}:\n"
                    "        r: i32[8, 256] @rows.32.4 = i * 8 + iota(i32, [8, 256], 0)\n"
                    "        y: f32[8, 256] @rows.32.4 = where(r < M, y, 0.0)\n") == "16 = 16 y");
  // A value that a loop changes is whole.
  CHECK(live(rows + "      y: f32[8, 256] @rows.32.4 = exp(x)\n"
                    "      for i in 0 .. 4 {carry y r}:\n"
                    "        y: f32[8, 256] @rows.32.4 = where(r < M, y, 0.0)\n"
                    "        r: i32[8, 256] @rows.32.4 = r + 1\n") == "32 = 16 r + 16 y");
}
