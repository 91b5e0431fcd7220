#include "planned.h"

using namespace pallasgen;

namespace {

// A kernel of rows of `columns` elements, `bm` of them per program, with the body `statements`.
Planned rows(const std::string& statements, int64_t columns, int64_t bm = 1, const std::string& more = "",
             const std::string& type = "f32") {
  return Planned("pallasgen: 1\nkernel: rows\ndims: {M: {}}\nconsts: {bm: " + std::to_string(bm) +
                 ", bn: " + std::to_string(columns) + "}\ngrid:\n  - {axis: m, size: \"cdiv(M, bm)\"}\n" + more +
                 "inputs:\n  x: {type: \"" + type +
                 "[M, bn]\", block: [bm, bn], index_map: [m, 0]}\n"
                 "  gamma: {type: \"f32[bn]\"}\noutputs:\n"
                 "  y: {type: \"f32[M, bn]\", block: [bm, bn], index_map: [m, 0]}\nbody:\n" +
                 statements);
}
const std::string kNorm = "  - y[...] = x * rsqrt(mean(x * x, axis=1))[:, None] * gamma\n";

int64_t least_ctas(const Planned& planned) {
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  return planned.plan->launch.least_ctas.value_or(1);
}

// Places in the program of the only role: the reads of x and gamma, and the first reduction.
struct Places {
  ptrdiff_t x = -1, gamma = -1, reduced = -1;
};
Places places(const Planned& planned) {
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  Places found;
  ptrdiff_t at = 0;
  for_each_statement(planned.plan->roles.front().program, [&](const program::Statement& statement) {
    if (const auto* load = std::get_if<program::Load>(&statement.node)) {
      const std::string& name = planned.plan->kernel->refs[static_cast<size_t>(load->access.ref)].name;
      (name == "x" ? found.x : found.gamma) = at;
    }
    if (std::holds_alternative<program::ReduceFragment>(statement.node) && found.reduced < 0) found.reduced = at;
    ++at;
  });
  return found;
}

}  // namespace

TEST_CASE("what all programs read alike is loaded behind the reductions that do not need it") {
  const Places apart = places(rows(kNorm, 1024));
  CHECK(apart.x < apart.reduced);
  CHECK(apart.reduced < apart.gamma);
  // In a statement of its own, too.
  const Places named = places(rows("  - r = rsqrt(mean(x * x, axis=1))\n  - y[...] = x * r[:, None] * gamma\n", 1024));
  CHECK(named.reduced < named.gamma);
}

TEST_CASE("what a reduction needs, or what nothing reduces before, is loaded in front") {
  const Places needed = places(rows("  - y[...] = x * max(x * gamma, axis=1)[:, None]\n", 1024));
  CHECK(needed.gamma < needed.reduced);
  const Places alone = places(rows("  - y[...] = x * gamma\n", 1024));
  CHECK(alone.gamma >= 0);
  CHECK(alone.reduced < 0);
}

// Counts how often packed elements are unpacked again, and the registers left for an SM's threads then.
TEST_CASE("what short elements are unpacked to is not held over reductions where registers are wanted") {
  const std::string body =
      "  - row = x.astype(f32)\n  - centred = row - mean(row, axis=1)[:, None]\n"
      "  - y[...] = centred * rsqrt(mean(centred * centred, axis=1))[:, None] * gamma\n";
  const auto again = [](const Planned& planned) {
    REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
    int64_t count = 0;
    for_each_statement(planned.plan->roles.front().program, [&](const program::Statement& statement) {
      count += std::holds_alternative<program::UnpackAgain>(statement.node) ? 1 : 0;
    });
    return count;
  };
  CHECK(again(rows(body, 16384, 1, "", "bf16")) == 2);
  CHECK(again(rows(body, 16384, 1, "", "i8")) == 0);  // compilers unpack all bytes at once
  CHECK(least_ctas(rows(body, 8192, 1, "", "bf16")) >= least_ctas(rows(body, 8192)));
  CHECK(again(rows(body, 16384)) == 0);               // as many registers
  CHECK(again(rows(body, 256, 1, "", "bf16")) == 0);  // there are enough
}

