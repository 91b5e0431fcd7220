#include "canonical.h"

using namespace pallasgen;
using namespace pallasgen::test;

namespace {

// K planes of N blocks; `inner` is added to the body.
std::string planes(const std::string& inner, const std::string& size = "N") {
  return "dims: {M: {}, K: {}, N: {}}\n"
         "grid: [{axis: m, size: M}, {axis: k, size: K, semantics: sequential}, {axis: n, size: \"" +
         size +
         "\", semantics: sequential}]\n"
         "inputs:\n"
         "  a: {type: \"f32[K, N, 8]\", block: [squeezed, squeezed, 8], index_map: [k, n, 0]}\n"
         "  b: {type: \"f32[K, 8]\", block: [squeezed, 8], index_map: [k, 0]}\n"
         "outputs: {o: {type: \"f32[M, 8]\", block: [squeezed, 8], index_map: [m, 0]}}\n"
         "scratch: {t: {type: \"f32[8]\"}, acc: {type: \"f32[8]\"}}\n"
         "body:\n  - when: k == 0 and n == 0\n    do: [\"acc[...] = 0\"]\n" +
         inner + "  - when: k == num_programs(k) - 1 and n == num_programs(n) - 1\n    do: [\"o[...] = acc\"]\n";
}

const std::string kRows =
    "  - when: n == 0\n    do: [\"t[...] = b * (n + 1)\"]\n  - t[...] += a\n"
    "  - when: n == num_programs(n) - 1\n    do: [\"acc[...] = acc * 2 + t * n\"]\n";

}  // namespace

TEST_CASE("guards of the innermost loop's first and last step stand before and behind it, where it has a step") {
  CHECK(canonical(planes(kRows)) ==
        "t: f32[8] = undef\n"
        "acc: f32[8] = 0.0\n"
        "for k in 0 .. num_programs(k) {carry t acc}:\n"
        "  if num_programs(n) > 0 {carry t}:\n"
        "    b: f32[8] = read b[k, 0 +: 8]\n"
        "    t: f32[8] = b * 1.0\n"
        "  for n in 0 .. num_programs(n) {carry t}:\n"
        "    a: f32[8] = read a[k, n, 0 +: 8]\n"
        "    t: f32[8] = t + a\n"
        "  if num_programs(n) > 0 {carry acc}:\n"
        "    acc: f32[8] = acc * 2.0 + t * (num_programs(n) - 1)\n"
        "o: f32[8] = acc\n"
        "write o[m, 0 +: 8] <- o\n");
  // A loop that always has a step needs no test.
  CHECK(canonical(planes(kRows, "N + 1")).find("if ") == std::string::npos);
}

TEST_CASE("a guard of the innermost loop stays a branch where what it reads moves, is computed or is passed") {
  for (const char* inner :
       {"  - when: n == 0\n    do: [\"t[...] = a\"]\n  - t[...] += a\n  - acc[...] += t\n",
        "  - s = a * 2\n  - when: n == num_programs(n) - 1\n    do: [\"acc[...] += s\"]\n  - acc[...] += a\n",
        "  - acc[...] += a\n  - when: n == 0\n    do: [\"acc[...] = acc * 2\"]\n",
        "  - when: n == 0\n    do: [\"acc[...] += b\"]\n    else: [\"acc[...] -= b\"]\n"}) {
    const std::string text = canonical(planes(inner));
    CAPTURE(text);
    CHECK(text.find("    if n == ") != std::string::npos);
    CHECK(text.find("if num_programs(n) > 0") == std::string::npos);
  }
}

TEST_CASE("programs whose guards left the innermost loop compute what their kernels do, with and without its steps") {
  const std::string both_ways =
      "  - when: n == num_programs(n) - 1\n    do: [\"acc[...] += t * 3\"]\n"
      "  - when: n == 0\n    do: [\"t[...] = b + 1\"]\n  - acc[...] += t + a\n";
  for (const std::string& yaml : {planes(kRows), planes(both_ways)}) {
    const Checked checked(short_spec(yaml));
    for (int64_t K : {0, 1, 3}) {
      for (int64_t N : {0, 1, 2, 5}) {
        CAPTURE(K);
        CAPTURE(N);
        check_computes(checked, {{"M", 2}, {"K", K}, {"N", N}}, 5);
      }
    }
  }
}

TEST_CASE("a read stands in the branch that alone uses it, and nowhere else") {
  const auto text = [](const std::string& body) { return canonical(planes(body)); };
  CHECK(text("  - when: n % 2 == k\n    do: [\"acc[...] += a\"]\n")
            .find("    if n % 2 == k {carry acc}:\n      a: f32[8] = read a[k, n, 0 +: 8]\n      acc: f32[8] = acc + "
                  "a\n") != std::string::npos);
  // Both sides use it, or a later statement does.
  CHECK(text("  - when: n % 2 == k\n    do: [\"acc[...] += a\"]\n    else: [\"acc[...] -= a\"]\n")
            .find("    a: f32[8] = read a[k, n, 0 +: 8]\n    if n % 2 == k {carry acc}:\n") != std::string::npos);
  CHECK(text("  - when: n % 2 == k\n    do: [\"acc[...] += a\"]\n  - acc[...] += a\n")
            .find("    a: f32[8] = read a[k, n, 0 +: 8]\n    if n % 2 == k {carry acc}:\n") != std::string::npos);
}

TEST_CASE("a block that only the steps behind a cut use is read in those alone") {
  const std::string text = canonical(planes("  - when: n > 1\n    do: [\"acc[...] += a\"]\n  - acc[...] += b\n"));
  CAPTURE(text);
  CHECK(text.find("  for n in 0 .. clean {carry acc}:\n    acc: f32[8] = acc + b\n"
                  "  for n in clean .. num_programs(n) {carry acc}:\n    a: f32[8] = read a[k, n, 0 +: 8]\n") !=
        std::string::npos);
}
