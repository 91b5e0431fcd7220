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

namespace {

std::string slices(const std::string& value, const std::string& more = "") {
  return "dims: {M: {}, N: {}}\n"
         "scalars: {beta: i32}\n"
         "grid: [{axis: m, size: M}]\n"
         "inputs: {x: {type: \"f32[M, N]\", space: gmem, fill: 2}, at: {type: \"i32[M]\", space: gmem}}\n"
         "outputs: {o: {type: \"f32[M, 8]\", block: [squeezed, 8], index_map: [m, 0]}}\n" +
         more + "body: [\"o[...] = " + value + "\"]\n";
}

}  // namespace

TEST_CASE("slices of an input in global memory are read as boxes before the statement that takes them") {
  CHECK(canonical(slices("x[m, ds(m * 8, 8)] * x[m, 0:8]")) ==
        "x_block: f32[8] = read x[m, m * 8 +: 8?]\n"
        "x_block_: f32[8] = read x[m, 0 +: 8?]\n"
        "o: f32[8] = x_block * x_block_\n"
        "write o[m, 0 +: 8] <- o\n");
  // At any place: elements past the end are filled.
  for (const std::string value : {"x[m, ds(m * 8, 8)] * 2", "x[m, ds(m + 3, 8)]", "sum(x[0:4, ds(4 * m, 8)], axis=0)"})
    test::check_computes(test::Checked(test::short_spec(slices(value))), {{"M", 5}, {"N", 12}}, 3);
}

TEST_CASE("a read that may not be evaluated, is no box, or sees what the kernel writes stays in its statement") {
  for (const std::string& yaml :
       {slices("x[m, 0:8] if beta > 0 else broadcast_to(f32(1), [8])"), slices("x[m, at[m] + iota(i32, [8], 0)]"),
        slices("load(x, [m, ds(0, 8)], mask=iota(i32, [8], 0) < beta)"), slices("x[m, 0:16:2]"),
        slices("x[at[m], 0:8]"), slices("broadcast_to(x[m, 0], [8])"), slices("x[m, 0:8]", "checks: [oob]\n")}) {
    const std::string text = canonical(yaml);
    CAPTURE(text);
    CHECK(text.find("read x[") == std::string::npos);
  }
}

TEST_CASE("an output in an array of an input is read before the first statement that does not write all of it") {
  const auto text = [](const std::string& body) {
    return canonical(
        "dims: {N: {}}\ngrid: [{axis: i, size: \"cdiv(N, 8)\"}]\n"
        "inputs: {a: {type: \"f32[N]\", block: [8], index_map: [i], fill: 0}}\n"
        "outputs: {b: {type: \"f32[N]\", block: [8], index_map: [i]}}\naliases: {b: a}\nbody: [" +
        body + "]\n");
  };
  CHECK(text("\"b[...] = a + 1\"").find("  b: f32[8] = read") == std::string::npos);
  CHECK(text("\"b[...] = where(a > 0, a, b)\"").find("b: f32[8] = read") != std::string::npos);
}

TEST_CASE("atomics give no old value where nothing reads it") {
  const std::string head =
      "inputs: {x: {type: \"i32[8]\"}}\noutputs: {h: {type: \"i32[8]\", space: gmem, init: 0}, o: {type: "
      "\"i32[8]\"}}\n";
  CHECK(canonical(head + "body:\n  - before = atomic_add(h, [...], x)\n  - o[...] = x\n").find("before") ==
        std::string::npos);
  CHECK(canonical(head + "body:\n  - before = atomic_add(h, [...], x)\n  - o[...] = before\n").find("before") !=
        std::string::npos);
}