TEST_CASE("an SM holds as many CTAs as values and addresses of a thread leave registers for") {
  // 8 CTAs of 128 threads, each with 64 registers.
  CHECK(least_ctas(rows(kNorm, 2048)) == 8);
  // A row of 16,384 by 512 threads: 2 CTAs would have 64 registers a thread.
  CHECK(least_ctas(rows(kNorm, 16384)) == 1);
  CHECK(least_ctas(rows(kNorm, 8192)) * rows(kNorm, 8192).plan->launch.threads.value >= 512);
  // More values leave registers for fewer CTAs.
  CHECK(least_ctas(rows("  - y[...] = x * gamma\n", 512, 16)) > least_ctas(rows("  - y[...] = x * gamma\n", 512, 32)));
}

TEST_CASE("what several reductions read stays in registers until the last of them") {
  const auto ctas = [](const std::string& value) {
    return least_ctas(
        Planned("pallasgen: 1\nkernel: rows\ndims: {M: {}}\nmath: {approx: true}\ngrid:\n  - {axis: m, size: M}\n"
                "inputs:\n  x: {type: \"bf16[M, 32768]\", space: gmem}\n"
                "outputs:\n  y: {type: \"f32[M]\", block: [1], index_map: [m]}\nbody:\n"
                "  - p = exp(x[m, :].astype(f32))\n  - y[...] = " +
                value + "\n"));
  };
  CHECK(ctas("sum(p)") == 2);           // 512 threads have 32 words of the row each
  CHECK(ctas("max(p) + sum(p)") == 1);  // and 64 of values computed from it
}

TEST_CASE("chains whose links are read twice are counted link by link") {
  std::string links = "  - h0 = x.astype(u32)\n";
  for (int i = 1; i <= 64; ++i) {
    const std::string last = "h" + std::to_string(i - 1);
    links += "  - h" + std::to_string(i) + " = " + last + " ^ (" + last + " << 5)\n";
  }
  CHECK(least_ctas(rows(links + "  - y[...] = h64.astype(f32)\n", 1024, 1, "", "i32")) >= 8);
}

TEST_CASE("two long rows of short elements share an SM, but not with parameters beside them") {
  const Planned alone(
      "pallasgen: 1\nkernel: rows\ndims: {M: {}}\nmath: {approx: true}\ngrid:\n  - {axis: m, size: M}\n"
      "inputs:\n  x: {type: \"bf16[M, 32768]\", space: gmem}\n"
      "outputs:\n  y: {type: \"f32[M]\", block: [1], index_map: [m]}\nbody:\n"
      "  - row = x[m, :].astype(f32)\n  - top = max(row)\n  - y[...] = top + log(sum(exp(row - top)))\n");
  CHECK(least_ctas(alone) == 2);
  CHECK(alone.plan->launch.threads.value == 512);
  const std::string scaled =
      "  - row = x.astype(f32)\n  - y[...] = row * rsqrt(mean(row * row, axis=1))[:, None] * gamma\n";
  const Planned beside = rows(scaled, 32768, 1, "", "bf16");
  CHECK(beside.plan->launch.threads.value == 1024);
}

TEST_CASE("vectors of one column share their addresses, of several rows or one") {
  const std::string twice = "  - y[...] = x * 2\n";
  CHECK(least_ctas(rows(twice, 256, 32)) == 4);  // 8 vectors of each of 256 threads
  CHECK(least_ctas(rows(twice, 320, 24)) == 3);  // in columns of their own
}

TEST_CASE("functions that hold many values of their own keep what ptxas takes") {
  CHECK(least_ctas(rows("  - y[...] = sin(x) * gamma\n", 1024)) == 1);
  CHECK(least_ctas(rows("  - y[...] = exp(x) * gamma\n", 1024)) > 1);
}

TEST_CASE("a CTA that has its SM alone asks for no other beside it") {
  CHECK(least_ctas(rows(kNorm, 1024, 1, "schedule: {persistent: true}\n")) == 1);
}
