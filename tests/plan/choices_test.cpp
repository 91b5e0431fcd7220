#include "tile/choices.h"

#include <sstream>

#include "plan/passes.h"
#include "planned.h"
#include "tile/text.h"
#include "tile_texts.h"

using namespace pallasgen;
using pallasgen::test::has;

namespace {

// The text after the pass of a kernel of the library whose first program got these choices, a line each, which are for
// the dots of the statements that have `dots`.
std::string with_choices(const std::string& spec, const std::string& choices, const std::string& pass,
                         const std::string& dots = "") {
  const Planned planned = library(spec);
  REQUIRE(planned.plan);
  std::string text = tile::to_text(lower_through(planned.plan->lowered->kernel).front());
  const std::string head = "kernel " + planned.kernel->name + ":\n";
  std::istringstream lines(choices);
  std::string given;
  for (std::string line; std::getline(lines, line);) given += "  without " + line + "  # a test\n";
  text.insert(text.find(head) + head.size(), given);
  for (size_t at = text.find(dots); !dots.empty() && at != std::string::npos; at = text.find(dots, at + 1))
    text.insert(text.find("  #", at), " {choices 1}");
  Sources sources;
  Diagnostics diagnostics;
  const auto read = tile::read_text(sources.add("k.tile", text), diagnostics);
  REQUIRE_MESSAGE(read, render(diagnostics, ErrorFormat::text, false));
  for (const tile::Program& made : lower_from(*read, *find_target("sm_90a"))) {
    if (made.pass == pass) return tile::to_text(made);
  }
  return "";
}

}  // namespace

TEST_CASE("without its instructions a dot goes by blocks of threads, and without these by elements") {
  const std::string matmul = "matmul/matmul_multistage.yaml", dot = "= dot acc, a";
  CHECK(has(with_choices(matmul, "", "select"), "mma acc, a, (b).T {family wgmma.k16.f32.bf16"));
  CHECK(has(with_choices(matmul, "instructions 1", "select", dot), "dot acc, a, (b).T {family fma."));
  const std::string loops = with_choices(matmul, "instructions 1\nblocks 1", "select", dot);
  CHECK(has(loops, "dot acc, a, (b).T {choices 1}"));
}

TEST_CASE("without registers for it operand A goes to the instructions through shared memory") {
  const std::string attention = "attention/attention_fwd.yaml", dot = "= dot acc * alpha";
  CHECK_FALSE(has(with_choices(attention, "", "select"), "acc_a_operand"));
  CHECK(has(with_choices(attention, "register_operand 1", "select", dot),
            "acc_a_operand: bf16[128, 128] in smem = acc_a"));
}

TEST_CASE("without staging threads store an output from their registers") {
  const std::string matmul = "matmul/matmul_gelu.yaml", write = "write c[m * bm +: bm?, n * bn +: bn?] <- c {path ";
  CHECK(has(with_choices(matmul, "", "select"), write + "tma}"));
  CHECK(has(with_choices(matmul, "staging c", "select"), write + "direct, vector 8}"));
}

TEST_CASE("without copies by a producer threads read an input where they use it") {
  const std::string matmul = "matmul/matmul_gelu.yaml", read = "read a[m * bm +: bm?, k * bk +: bk?] {path ";
  CHECK(has(with_choices(matmul, "", "select"), read + "tma}"));
  CHECK_FALSE(has(with_choices(matmul, "copies a", "select"), read + "tma}"));
}

TEST_CASE("without a storer the role that computes an output stores it") {
  const std::string backward = "attention/attention_bwd.yaml";
  const std::string stored = with_choices(backward, "", "roles");
  REQUIRE(has(stored, "role storer"));
  CHECK_FALSE(has(with_choices(backward, "storer dq", "roles"), "role storer"));
}

TEST_CASE("without a cluster one CTA has a tile") {
  const std::string norm = "rows/layer_norm_wide.yaml";
  CHECK(has(with_choices(norm, "", "size"), ", ctas "));
  CHECK_FALSE(has(with_choices(norm, "cluster", "size"), ", ctas "));
}

TEST_CASE("without some of shared memory fewer slots fit") {
  const std::string ahead = "pipeline/planes_ahead.yaml";
  const auto slots = [&](const std::string& choice) {
    const std::string text = with_choices(ahead, choice, "size");
    const size_t at = text.find(", slots ");
    return at == std::string::npos ? 0 : std::stoi(text.substr(at + 8));
  };
  const int all = slots("");
  REQUIRE(all > 1);
  CHECK(slots("memory 220000") < all);
}
