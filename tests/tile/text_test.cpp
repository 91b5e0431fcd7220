#include "tile/text.h"

#include <doctest/doctest.h>

#include "tile/walk.h"

using namespace pallasgen;

namespace {

constexpr const char* kHead =
    "tile 1 k sm_90a after canonicalise\n"
    "dim N multiple_of 8\n"
    "const bn = 8\n"
    "axis i parallel cdiv(N, bn)\n"
    "axis k sequential 3\n"
    "ref x: f32[N] {in, block [bn], at [i], fill 0}\n"
    "ref o: f32[N] {out, block [bn], at [i], init 1.5}\n"
    "ref part: i32[N] {workspace, init 0}\n"
    "ref s: f32[bn, 4] {scratch, space smem}\n"
    "ask pipeline.stages = 2\n"
    "ask schedule.tile_order.axis = i\n"
    "ask schedule.tile_order.width = 4\n"
    "kernel k:\n"
    "  role all:\n"
    "    for tile in work(i):\n";

struct Read {
  Sources sources;
  Diagnostics diagnostics;
  std::optional<tile::Program> program;

  explicit Read(const std::string& body) {
    program = tile::read_text(sources.add("k.tile", kHead + body), diagnostics);
  }
  std::string said() const { return render(diagnostics, ErrorFormat::text, false); }
};

void check_round_trip(const std::string& body) {
  const Read read(body);
  CAPTURE(read.said());
  REQUIRE(read.program);
  CHECK(tile::to_text(*read.program) == kHead + body);
}

// Checks the message of the first error, and the text that it points at.
void check_refused(const std::string& body, const std::string& message, const std::string& place) {
  const Read read(body);
  CAPTURE(body);
  REQUIRE_FALSE(read.program);
  REQUIRE(read.diagnostics.has_errors());
  const Diagnostic& first = read.diagnostics.all().front();
  if (message.find("not defined") == std::string::npos) CHECK(read.said().find("[tile-text]") != std::string::npos);
  CHECK(first.message == message);
  REQUIRE(first.span.source);
  CHECK(first.span.source->text().substr(first.span.begin, first.span.end - first.span.begin) == place);
}

}  // namespace

TEST_CASE("a slice with a stride ends behind its last element, which may be the array's") {
  check_round_trip(
      "      v: f32[4] = s[0:7:2, 0]\n"
      "      w: f32[4] = s[1:8:2, 0]\n"
      "      y: f32[4] = v + w\n"
      "      o: f32[bn] = broadcast_to(max(y[0:4:3]), [8])\n");
}

TEST_CASE("a value that a loop defines may be defined again behind it") {
  check_round_trip(
      "      for r in 0 .. 3:\n"
      "        v: i32[] = max(s[0, 0:4]).astype(i32)\n"
      "        store(part, [0], v, order=relaxed)\n"
      "      v: i32[] = 2\n"
      "      store(part, [1], v, order=relaxed)\n");
}

TEST_CASE("a value may have a name that begins like an operation") {
  check_round_trip(
      "      atomic_bits: i32[] = 2\n"
      "      reads: i32[] = atomic_bits\n"
      "      atomic_adds: i32[] = atomic_bits + max(s[0, 0:4]).astype(i32)\n"
      "      store(part, [0], atomic_adds + reads, order=relaxed)\n");
}

TEST_CASE("every statement of a tile program is printed as it was read") {
  check_round_trip(
      "      forget s\n"
      "      o: f32[bn] = undef\n"
      "      x: f32[bn] = read x[i * bn +: bn?]\n"
      "      for k in 0 .. num_programs(k) {carry o}:\n"
      "        o: f32[bn] = x + 1.0  # o[...] = x + 1\n"
      "      s[0:8, 1] = x\n"
      "      s[0:8, 2] += x * 2.0\n"
      "      part[ds(i * bn, 8)] = 0\n"
      "      store(part, [i], 3, mask=i < 2, order=release)\n"
      "      old: i32[] = atomic_add(part, [i], 1, order=relaxed, scope=device)\n"
      "      while load(part, [i], order=acquire) < old:\n"
      "        grid_sync()\n"
      "      while seen_loaded < old:\n"
      "        test:\n"
      "          seen_loaded: i32[] in scalar = load(part, [i], order=acquire)\n"
      "        grid_sync()\n"
      "      t: f32[bn] inlined = x * 2.0\n"
      "      if i > 0 and N > 8 {carry o}:\n"
      "        o: f32[bn] = s[0:8, 1]\n"
      "      else:\n"
      "        o: f32[bn] = 0.0\n"
      "      for t in 0 .. 9 {carry o, step 2, unroll 3}:\n"
      "        o: f32[bn] = where(x < 0.0, f32(1.0), f32(2.0)) + t\n"
      "      print \"i = {}, {{}} # {}\", i, x[0]\n"
      "      assert i < N, \"too # far\"\n"
      "      m: f32[bn, bn] = dot 0, x[0:8, None], x[None, 0:8]\n"
      "      m: f32[bn, bn] = dot m * 2.0, s, (s).T {precision tf32}\n"
      "      fetch x[i * bn +: bn?]\n"
      "      flush o[i * bn - 1 +: bn? :< i + 1]\n"
      "      write o[i * bn +: bn] <- o\n");
}

