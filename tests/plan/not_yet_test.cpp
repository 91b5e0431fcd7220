#include <algorithm>
#include <filesystem>
#include <vector>

#include "plan/passes.h"
#include "planned.h"

using namespace pallasgen;
namespace fs = std::filesystem;

namespace {

const fs::path kRoot = PALLASGEN_SOURCE_DIR;

// "specs/pipeline/planes_ahead.yaml: a channel", for a spec whose plan is not made of its tile program.
std::string line_of(const std::string& path) {
  const Planned planned(text_of(path), {}, "", path);
  INFO(path);
  REQUIRE(planned.kernel);
  const Target& target = *find_target(planned.kernel->targets.front());
  const tile::Program program = lower(std::make_shared<const Kernel>(*planned.kernel), target, passes().back().name);
  const std::string reason = not_yet(program);
  return reason.empty() ? "" : path + ": " + reason + "\n";
}

}  // namespace

TEST_CASE("kernels that are not planned by their tile programs are listed, and become fewer") {
  std::vector<std::string> paths;
  for (const char* folder : {"specs", "tests/corners"}) {
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
      if (entry.path().extension() == ".yaml") paths.push_back(fs::relative(entry.path(), kRoot).string());
    }
  }
  std::sort(paths.begin(), paths.end());
  std::string lines;
  for (const std::string& path : paths) lines += line_of(path);
  CHECK(lines == text_of("tests/plan/not_yet.txt"));
}

TEST_CASE("a value that a loop does not find beside its own elements holds a kernel back, and is named") {
  const auto reason = [](const std::string& refs, const std::string& body) {
    const Planned planned("pallasgen: 1\nkernel: k\n" + refs + "body: [\"" + body + "\"]\n");
    REQUIRE(planned.kernel);
    const Target& target = *find_target("sm_90a");
    return not_yet(lower(std::make_shared<const Kernel>(*planned.kernel), target, passes().back().name));
  };
  const std::string rows = "inputs: {x: {type: \"f32[4, 16]\"}, s: {type: \"f32[4, 1]\"}}\n";
  CHECK(reason(rows + "outputs: {y: {type: \"f32[4, 16]\"}}\n", "y[...] = x / s") == "the layout of 's'");
  CHECK(reason(rows + "outputs: {y: {type: \"f32[4, 16]\"}}\n", "y[...] = x / (x + 1)").empty());
  const std::string row = "inputs: {x: {type: \"f32[5]\"}}\n";
  CHECK(reason(row + "outputs: {z: {type: \"f32[3, 5]\"}}\n", "z[...] = x") == "the place of 'x'");
  CHECK(reason(row + "outputs: {z: {type: \"f32[1, 5]\"}}\n", "z[...] = x").empty());
}
