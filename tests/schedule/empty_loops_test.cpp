#include "canonical.h"

using namespace pallasgen;
using namespace pallasgen::test;

namespace {

// Checks that the programs of the spec compute its kernel's result, for K up to 5 and each N and L of the lists.
void check_sizes(const std::string& yaml, std::initializer_list<int64_t> inner, std::initializer_list<int64_t> limits) {
  const Checked checked(short_spec(yaml));
  for (int64_t K = 0; K < 6; ++K) {
    for (int64_t N : inner) {
      for (int64_t L : limits) {
        CAPTURE(K);
        CAPTURE(N);
        CAPTURE(L);
        check_computes(checked, {{"K", K}, {"N", N}, {"L", L}}, 3);
      }
    }
  }
}

// Outputs of 9 planes, one of which `index` selects in each step; the inner axis has `size` steps.
std::string planes_at(const std::string& index, const std::string& size) {
  return "dims: {K: {}, N: {}, L: {}}\n"
         "grid: [{axis: i, size: 2}, {axis: k, size: K, semantics: sequential}, {axis: n, size: \"" +
         size +
         "\", semantics: sequential}]\n"
         "inputs: {x: {type: \"f32[8, 8]\"}}\n"
         "outputs: {o: {type: \"f32[9, 16]\", block: [squeezed, 8], index_map: \"" +
         index +
         ", i\", init: 2}}\n"
         "body:\n  - o[...] = x[n] + k\n";
}

// A body over K steps, where a program may have none.
std::string guarded(const std::string& output, const std::string& guard, const std::string& step) {
  return "dims: {K: {}, N: {}, L: {}}\n"
         "grid: [{axis: i, size: 2}, {axis: k, size: K, semantics: sequential}, {axis: n, size: N, semantics: "
         "sequential}]\n"
         "outputs: {o: {type: " +
         output +
         "}}\n"
         "body:\n  - when: k == 0 and n == 0\n    do:\n      - when: L > 2\n        do: [\"" +
         guard + "\"]\n  - " + step + "\n";
}

}  // namespace

TEST_CASE("a block that moves with an outer step is written back where the inner loop has turned") {
  CHECK(canonical(planes_at("k", "N")).find("  if num_programs(n) > 0:\n    write o[k?, i * 8 +: 8] <- o\n") !=
        std::string::npos);
  CHECK(canonical(planes_at("k", "N + 1")).find("if ") == std::string::npos);
  for (const char* index : {"k", "k // 2"}) {
    for (const char* size : {"N", "max(k - N, 0)", "(k + N) % 2"}) {
      CAPTURE(index);
      CAPTURE(size);
      check_sizes(planes_at(index, size), {0, 1, 2}, {0});
    }
  }
}

TEST_CASE("a block that stays in place over steps with and without inner ones is written back if there was one") {
  const std::string text = canonical(planes_at("k // 2", "k % 2"));
  CAPTURE(text);
  CHECK(text.find("  if k == 0 or (k - 1) // 2 != k // 2 {carry stepped}:\n    stepped: bool[] = false\n") !=
        std::string::npos);
  CHECK(text.find("(k + 1) // 2 != k // 2) and stepped:\n") != std::string::npos);
}

TEST_CASE("what the guards of a program without a step leave alone stays as the launcher filled it") {
  for (const char* output : {"\"f32[16]\", block: [8], index_map: [i], init: 3",
                             "\"f32[16]\", block: [8], index_map: [i], init: 3, reduce: add",
                             "\"i32[16]\", block: [8], index_map: [i], init: 3, reduce: max",
                             "\"u8[16]\", block: [8], index_map: [i], init: 3, reduce: min"}) {
    for (const char* guard : {"o[...] = 4", "o[0:8] = 4", "store(o, [ds(0, 8)], 4)"}) {
      CAPTURE(output);
      CAPTURE(guard);
      check_sizes(guarded(output, guard, "o[...] = 5"), {0, 1}, {1, 4});
    }
  }
}

TEST_CASE("what may fail stands before a loop under the test that the loop turns") {
  const auto sums = [](const std::string& bind, const std::string& size) {
    return "dims: {K: {}, N: {}, L: {}}\n"
           "scalars: {offsets: \"i32[L]\"}\n"
           "grid: [{axis: i, size: 2}, {axis: k, size: K, semantics: sequential}, {axis: n, size: \"" +
           size +
           "\", semantics: sequential}]\n"
           "inputs: {x: {type: \"f32[8]\"}, y: {type: \"f32[4]\", block: [squeezed], index_map: [k]}}\n"
           "outputs: {o: {type: \"f32[2]\", block: [1], index_map: [i], init: 1}}\n"
           "body:\n  - t = " +
           bind + "\n  - o[...] = t + n\n";
  };
  const std::string at = canonical(sums("x[L]", "N"));
  CAPTURE(at);
  CHECK(at.find("if num_programs(k) > 0 and num_programs(n) > 0 {carry t}:\n  x: f32[8] = read x[0 +: 8]\n"
                "  t: f32[] = x[L]\n") != std::string::npos);
  CHECK(canonical(sums("x[i]", "N")).find("{carry t}") == std::string::npos);
  // Only the steps determine whether these run.
  CHECK(canonical(sums("x[L]", "k")).find("    stepped: bool[] = true\n    t: f32[] = x[L]\n") != std::string::npos);
  // Elements, divisions and blocks that do not exist.
  for (const char* bind : {"x[L]", "f32(offsets[L])", "f32(7 // (L - 8))", "y * 2.0"}) {
    for (const char* size : {"N", "max(k - 7, 0)", "max(3 - k, 0) * N"}) {
      CAPTURE(bind);
      CAPTURE(size);
      check_sizes(sums(bind, size), {0}, {8});
    }
  }
}

TEST_CASE("a value stays in the loop whose steps move the block that it reads") {
  for (const char* kind : {"{type: \"f32[6, 8]\", block: [squeezed, 8], index_map: [k, 0]}",
                           "{type: \"f32[6, 8]\", block: [squeezed, 8], index_map: [k, 0], space: gmem}"}) {
    for (const char* value : {"load(x, mask=iota(i32, [8]) > 2, other=0)", "x[0:8]"}) {
      CAPTURE(kind);
      CAPTURE(value);
      check_sizes("dims: {K: {}, N: {}, L: {}}\ngrid: [{axis: k, size: K, semantics: sequential}]\ninputs: {x: " +
                      std::string(kind) + "}\noutputs: {o: {type: \"f32[8]\", init: 0}}\nbody:\n  - t = " + value +
                      "\n  - o[...] = t\n",
                  {0}, {0});
    }
  }
}
