#include <sstream>

#include "../plan/planned.h"
#include "interpret/interpret.h"
#include "plan/passes.h"
#include "tile/text.h"

using namespace pallasgen;

namespace {

// What the interpretation of the tile program says, in any order of its roles; empty: it computes what is wanted.
std::string fault(const tile::Program& program, const Arguments& arguments, const std::map<std::string, Array>& want) {
  for (const ProgramOrder roles : {ProgramOrder::row_major, ProgramOrder::reversed, ProgramOrder::random}) {
    Diagnostics diagnostics;
    const auto got = interpret(program, arguments, {.roles = roles}, diagnostics);
    if (!got) return diagnostics.all().front().message;
    for (const auto& [name, array] : want) {
      if (!compare(got->at(name), array, 0).equal) return name + " differs";
    }
  }
  return "";
}

}  // namespace

TEST_CASE("each wait and release between two roles that is deleted from a tile program is found") {
  const std::map<std::string, std::vector<Define>> specs = {{"matmul/matmul.yaml", {{"bn", "64"}, {"bk", "32"}}},
                                                            {"pipeline/add_two_rings.yaml", {}},
                                                            {"pipeline/running_sums.yaml", {}}};
  for (const auto& [path, defines] : specs) {
    const Planned planned = library(path, defines);
    REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
    const Kernel& kernel = *planned.plan->kernel;
    const tile::Program whole = lower(planned.plan->kernel, *planned.plan->target, "protocol");
    Diagnostics said;
    const Arguments arguments = seeded_arguments(kernel, kernel.tests.front(), said);
    const auto want = interpret(whole, arguments, {}, said);
    REQUIRE_MESSAGE(want.has_value(), render(said, ErrorFormat::text, false));
    REQUIRE(fault(whole, arguments, *want) == "");
    const std::string text = tile::to_text(whole);
    int deleted = 0;
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = text.find('\n', begin) + 1, word = text.find_first_not_of(' ', begin);
      const std::string line = text.substr(word, end - word - 1);
      const std::string less = text.substr(0, begin) + text.substr(end);
      begin = end;
      if (!line.starts_with("wait_full") && !line.starts_with("wait_free") && !line.starts_with("release")) continue;
      ++deleted;
      Sources sources;
      Diagnostics diagnostics;
      const auto read = tile::read_text(sources.add("k.tile", less), diagnostics);
      CAPTURE(path);
      CAPTURE(line);
      REQUIRE(read);
      CHECK(fault(*read, arguments, *want) != "");
    }
    CHECK(deleted >= 3);
  }
}
