#include "tile/products.h"

#include <doctest/doctest.h>

#include "tile/text.h"
#include "tile/walk.h"

using namespace pallasgen;

namespace {

// Ways to multiply that the table could have next.
constexpr tile::Product kOfWarps = {"mma",
                                    "mma",
                                    tile::Executor::warp,
                                    tile::Completion::none,
                                    tile::kInRegisters,
                                    tile::kInRegisters,
                                    tile::kInRegisters,
                                    false};
constexpr tile::Product kOfPairs = {
    "tcgen05",       "mma",           tile::Executor::cta_pair, tile::Completion::barrier,
    tile::kInShared, tile::kInShared, {.tensor_memory = true},  true};

// The dot of a program with this line, read from its text.
std::optional<tile::Program> with_dot(const std::string& line, Diagnostics& diagnostics) {
  Sources sources;
  return tile::read_text(sources.add("k.tile",
                                     "tile 1 k sm_90a after select\nref o: f32[64, 64] {out}\nkernel k:\n"
                                     "  role all:\n    for tile in work():\n      a: bf16[64, 64] = 1.0\n"
                                     "      b: bf16[64, 64] = 1.0\n" +
                                         line + "      write o[0 +: 64, 0 +: 64] <- o\n"),
                         diagnostics);
}

}  // namespace

TEST_CASE("the row of a family is that whose name it begins with") {
  CHECK(tile::product_of("wgmma.k16.f32.bf16")->family == "wgmma");
  CHECK(tile::product_of("fma.f32")->family == "fma");
  CHECK(tile::product_of("")->family == "");
  CHECK(tile::product_of("wgmm.k16") == nullptr);
  CHECK(tile::product_of("wgmma2.k16") == nullptr);
}

TEST_CASE("matrix instructions of warpgroups run on and read slots, and their sums are fragments") {
  const tile::Product& wgmma = *tile::product_of("wgmma");
  CHECK(wgmma.runs_on());
  CHECK(wgmma.by_instructions());
  CHECK(wgmma.by_warpgroups());
  CHECK(wgmma.warps() == 4);
  CHECK(wgmma.is_fragment());
  CHECK_FALSE(wgmma.has_blocks());
  CHECK(wgmma.reads_slots());
  CHECK_FALSE(wgmma.reads_tiles());
  CHECK(wgmma.reads_registers());
  CHECK(wgmma.overwrites);
}

TEST_CASE("threads read tiles for blocks, and wherever elements are for loops") {
  const tile::Product &blocks = *tile::product_of("fma"), &loops = *tile::product_of("");
  for (const tile::Product* each : {&blocks, &loops}) {
    CHECK_FALSE(each->runs_on());
    CHECK_FALSE(each->by_instructions());
    CHECK_FALSE(each->is_fragment());
    CHECK_FALSE(each->reads_slots());
    CHECK_FALSE(each->reads_registers());
    CHECK_FALSE(each->overwrites);
  }
  CHECK(blocks.has_blocks());
  CHECK(blocks.reads_tiles());
  CHECK_FALSE(loops.has_blocks());
  CHECK_FALSE(loops.reads_tiles());
}

TEST_CASE("instructions of a warp and of a pair of CTAs would be rows") {
  CHECK_FALSE(kOfWarps.runs_on());
  CHECK(kOfWarps.is_fragment());
  CHECK_FALSE(kOfWarps.reads_slots());
  CHECK(kOfWarps.warps() == 1);
  CHECK(kOfPairs.runs_on());
  CHECK(kOfPairs.reads_slots());
  CHECK_FALSE(kOfPairs.is_fragment());
  CHECK_FALSE(kOfPairs.reads_registers());
}

TEST_CASE("a dot in a text names its row by the family, and the word must be the row's") {
  const std::string operands = " 0, a, b {family wgmma.k16.f32.bf16}\n";
  Diagnostics diagnostics;
  const auto program = with_dot("      o: f32[64, 64] = mma" + operands, diagnostics);
  REQUIRE_MESSAGE(program, render(diagnostics, ErrorFormat::text, false));
  int dots = 0;
  tile::for_each_statement(tile::computing_role(*program).body, [&](const tile::Statement& statement) {
    const tile::Dot* dot = tile::dot_if(statement, &tile::Product::runs_on);
    dots += dot ? 1 : 0;
    CHECK(tile::dot_if(statement, &tile::Product::reads_tiles) == nullptr);
  });
  CHECK(dots == 1);
  CHECK_FALSE(with_dot("      o: f32[64, 64] = dot" + operands, diagnostics));
  CHECK(diagnostics.all().back().message == "no family 'wgmma.k16.f32.bf16' goes with `dot`");
  CHECK_FALSE(with_dot("      o: f32[64, 64] = mma 0, a, b {family tensor.f32}\n", diagnostics));
  CHECK(diagnostics.all().back().message == "no family 'tensor.f32' goes with `mma`");
}
