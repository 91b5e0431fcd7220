#include <fstream>
#include <random>
#include <sstream>

#include "canonical.h"

using namespace pallasgen;
using namespace pallasgen::test;

namespace {

// Blocks of eight of T elements and sixteen more, with the guards of `body` between the block and its sum.
std::string sums(const std::string& body, const std::string& size = "cdiv(T + 16, 8)") {
  return "dims: {M: {}, T: {}, L: {}}\n"
         "grid: [{axis: m, size: M}, {axis: j, size: \"" +
         size +
         "\", semantics: sequential}]\n"
         "inputs: {a: {type: \"f32[M, T + 16]\", block: [squeezed, 8], index_map: [m, j], fill: 0}}\n"
         "outputs: {o: {type: \"f32[M, 8]\", block: [squeezed, 8], index_map: [m, 0]}}\n"
         "scratch: {acc: {type: \"f32[8]\"}}\n"
         "body:\n  - when: j == 0\n    do: [\"acc[...] = 0\"]\n  - s = a * 2\n" +
         body + "  - acc[...] += s\n  - when: j == num_programs(j) - 1\n    do: [\"o[...] = acc\"]\n";
}

std::string when(const std::string& condition, const std::string& then, const std::string& otherwise = "") {
  return "  - when: " + condition + "\n    do: [\"" + then + "\"]\n" +
         (otherwise.empty() ? "" : "    else: [\"" + otherwise + "\"]\n");
}

// Returns the lines from the first cut or loop on, up to those after the last.
std::string cut(const std::string& body) {
  const std::string text = canonical(sums(body));
  const size_t begin = std::min(text.find(": index"), text.find("for j"));
  const size_t line = text.rfind('\n', begin) + 1;
  return text.substr(line, text.find("o: f32") - line);
}

// The statements of one iteration before and after the guard.
const std::string kHead = "  a: f32[8] = read a[m, j * 8 +: 8?]\n  s: f32[8] = a * 2.0\n";
const std::string kSum = "  acc: f32[8] = acc + s\n";

std::string loop(const std::string& first, const std::string& last, const std::string& guarded) {
  return "for j in " + first + " .. " + last + " {carry acc}:\n" + kHead + guarded + kSum;
}

void check_all_sizes(const std::string& yaml) {
  CAPTURE(yaml);
  const Checked checked(short_spec(yaml));
  std::mt19937_64 random(7);
  for (int64_t T = 0; T < 34; T += 1 + static_cast<int64_t>(random() % 3)) {
    const int64_t L = static_cast<int64_t>(random() % 50);
    CAPTURE(T);
    CAPTURE(L);
    check_computes(checked, {{"M", 2}, {"T", T}, {"L", L}}, random());
  }
}

}  // namespace

TEST_CASE("a guard that holds from a step on, or until one, cuts the loop there") {
  CHECK(cut(when("(j + 1) * 8 > T", "s = s + 1")) == "clean: index = minimum(maximum(T // 8, 0), num_programs(j))\n" +
                                                         loop("0", "clean", "") +
                                                         loop("clean", "num_programs(j)", "  s: f32[8] = s + 1.0\n"));
  CHECK(cut(when("j * 8 < T", "s = s + 1", "s = s - 1")) ==
        "masked: index = minimum(maximum(cdiv(T, 8), 0), num_programs(j))\n" +
            loop("0", "masked", "  s: f32[8] = s + 1.0\n") +
            loop("masked", "num_programs(j)", "  s: f32[8] = s - 1.0\n"));
  CHECK(cut(when("j * 8 + 8 > T or j * 4 >= L", "s = s + 1"))
            .find("minimum(maximum(minimum(T // 8, cdiv(L, 4)), 0), num_programs(j))") != std::string::npos);
}