namespace {

// A program with these lines before its role, and two dots that its choices may name.
std::string with_choices(const std::string& choices) {
  const std::string head(kHead), role = "  role all:\n";
  const size_t at = head.find(role);
  return head.substr(0, at) + choices + head.substr(at) +
         "      m: f32[bn, bn] = dot 0, s, (s).T {choices 2}\n"
         "      m: f32[bn, bn] = dot(s, s, trans_b=true) + dot(m, m) {choices 0 1}\n";
}

constexpr const char* kChoices =
    "  without blocks 1  # too large # for registers\n"
    "  without instructions 2  # it has 8 rows\n"
    "  without instructions 1  # it has 9 rows\n"
    "  without staging o  # it is stored in a loop\n"
    "  without memory 4096  # statements take them\n"
    "  without cluster  # what a producer copies\n";

}  // namespace

TEST_CASE("choices stand in the text, and dots that they are for have their numbers") {
  Sources sources;
  Diagnostics diagnostics;
  const std::string text = with_choices(kChoices);
  const auto program = tile::read_text(sources.add("k.tile", text), diagnostics);
  REQUIRE_MESSAGE(program, render(diagnostics, ErrorFormat::text, false));
  CHECK(tile::to_text(*program) == text);
  const tile::Choice* memory = given_up(*program, tile::ChoiceKind::memory);
  REQUIRE(memory);
  CHECK(memory->bytes == 4096);
  CHECK(given_up(*program, tile::ChoiceKind::staging, 1)->why == "it is stored in a loop");
  CHECK_FALSE(given_up(*program, tile::ChoiceKind::staging, 0));
  int blocks = 0, instructions = 0;
  for_each_statement(program->roles[0].body, [&](const tile::Statement& statement) {
    const auto* dot = statement.as<tile::Dot>();
    if (dot) CHECK(given_up(*program, tile::ChoiceKind::instructions, *dot)->why == "it has 8 rows");
    const auto* assign = statement.as<tile::Assign>();
    if (!assign || !assign->expr) return;
    walk(assign->expr, [&](const Typed& node) {
      if (!node.applies(Op::dot)) return;
      blocks += given_up(*program, tile::ChoiceKind::blocks, node.span) != nullptr;
      instructions += given_up(*program, tile::ChoiceKind::instructions, node.span) != nullptr;
    });
  });
  CHECK(blocks == 1);
  CHECK(instructions == 1);
}

TEST_CASE("a choice of what no table has, or of nothing, is refused") {
  for (const std::string wrong : {"  without hands 1  # why\n", "  without staging  # why\n",
                                  "  without staging q  # why\n", "  without \n", "  without staging o\n"}) {
    Sources sources;
    Diagnostics diagnostics;
    CHECK_FALSE(tile::read_text(sources.add("k.tile", with_choices(wrong)), diagnostics));
    CHECK(render(diagnostics, ErrorFormat::text, false).find("[tile-text]") != std::string::npos);
  }
}

TEST_CASE("a choice is asked for once, and not where the program has it") {
  Sources sources;
  Diagnostics diagnostics;
  auto program = tile::read_text(sources.add("k.tile", with_choices(kChoices)), diagnostics);
  REQUIRE(program);
  CHECK_FALSE(retry_with(*program, {.kind = tile::ChoiceKind::staging, .ref = 1, .why = "again"}));
  CHECK(retry_with(*program, {.kind = tile::ChoiceKind::storer, .ref = 1, .why = "no room"}));
  CHECK_FALSE(retry_with(*program, {.kind = tile::ChoiceKind::storer, .ref = 1, .why = "twice"}));
  CHECK(program->retry.size() == 1);
  CHECK(program->choices.size() == 6);
}

