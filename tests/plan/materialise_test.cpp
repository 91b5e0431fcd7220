#include "homes/materialise.h"

#include <doctest/doctest.h>

#include "tile_texts.h"

using namespace pallasgen;
using test::after_pass, test::has;

namespace {

constexpr const char* kElements =
    "dim N\n"
    "const bn = 8\n"
    "axis i parallel cdiv(N, bn)\n"
    "ref x: f32[N, 64] {in, block [bn, 64], at [i, 0]}\n"
    "ref o: f32[N, 64] {out, block [bn, 64], at [i, 0]}\n"
    "ref s: f32[bn, 64] {scratch, space smem}\n"
    "ref flag: i32[N] {in, space gmem}\n"
    "ref seen: i32[N] {workspace, init 0}\n";

// The program after `homes` of these statements of a tile.
std::string after_homes(const std::string& lines, const std::string& declarations = kElements) {
  std::string body = "role all {warps 4}:\n  for tile in work(i) {one_per_cta}:\n";
  for (size_t at = 0; at < lines.size();) {
    const size_t end = lines.find('\n', at);
    body += "    " + lines.substr(at, end - at + 1);
    at = end + 1;
  }
  return after_pass("homes", declarations, body);
}

const std::string kReadX = "x: f32[bn, 64] = read x[i * bn +: bn, 0 +: 64] {path direct, vector 1}\n";
const std::string kWriteY = "write o[i * bn +: bn, 0 +: 64] <- y {path direct, vector 1}\n";

}  // namespace

TEST_CASE("materialise: what several elements of a result need is a value before the statement") {
  // Only a gather makes these statements go by elements: registers have loops for the others.
  const std::string made = after_homes(
      kReadX + "y: f32[bn, 64] = x[7 - iota(i32, [8], 0), 0:64] - sum(x * x, axis=0)[None, 0:64]\n" + kWriteY);
  CAPTURE(made);
  CHECK(has(made, "y_sum: f32[64] in smem = sum(x"));
  CHECK(has(made, "y: f32[bn, 64] inlined = "));
  CHECK(has(made, " - y_sum[None, 0:64]\n"));
  CHECK(made.find("y_sum: ") < made.find("y: f32"));
}

TEST_CASE("materialise: scans and reductions by warps are all that a statement assigns") {
  const std::string made = after_homes(
      kReadX +
      "y: f32[bn, 64] = cumsum(x[7 - iota(i32, [8], 0), 0:64], axis=0) + max(x[7 - iota(i32, [8], 0), 0:64])\n" +
      kWriteY);
  CAPTURE(made);
  CHECK(has(made, "y_cumsum: f32[bn, 64] in smem = cumsum("));
  CHECK(has(made, "y_max: f32[] in scalar = max("));
  CHECK(has(made, "y: f32[bn, 64] inlined = y_cumsum + y_max\n"));
}

TEST_CASE("materialise: a value is inlined if it is not evaluated more often than it has elements") {
  const std::string gathered = "x[7 - iota(i32, [8], 0), 0:64]";
  const std::string once =
      after_homes(kReadX + "t: f32[bn, 64] = exp(" + gathered + ")\ny: f32[bn, 64] = t * 2.0\n" + kWriteY);
  CHECK(has(once, "t: f32[bn, 64] inlined = "));
  const std::string twice =
      after_homes(kReadX + "t: f32[bn, 64] = exp(" + gathered + ")\ny: f32[bn, 64] = t * t\n" + kWriteY);
  CHECK(has(twice, "t: f32[bn, 64] in smem = "));
  // Each element of a column would be evaluated for each of 64 elements of its row.
  const std::string column =
      after_homes(kReadX + "t: f32[bn] = exp(x[7 - iota(i32, [8], 0), 1])\ny: f32[bn, 64] = t[0:8, None] * " +
                  gathered + "\n" + kWriteY);
  CHECK(has(column, "t: f32[bn] in smem = "));
  // What costs no more than a read of its tile may be evaluated often.
  const std::string cast = after_homes(kReadX +
                                       "t: bf16[bn, 64] = concatenate([x[0:8, 32:64], x[0:8, 0:32]], 1).astype(bf16)\n"
                                       "y: f32[bn, 64] = t.astype(f32) * t.astype(f32)\n" +
                                       kWriteY);
  CAPTURE(cast);
  CHECK(has(cast, "t: bf16[bn, 64] inlined = "));
}

TEST_CASE("materialise: a value that is computed from its own elements elsewhere is computed beside itself first") {
  const std::string made = after_homes(kReadX +
                                       "y: f32[bn, 64] = x[7 - iota(i32, [8], 0), 0:64]\n"
                                       "for j in 0 .. 3 {carry y}:\n"
                                       "  y: f32[bn, 64] = y + y[7 - iota(i32, [8], 0), 0:64]\n" +
                                       kWriteY);
  CAPTURE(made);
  CHECK(has(made, "y_next: f32[bn, 64] in smem = y + y["));
  CHECK(has(made, "y: f32[bn, 64] in smem = y_next\n"));
}

TEST_CASE("materialise: a store reads the buffer that it writes before it writes, unless at the same elements") {
  const std::string made = after_homes(
      "s[0:8, 0:64] = s[7 - iota(i32, [8], 0), 0:64] * 2.0\n"
      "s[0:8, 0:64] = s[0:8, 0:64] + 1.0\n"
      "s[7 - iota(i32, [8], 0), 0:64] += 1.0\n");
  CAPTURE(made);
  CHECK(has(made, "s_part: f32[bn, 64] in smem = s[7 - iota(i32, [8], 0), 0:64] * 2.0\n"));
  CHECK(has(made, "s[...] = s_part\n"));
  CHECK(has(made, "s[...] = s + 1.0\n"));
  // Gathered elements may repeat: all are read before any is written.
  CHECK(has(made, "s_part_2: f32[bn, 64] in smem = s[7 - iota(i32, [8], 0), 0:64] + 1.0\n"));
  CHECK(has(made, "s[7 - iota(i32, [8], 0), 0:64] = s_part_2\n"));
}

TEST_CASE("materialise: what the condition of a loop needs is computed in each test") {
  const std::string made = after_homes(
      "while load(seen, [i], order=acquire) < max(flag[ds(0, 128)]):\n"
      "  store(seen, [i], 3, order=relaxed)\n");
  CAPTURE(made);
  CHECK(has(made, "while seen_loaded < condition_max:\n"));
  CHECK(has(made, "test:\n"));
  CHECK(has(made, "seen_loaded: i32[] in scalar = load(seen, [i], order=acquire)\n"));
  CHECK(has(made, "condition_max: i32[] in scalar = max(flag[0:128])\n"));
}