TEST_CASE("what a guard asks for beside its cut is tested in the steps where the cut lets it hold") {
  CHECK(cut(when("j >= 2 and m * j != 6", "s = s + 1")) ==
        "clean: index = minimum(2, num_programs(j))\n" + loop("0", "clean", "") +
            loop("clean", "num_programs(j)", "  if m * j != 6 {carry s}:\n    s: f32[8] = s + 1.0\n"));
}

TEST_CASE("a guard that holds between two steps cuts the loop twice") {
  CHECK(cut(when("j * 8 >= L and j * 8 < T", "s = s + 1")) ==
        "clean: index = minimum(maximum(cdiv(L, 8), 0), num_programs(j))\n"
        "masked: index = maximum(clean, minimum(maximum(cdiv(T, 8), 0), num_programs(j)))\n" +
            loop("0", "clean", "") + loop("clean", "masked", "  s: f32[8] = s + 1.0\n") +
            loop("masked", "num_programs(j)", ""));
}

TEST_CASE("two guards share a cut, or have one each, with tests between cuts of unknown order") {
  const std::string add = "  s: f32[8] = s + 1.0\n", scale = "  s: f32[8] = s * 3.0\n";
  CHECK(cut(when("j * 8 > T", "s = s + 1") + when("T < 8 * j", "s = s * 3")) ==
        "clean: index = minimum(maximum(T // 8 + 1, 0), num_programs(j))\n" + loop("0", "clean", "") +
            loop("clean", "num_programs(j)", add + scale));
  CHECK(cut(when("j * 8 >= T", "s = s + 1") + when("j * 8 >= L", "s = s * 3")) ==
        "clean: index = minimum(maximum(cdiv(T, 8), 0), num_programs(j))\n"
        "clean_: index = minimum(maximum(cdiv(L, 8), 0), num_programs(j))\n" +
            loop("0", "minimum(clean, clean_)", "") +
            loop("minimum(clean, clean_)", "maximum(clean, clean_)",
                 "  if j * 8 >= T {carry s}:\n    s: f32[8] = s + 1.0\n"
                 "  if j * 8 >= L {carry s}:\n    s: f32[8] = s * 3.0\n") +
            loop("maximum(clean, clean_)", "num_programs(j)", add + scale));
}

TEST_CASE("a third cut stays a branch, and so does a guard that no cut solves") {
  const std::string third = cut(when("j > 1", "s = s + 1") + when("j > 2", "s = s * 3") + when("j < L", "s = s - 1"));
  size_t branches = 0;
  for (size_t at = third.find("  if j < L"); at != std::string::npos; at = third.find("  if j < L", at + 1)) ++branches;
  CHECK(branches == 3);
  for (const char* condition :
       {"j % 2 == 0", "j * T > L", "j == 3", "j > 1 and j % 2 == 1 or j * 8 < T", "j // L > 1"}) {
    CAPTURE(condition);
    const std::string text = cut(when(condition, "s = s + 1"));
    CHECK(text.find("index") == std::string::npos);
    CHECK(text.find("  if ") != std::string::npos);
  }
  // The divisor may be 0 if the loop has no step.
  CHECK(cut(when("j >= T // L", "s = s + 1")).find("  if ") != std::string::npos);
}

TEST_CASE("loops that guards cut compute what their kernels do, bit for bit, at many sizes") {
  for (const char* condition :
       {"(j + 1) * 8 > T", "j * 8 < T", "j * 8 >= L and j * 8 < T", "not (j * 8 >= L and T > 4)", "j > 0",
        "j * 8 < T or j * 4 <= L - 3", "j < num_programs(j) - 1", "3 * L - 5 * j > 2 and T >= 9 and m == 1"}) {
    check_all_sizes(sums(when(condition, "s = s + 1")));
    check_all_sizes(sums(when(condition, "s = s + 1", "s = s * 3"), "cdiv(max(T - 9, 0), 8)"));
  }
  check_all_sizes(sums(when("j * 8 >= T", "s = s + 1") + when("j * 8 >= L", "s = s * 3", "s = s - 2")));
  check_all_sizes(sums(when("j * 8 < T", "s = s + 1") + when("j * 8 > L", "s = s * 3") + when("j > 2", "s = s - 2")));
}

