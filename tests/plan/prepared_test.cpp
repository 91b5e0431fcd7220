#include "plan/prepared.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <set>
#include <sstream>

#include "plan/passes.h"
#include "planned.h"
#include "tile/text.h"

using namespace pallasgen;

TEST_CASE("what is printed of a kernel is the tile program that its plan was made of") {
  // One spec in three, as planning takes long.
  const int one_in = std::getenv("PALLASGEN_ALL") ? 1 : 3;
  int specs = 0, plans = 0;
  const std::string root = PALLASGEN_SOURCE_DIR;
  for (const std::string folder : {"/specs", "/tests/corners"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root + folder)) {
      if (entry.path().extension() != ".yaml" || specs++ % one_in != 0) continue;
      const std::string path = std::filesystem::relative(entry.path(), root).string();
      const Planned planned(text_of(path), {}, "", root + "/" + path);
      if (!planned.plan) continue;
      ++plans;
      INFO(path);
      const Lowered& lowered = *planned.plan->lowered;
      const std::string& target = planned.kernel->targets.front();
      const PreparedKernel again(std::make_shared<const Kernel>(*planned.kernel), *find_target(target));
      CHECK(tile::to_text(lower(again, passes().back().name, lowered.choices)) == tile::to_text(lowered.program));
      CHECK(planned.plan->kernel == lowered.kernel.kernel());
    }
  }
  CHECK(plans > 400 / one_in);
}

namespace {

// Carried values are listed by their ids, which reading a text numbers anew.
std::string with_sorted_carries(const std::string& text) {
  const std::string word = "{carry ";
  std::string out = text;
  for (size_t at = out.find(word); at != std::string::npos; at = out.find(word, at + 1)) {
    const size_t begin = at + word.size(), end = out.find_first_of(",}", begin);
    std::istringstream names(out.substr(begin, end - begin));
    std::set<std::string> sorted{std::istream_iterator<std::string>(names), {}};
    std::string list;
    for (const std::string& name : sorted) list += (list.empty() ? "" : " ") + name;
    out.replace(begin, end - begin, list);
  }
  return out;
}

}  // namespace

TEST_CASE("the text of a program has the choices that its passes need: each makes the same of it") {
  std::set<tile::ChoiceKind> kinds;
  const std::string root = PALLASGEN_SOURCE_DIR;
  int programs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(root + "/tests/corners")) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".yaml" || programs > 60) continue;
    Sources sources;
    Diagnostics diagnostics;
    auto spec = read_spec(sources.add(name, text_of("tests/corners/" + name)), {}, sources, diagnostics);
    if (!spec) continue;
    std::optional<Kernel> kernel = check(std::make_shared<const Spec>(std::move(*spec)), diagnostics);
    if (!kernel) continue;
    const auto externs = kernel->externs;
    const Target& target = *find_target(kernel->targets.front());
    const std::vector<tile::Program> made =
        lower_through(PreparedKernel(std::make_shared<const Kernel>(std::move(*kernel)), target));
    const auto asked = [](const tile::Choice& choice) { return !choice.pass.empty(); };
    if (std::none_of(made[0].choices.begin(), made[0].choices.end(), asked)) continue;
    ++programs;
    for (const tile::Choice& choice : made[0].choices) kinds.insert(choice.kind);
    INFO(name);
    // Up to the roles, as later passes name loops by the names of values that no text has.
    for (size_t pass = 1;
         pass < std::min<size_t>(made.size(), 4) && made[pass].refusals.empty() && !made[pass].shortage; ++pass) {
      const std::string text = tile::to_text(made[pass - 1]);
      const auto read = tile::read_text(sources.add(name, text), diagnostics, externs);
      REQUIRE_MESSAGE(read, render(diagnostics, ErrorFormat::text, false));
      CHECK(tile::to_text(*read) == text);
      CHECK(with_sorted_carries(tile::to_text(run_pass(made[pass].pass, *read, target))) ==
            with_sorted_carries(tile::to_text(made[pass])));
    }
  }
  CHECK(programs > 10);
  CHECK(kinds.size() >= 5);
}

TEST_CASE("a program goes on from any pass, and says what it would need of earlier ones") {
  const Planned planned(text_of("tests/corners/accumulator_in_halves.yaml"));
  REQUIRE(planned.plan);
  const Target& target = *find_target("sm_90a");
  const std::vector<tile::Program> made = lower_through(planned.plan->lowered->kernel);
  REQUIRE(given_up(made[0], tile::ChoiceKind::staging, 2));
  const std::string last = tile::to_text(made.back());
  for (const tile::Program& program : made) CHECK(tile::to_text(lower_from(program, target).back()) == last);
  // Without the choice: all passes run again from the first program, and no pass can from a later one.
  tile::Program canonical = made[0];
  canonical.choices.clear();
  CHECK(tile::to_text(lower_from(canonical, target).back()) == last);
  const std::vector<tile::Program> stopped = lower_from(run_pass("select", canonical, target), target);
  REQUIRE(stopped.back().retry.size() == 2);
  CHECK(tile::choice_text(stopped.back(), stopped.back().retry[0]) == "without staging c");
  CHECK(stopped.back().pass == tile::kOrdered);
  CHECK(lower_from(made[0], target, "select").back().pass != "select");
  CHECK(lower_from(made[1], target, "size").back().pass == "size");
}

TEST_CASE("slots of operands with stages of their own are those that the passes say") {
  int rings = 0;
  for (const std::string name : {"alone", "ahead", "producer"}) {
    const Planned planned(text_of("tests/corners/own_stages_" + name + ".yaml"));
    INFO(name << planned.errors());
    REQUIRE(planned.plan);
    const tile::Program sized = lower(planned.plan->lowered->kernel, "size");
    REQUIRE(!sized.channels.empty());
    for (const tile::Channel& channel : sized.channels) {
      for (const RingPlan& ring : planned.plan->rings) {
        if (planned.plan->kernel->refs[ring.operands.front().ref].name != channel.name) continue;
        ++rings;
        CHECK(ring.slots.value == channel.slots);
      }
    }
  }
  CHECK(rings == 5);
}

TEST_CASE("a kernel that is prepared has its lets written out, and keeps what its spec says beside it") {
  const Planned planned(
      "pallasgen: 1\nkernel: k\ndims: {M: {}}\ngrid: [{axis: m, size: \"cdiv(M, 8)\"}]\nlet: {row: \"m + 0\"}\n"
      "inputs: {x: {type: \"f32[M, 64]\", block: [8, 64], index_map: [row, 0], fill: 0}}\n"
      "outputs: {o: {type: \"f32[M, 64]\", block: [8, 64], index_map: [row, 0]}}\nbody: [\"o[...] = x\"]\n");
  INFO(planned.errors());
  REQUIRE(planned.kernel);
  const PreparedKernel prepared(std::make_shared<const Kernel>(*planned.kernel), *find_target("sm_90a"));
  CHECK(to_string(prepared.source()->refs[0].block[0].index) == "row");
  CHECK(to_string(prepared.kernel()->refs[0].block[0].index) != "row");
}
