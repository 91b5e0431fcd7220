#include "canonical.h"

using pallasgen::test::canonical;

namespace {

// Rows of groups: rows of a tile after a group's rows belong to another group.
std::string groups(const std::string& inputs, const std::string& value, const std::string& more = "") {
  return "dims: {G: {}, M: {}}\n"
         "scalars: {starts: \"i32[G + 1]\"}\n"
         "grid: [{axis: g, size: G}]\n"
         "let: {rows: \"clamp(starts[g + 1] - starts[g], 0, 16)\"}\n"
         "inputs:\n"
         "  a: {type: \"bf16[M, 8]\", block: \"bounded_slice(16), 8\", index_map: \"ds(starts[g], rows), 0\", fill: "
         "0}\n" +
         inputs +
         "outputs:\n"
         "  o: {type: \"f32[M, 8]\", block: \"bounded_slice(16), 8\", index_map: \"ds(starts[g], rows), 0\", init: "
         "0}\n" +
         more + "body: [\"o[...] = " + value + "\"]\n";
}
constexpr const char* kMatrix = "  b: {type: \"bf16[8, 8]\"}\n";
constexpr const char* kReadWhole = "read a[starts[g] +: 16?, 0 +: 8]";
constexpr const char* kReadBelow = "read a[starts[g] +: 16? :< rows, 0 +: 8]";

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a bounded slice is read whole where its rest reaches nothing but elements that are dropped") {
  for (const char* value :
       {"a.astype(f32)", "dot(a, b)", "relu(dot(a, b)) * 2", "max(a.astype(f32), axis=1)[:, None] + dot(a, b)",
        "where(iota(i32, [16, 8], 0) < 3, dot(a, b), 1)"}) {
    CAPTURE(value);
    const std::string text = canonical(groups(kMatrix, value));
    CHECK(holds(text, kReadWhole));
    CHECK(holds(text, "write o[starts[g] +: 16? :< rows, 0 +: 8]"));
  }
}

TEST_CASE("a bounded slice keeps its limit where its rest would be seen") {
  for (const char* value : {"max(a.astype(f32), axis=0)[None, :] + zeros(f32, [16, 8])",
                            "dot(a, a, trans_a=true)[0:8, 0:8].T.T[0:1, :] + zeros(f32, [16, 8])",
                            "a.astype(f32) + a[15:16, :].astype(f32)", "cumsum(a.astype(f32), axis=0)"}) {
    CAPTURE(value);
    CHECK(holds(canonical(groups(kMatrix, value)), kReadBelow));
  }
  CHECK(holds(canonical(groups(kMatrix, "a.astype(f32)", "checks: [nan]\n")), kReadBelow));
}

TEST_CASE("a block that no step moves is read before the steps where they and what stands behind them need it") {
  CHECK(canonical("dims: {M: {}}\n"
                  "grid: [{axis: m, size: M}, {axis: k, size: 3, semantics: sequential}]\n"
                  "inputs:\n"
                  "  x: {type: \"f32[M, 3]\", block: [squeezed, squeezed], index_map: [m, k]}\n"
                  "  s: {type: \"f32[M]\", block: [squeezed], index_map: [m]}\n"
                  "outputs: {o: {type: \"f32[M]\", block: [squeezed], index_map: [m]}}\n"
                  "scratch: {r: {type: \"f32[]\", space: reg}}\n"
                  "body:\n  - when: k == 0\n    do: [\"r[...] = 0\"]\n  - r[...] += x * s\n"
                  "  - when: k == num_programs(k) - 1\n    do: [\"o[...] = r * s\"]\n") ==
        "r: f32[] = 0.0\n"
        "s: f32[] = read s[m]\n"
        "for k in 0 .. num_programs(k) {carry r}:\n"
        "  x: f32[] = read x[m, k]\n"
        "  r: f32[] = r + x * s\n"
        "o: f32[] = r * s\n"
        "write o[m] <- o\n");
}

TEST_CASE("limits are followed past windows of arrays in memory") {
  const std::string text =
      canonical(groups("  t: {type: \"f32[M, 8]\", space: gmem}\n",
                       "a.astype(f32) + t[ds(starts[g], 1), :] + sum(t[0:2, :], axis=0)[None, :]"));
  CHECK(holds(text, kReadWhole));
}
