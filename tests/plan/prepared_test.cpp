#include "plan/prepared.h"

#include <cstdlib>
#include <filesystem>

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
      CHECK(tile::to_text(lower(again, passes().back().name, lowered.known)) == tile::to_text(lowered.program));
      CHECK(planned.plan->kernel == lowered.kernel.kernel());
    }
  }
  CHECK(plans > 400 / one_in);
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