TEST_CASE("the reader says which line of a tile program is none") {
  check_refused("      o: f32[bn] = undef\n      write o[i * bn +: bn] <- p\n", "'p' is no value that is defined above",
                "p");
  check_refused("      x: f32[bn] = read y[i * bn +: bn]\n", "'y' is no ref", "y");
  check_refused("      x: f32[bn] = read x[i, 0 +: 8]\n", "a box has one entry for each dim of its array",
                "x[i, 0 +: 8]");
  check_refused("      x: half[bn] = undef\n", "'half' is not defined", "half");
  check_refused("      write o[i * bn +: bn]\n", "a write is `write box <- value`", "write o[i * bn +: bn]");
  check_refused("      for t = 0 .. 3:\n", "a loop is `for name in first .. last:`", "for t = 0 .. 3");
  check_refused("      if i > 0\n        grid_sync()\n", "the block of `if ` is missing", "if i > 0");
  check_refused("          forget s\n", "this line stands at no block's depth", "forget s");
  check_refused("      for { in 0 .. 3:\n", "a loop is `for name in first .. last:`", "for { in 0 .. 3");
  CHECK_FALSE(Read("      # f32[bn] = undef\n").program);
  check_refused("      m: f32[bn, bn] = mma 0, s, (s).T {family wgmma.k16.f32.bf16}\n",
                "the operands of a dot with a family are values that are defined above",
                "mma 0, s, (s).T {family wgmma.k16.f32.bf16}");
}

TEST_CASE("strips without an axis are refused") {
  Sources sources;
  Diagnostics diagnostics;
  std::string text = kHead;
  const std::string line = "ask schedule.tile_order.axis = i\n";
  text.erase(text.find(line), line.size());
  CHECK_FALSE(tile::read_text(sources.add("k.tile", text + "      grid_sync()\n"), diagnostics));
  CHECK(render(diagnostics, ErrorFormat::text, false).find("axis` is missing") != std::string::npos);
}

TEST_CASE("strips along no axis, and words that loops over tiles do not have, are refused") {
  for (const std::string strips : {"strips", "strips 0 8", "strips const 8", "strips i", "rows"}) {
    Sources sources;
    Diagnostics diagnostics;
    std::string text = kHead;
    text.insert(text.rfind(":"), " {static_persistent, " + strips + "}");
    CHECK_FALSE(tile::read_text(sources.add("k.tile", text + "      grid_sync()\n"), diagnostics));
  }
}

TEST_CASE("declarations without a name are refused") {
  for (const std::string line :
       {"dim M, \n", "ask  = 2\n", "ask 64 = i\n", "ask math = 2\n", "ref {in}\n", "const\n", "fn\n", "axis\n"}) {
    Sources sources;
    Diagnostics diagnostics;
    const std::string text = std::string(kHead).insert(std::string(kHead).find("axis i"), line);
    CHECK_FALSE(tile::read_text(sources.add("k.tile", text), diagnostics));
    CHECK(diagnostics.has_errors());
  }
}

TEST_CASE("the reader refuses what stands before the kernel and is no declaration") {
  Sources sources;
  Diagnostics diagnostics;
  CHECK_FALSE(tile::read_text(sources.add("a.tile", "tile 2 k\n"), diagnostics));
  CHECK_FALSE(tile::read_text(sources.add("b.tile", "tile 1 k sm_90a after plan\nvar x\nkernel k:\n"), diagnostics));
  CHECK_FALSE(tile::read_text(sources.add("c.tile", ""), diagnostics));
  REQUIRE(diagnostics.errors() == 3);
  CHECK(diagnostics.all()[0].message == "the first line is no head");
  CHECK(diagnostics.all()[1].message == "'var' begins no declaration");
}

TEST_CASE("the verifier finds values without a definition and blocks that carry too much or too little") {
  const auto wrong = [](const std::string& body) {
    const Read read(body);
    CAPTURE(read.said());
    REQUIRE(read.program);
    return tile::verify(*read.program);
  };
  using Strings = std::vector<std::string>;
  CHECK(wrong("      o: f32[bn] = 0.0\n      if i > 0 {carry o}:\n        o: f32[bn] = 1.0\n      write o[i * bn +: "
              "bn] <- o\n") == Strings{});
  CHECK(
      wrong("      o: f32[bn] = 0.0\n      if i > 0:\n        o: f32[bn] = 1.0\n      write o[i * bn +: bn] <- o\n") ==
      Strings{"'o' crosses a block that does not carry it"});
  CHECK(wrong("      o: f32[bn] = 0.0\n      for t in 0 .. 3 {carry o}:\n        o: f32[bn] = 1.0\n        part[0] = "
              "t\n") == Strings{"'o' is carried, and nothing behind the block reads it"});
  CHECK(wrong("      if i > 0 {carry o}:\n        o: f32[bn] = 1.0\n      write o[i * bn +: bn] <- o\n") ==
        Strings{"'o' is used before it is defined"});
  // A value that an iteration reads before it defines it comes from the previous iteration.
  CHECK(wrong("      o: f32[bn] = 0.0\n      for t in 0 .. 3:\n        part[0] = o[0].astype(i32)\n        o: f32[bn] "
              "= 1.0\n") == Strings{"'o' crosses a block that does not carry it"});
}