TEST_CASE("the cut of an inner loop moves with the outer steps, and so may the loop's size") {
  const std::string yaml =
      "dims: {M: {}, T: {}, L: {}}\n"
      "grid: [{axis: m, size: M}, {axis: k, size: 3, semantics: sequential}, "
      "{axis: n, size: \"max(T - 2 * k, 0)\", semantics: sequential}]\n"
      "inputs: {a: {type: \"f32[3, T, 8]\", block: [squeezed, squeezed, 8], index_map: [k, n, 0]}}\n"
      "outputs: {o: {type: \"f32[M, 8]\", block: [squeezed, 8], index_map: [m, 0]}}\n"
      "scratch: {acc: {type: \"f32[8]\"}}\n"
      "body:\n  - when: k == 0 and n == 0\n    do: [\"acc[...] = 0\"]\n  - s = a * 2\n"
      "  - when: n + k > L\n    do: [\"s = s + 1\"]\n  - acc[...] += s\n  - o[...] = acc\n";
  const std::string text = canonical(yaml);
  CAPTURE(text);
  CHECK(text.find("  clean: index = minimum(maximum(L - k + 1, 0), num_programs(n))\n  for n in 0 .. clean ") !=
        std::string::npos);
  const Checked checked(short_spec(yaml));
  for (int64_t T = 5; T < 9; ++T) {
    for (int64_t L = 0; L < 10; L += 3) check_computes(checked, {{"M", 2}, {"T", T}, {"L", L}}, 3);
  }
}

TEST_CASE("attention's mask is tested in no step: at both ends of the cut its guard is as the loops say") {
  std::ifstream in(PALLASGEN_SOURCE_DIR "/tests/schedule/attention_fwd.yaml");
  std::stringstream yaml;
  yaml << in.rdbuf();
  const Checked checked(yaml.str());
  const tile::Program program = checked.canonical();
  TypedPtr cut, guard;
  tile::for_each_statement(program.roles.front().body, [&](const tile::Statement& statement) {
    const auto* define = statement.as<tile::Assign>();
    if (define && program.value(define->value).name == "clean") cut = define->expr;
    CHECK_FALSE(statement.as<tile::If>());
  });
  int guards = 0;
  for (const KernelStmt& statement : checked.kernel->body) {
    const auto* when = std::get_if<WhenStmt>(&statement.node);
    if (!when || guard_kind(*checked.kernel, when->condition) != GuardKind::none) continue;
    guard = when->condition;
    ++guards;
  }
  REQUIRE(guards == 1);
  REQUIRE(cut);
  CHECK(to_string(cut) == "minimum(maximum(minimum(T // bkv, (i * bq + T - S + 1) // bkv), 0), num_programs(j))");
  std::mt19937_64 random(11);
  const auto number = [&](int64_t low, int64_t high) { return std::uniform_int_distribution(low, high)(random); };
  int inside = 0;
  for (int round = 0; round < 3000; ++round) {
    const int64_t S = number(1, 700), T = number(0, 900), i = number(0, (S - 1) / 128);
    int64_t j = 0, size = 0;
    const auto value_of = [&](const Symbol& symbol) -> std::optional<int64_t> {
      if (symbol.kind == SymbolKind::axis_size) return size;
      if (symbol.kind == SymbolKind::axis) return symbol.name == "j" ? j : i;
      return symbol.name == "S" ? S : T;
    };
    size = *evaluate_index(checked.kernel->axes.back().size, value_of);
    const int64_t at = *evaluate_index(cut, value_of);
    CHECK(0 <= at);
    CHECK(at <= size);
    j = at - 1;
    if (at > 0) CHECK(evaluate_index(guard, value_of) == 0);
    j = at;
    if (at < size) CHECK(evaluate_index(guard, value_of) == 1);
    inside += 0 < at && at < size;
  }
  CHECK(inside > 500);
}
