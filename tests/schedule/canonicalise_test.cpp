#include "schedule/canonicalise.h"

#include "canonical.h"

using namespace pallasgen;
using pallasgen::test::canonical;

namespace {

constexpr const char* kSums =
    "dims: {M: {}, K: {}}\n"
    "grid: [{axis: m, size: M}, {axis: k, size: K, semantics: sequential}]\n"
    "inputs: {a: {type: \"f32[M, K, 8]\", block: [squeezed, squeezed, 8], index_map: [m, k, 0]}}\n"
    "outputs: {o: {type: \"f32[M, 8]\", block: [squeezed, 8], index_map: [m, 0]}}\n"
    "scratch: {acc: {type: \"f32[8]\"}}\n";

}  // namespace

TEST_CASE("guards of the first and last step stand before and behind the loop, without a test") {
  CHECK(canonical(std::string(kSums) +
                  "body:\n  - when: k == 0\n    do: [\"acc[...] = 0\"]\n  - acc[...] += a\n"
                  "  - when: k == num_programs(k) - 1\n    do: [\"o[...] = acc * num_programs(k)\"]\n") ==
        "acc: f32[8] = 0.0\n"
        "for k in 0 .. num_programs(k) {carry acc}:\n"
        "  a: f32[8] = read a[m, k, 0 +: 8]\n"
        "  acc: f32[8] = acc + a\n"
        "o: f32[8] = acc * num_programs(k)\n"
        "write o[m, 0 +: 8] <- o\n");
}

TEST_CASE("a guard that reads what its step computes stays a branch") {
  CHECK(canonical(std::string(kSums) +
                  "body:\n  - top = max(a)\n  - when: k == 0\n    do: [\"acc[...] = 0\"]\n  - acc[...] += top\n"
                  "  - when: k == num_programs(k) - 1\n    do: [\"o[...] = acc\", \"acc[...] = top\"]\n") ==
        "o: f32[8] = undef\n"
        "top: f32[] = undef\n"
        "acc: f32[8] = 0.0\n"
        "for k in 0 .. num_programs(k) {carry o acc top}:\n"
        "  a: f32[8] = read a[m, k, 0 +: 8]\n"
        "  top: f32[] = max(a)\n"
        "  acc: f32[8] = acc + top\n"
        "  if k == num_programs(k) - 1 {carry o acc}:\n"
        "    o: f32[8] = acc\n"
        "    acc: f32[8] = top\n"
        "if num_programs(k) == 0 {carry o}:\n"
        "  o: f32[8] = acc\n"
        "  acc: f32[8] = top\n"
        "write o[m, 0 +: 8] <- o\n");
}
