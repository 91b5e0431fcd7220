#include "tile/loop_facts.h"

#include <doctest/doctest.h>

#include <vector>

#include "tile/text.h"
#include "tile/walk.h"

using namespace pallasgen;

namespace {

// A program with this body.
tile::Program program_of(const std::string& body) {
  Sources sources;
  Diagnostics diagnostics;
  const auto program = tile::read_text(sources.add("k.tile",
                                                   "tile 1 k sm_90a after canonicalise\n"
                                                   "dim N multiple_of 8\n"
                                                   "axis i parallel 3\n"
                                                   "ref x: f32[N] {in, block [8], at [i]}\n"
                                                   "kernel k:\n"
                                                   "  role all:\n"
                                                   "    for tile in work(i):\n" +
                                                       body),
                                       diagnostics);
  CAPTURE(render(diagnostics, ErrorFormat::text, false));
  REQUIRE(program);
  return *program;
}

// Returns the known multiples of the variables of all loops in the body, in the order of the text.
std::vector<int64_t> multiples(const std::string& body) {
  const tile::Program program = program_of(body);
  const SymbolFacts facts = tile::facts_with_loops(program);
  std::vector<int64_t> out;
  tile::for_each_statement(program.roles[0].body, [&](const tile::Statement& statement) {
    if (const auto* loop = statement.as<tile::For>()) out.push_back(facts.multiple_of(loop->variable));
  });
  return out;
}

// Returns the variables of loops and the indices that are known to be at least 0, in the order of the text.
std::string not_negative(const std::string& body) {
  const tile::Program program = program_of(body);
  const SymbolFacts facts = tile::facts_with_loops(program);
  std::string out;
  tile::for_each_statement(program.roles[0].body, [&](const tile::Statement& statement) {
    if (const auto* loop = statement.as<tile::For>())
      out += facts.minimum(loop->variable) >= 0 ? loop->variable.name + " " : "";
    if (const auto* assign = statement.as<tile::Assign>()) {
      const std::string& name = program.value(assign->value).name;
      out += facts.value(LocalUse{assign->value.index, name}).minimum >= 0 ? name + " " : "";
    }
  });
  return out;
}

}  // namespace

TEST_CASE("indices and variables of loops are 0 or more where all that they are made of is") {
  CHECK(not_negative("      first: index = i * 4\n"
                     "      below: index = first - 1\n"
                     "      for n in first .. N:\n"
                     "        m: index = n + first\n"
                     "        print \"{}\", m\n"
                     "      for k in below .. N:\n"
                     "        print \"{}\", k\n") == "first n m ");
  // A loop down to 0, and an index that is its own next value.
  CHECK(not_negative("      for n in N .. -1 {step -1}:\n"
                     "        print \"{}\", n\n") == "");
  CHECK(not_negative("      up: index = 0\n"
                     "      down: index = N\n"
                     "      for n in 0 .. N {carry up down}:\n"
                     "        up: index = up + n\n"
                     "        down: index = down - 1\n"
                     "        print \"{} {}\", up, down\n") == "up n up ");
}

TEST_CASE("a loop's variable is a multiple of what its first value and its step have in common") {
  CHECK(multiples("      for n in 0 .. N {step 12}:\n"
                  "        print \"{}\", n\n") == std::vector<int64_t>{12});
  CHECK(multiples("      for n in N .. -1 {step -12}:\n"
                  "        print \"{}\", n\n") == std::vector<int64_t>{4});
  CHECK(multiples("      for n in 3 .. N {step 12}:\n"
                  "        print \"{}\", n\n") == std::vector<int64_t>{3});
  CHECK(multiples("      for n in 0 .. N:\n"
                  "        print \"{}\", n\n") == std::vector<int64_t>{1});
}

TEST_CASE("a first value may name the variable of the loop around it") {
  CHECK(multiples("      for n in 0 .. N {step 64}:\n"
                  "        for m in n .. n + 64 {step 16}:\n"
                  "          print \"{}\", m\n") == std::vector<int64_t>{64, 16});
  CHECK(multiples("      for n in 2 .. N {step 64}:\n"
                  "        for m in n .. n + 64 {step 16}:\n"
                  "          print \"{}\", m\n") == std::vector<int64_t>{2, 2});
}

TEST_CASE("names beside others that are taken have no two underscores in a row") {
  tile::Program program = program_of("      y: f32[8] = 1.0\n");
  std::vector<std::string> names;
  for (int i = 0; i < 3; ++i) {
    const tile::ValueId added = tile::add_value(program, {"y", DType::f32, {8}});
    names.push_back(program.value(added).name);
  }
  CHECK(names == std::vector<std::string>{"y_", "y_2", "y_3"});
}
