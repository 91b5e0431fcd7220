// Diagnostics are complete, not repeated, and absent for correct specs.
#include "checked.h"

namespace {

// A program of a 4 x 4 grid that stores a row of a view at the columns `columns`.
std::string store_of(const std::string& columns) {
  return "pallasgen: 1\nkernel: k\nconsts: {bs: 16}\ngrid: [{axis: i, size: 4}, {axis: j, size: 4}]\n"
         "inputs: {k: {type: \"i32[64]\"}}\noutputs:\n  o: {type: \"f32[4, 64]\", space: gmem, init: 0}\nbody:\n" +
         columns + "  - store(o, [i, col], full(f32, [bs], 1))\n";
}

}  // namespace

TEST_CASE("data decide where a store goes only where its index reads data, through whatever names") {
  CHECK(Checked(store_of("  - col = j * bs + iota(i32, [bs], 0)\n")).rules() == "");
  CHECK(Checked(store_of("  - first = j * bs\n  - col = first + iota(i32, [bs], 0)\n")).rules() == "");
  CHECK(Checked(store_of("  - col = j * bs + iota(i32, [bs], 0)\n"
                         "  - when: j == 0\n    do:\n      - col = iota(i32, [bs], 0)\n"))
            .rules() == "");
  CHECK(Checked(store_of("  - col = k[ds(j * bs, bs)]\n")).rules() == "race-doubt");
  CHECK(Checked(store_of("  - first = k[j]\n  - col = first + iota(i32, [bs], 0)\n")).rules() == "race-doubt");
  // Data decide whether the name is bound again.
  CHECK(Checked(store_of("  - col = j * bs + iota(i32, [bs], 0)\n"
                         "  - when: k[j] > 0\n    do:\n      - col = iota(i32, [bs], 0)\n"))
            .rules() == "race-doubt");
  // A value that a loop passes from one iteration to the next.
  CHECK(Checked(store_of("  - col = j * bs + iota(i32, [bs], 0)\n  - next = col\n"
                         "  - for: t\n    range: 2\n    do:\n      - col = next\n      - next = k[ds(j * bs, bs)]\n"))
            .rules() == "race-doubt");
}

TEST_CASE("races of blocks are told beside errors of types") {
  const Checked spec(
      "pallasgen: 1\nkernel: k\ngrid: [{axis: i, size: 4}, {axis: j, size: 4}]\n"
      "outputs: {o: {type: \"f32[64]\", block: [16], index_map: [i]}}\nbody:\n  - o[...] = 1\n  - o[...] = i32(1)\n");
  CHECK(spec.rules() == "dtype-mismatch write-race");
}

TEST_CASE("the divisor of a float is no matter, nor the extent of a dim that a test makes 0") {
  const std::string head =
      "pallasgen: 1\nkernel: k\ndims: {N: {}}\ninputs: {x: {type: \"f32[8]\"}}\noutputs: {o: {type: \"f32[8]\"}}\n";
  CHECK(Checked(head + "body:\n  - o[...] = x / 0\n").rules() == "");
  CHECK(Checked(head + "body:\n  - o[...] = x\nreference: {o: x + f32(4 // N)}\ntests: [{dims: {N: 0}}]\n").rules() ==
        "");
}
