#include "schedule/late_reads.h"

#include <doctest/doctest.h>

#include "tile/text.h"

using namespace pallasgen;

namespace {

// Returns where these statements read u and write y once reads may follow stores; empty if none moves.
std::string reads_moved(const std::string& body) {
  const SourceText source("few.tile",
                          "tile 1 few sm_90a after channels\n"
                          "dim M\n"
                          "axis m parallel cdiv(M, 8)\n"
                          "ref x: f32[M, 256] {in, block [8, 256], at [m, 0], fill 0}\n"
                          "ref y: f32[M, 256] {out, block [8, 256], at [m, 0]}\n"
                          "ref z: f32[M, 256] {out, block [8, 256], at [m, 0]}\n"
                          "kernel few:\n"
                          "  role all {warps 4}:\n"
                          "    for tile in work(m):\n"
                          "      x: f32[8, 256] = read x[m * 8 +: 8?, 0 +: 256] {path direct, vector 4}\n" +
                              body);
  Diagnostics diagnostics;
  const auto program = tile::read_text(source, diagnostics);
  CAPTURE(render(diagnostics, ErrorFormat::text, false));
  REQUIRE(program);
  const auto made = schedule::with_reads_behind_stores(*program);
  if (!made) return "";
  const std::string text = tile::to_text(*made);
  return text.find("write y") < text.find("u: f32[8, 256] = read") ? "write y, read u" : "read u, write y";
}

}  // namespace

TEST_CASE("reads go behind stores of what does not need them, but not of the same array") {
  const std::string of = "      u: f32[8, 256] = read ", box = "[m * 8 +: 8?, 0 +: 256] {path direct, vector 4}\n";
  const std::string write = "      write y[m * 8 +: 8?, 0 +: 256] <- x {path direct, vector 4}\n";
  const std::string use = "      z: f32[8, 256] = exp(u)\n      write z" + std::string("[m * 8 +: 8?, 0 +: 256] <- z") +
                          " {path direct, vector 4}\n";
  CHECK(reads_moved(of + "x" + box + write + use) == "write y, read u");
  CHECK(reads_moved(of + "y" + box + write + use) == "");
  CHECK(reads_moved(of + "x" + box + use + write) == "read u, write y");  // x is read later
}
