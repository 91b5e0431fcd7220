#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "interpret/interpret.h"
#include "schedule/canonicalise.h"
#include "spec/spec.h"
#include "tile/text.h"
#include "tile/walk.h"

using namespace pallasgen;

namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::stringstream out;
  out << in.rdbuf();
  return out.str();
}

// Measures the size of a test; the interpreter should finish small ones at once.
int64_t elements_in(const Arguments& arguments) {
  int64_t count = 0;
  for (const auto& [name, array] : arguments.arrays) count += array.size();
  return count;
}

}  // namespace

TEST_CASE("canonical programs of the library and its tests compute what their kernels do, bit for bit") {
  int kernels = 0, runs = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(PALLASGEN_SOURCE_DIR "/specs")) {
    if (entry.path().extension() != ".yaml") continue;
    const std::string path = entry.path().string();
    CAPTURE(path);
    Sources sources;
    Diagnostics diagnostics;
    const auto spec = read_spec(sources.add(path, text_of(path)), {}, sources, diagnostics);
    REQUIRE(spec);
    if (!spec->extern_functions.empty()) continue;  // no headers are read here
    std::optional<Kernel> checked = check(std::make_shared<const Spec>(*spec), diagnostics);
    REQUIRE(checked);
    // If the file has another name for a const, the planner applies it before it makes a program (plan/prepared.h):
    // `pallasgen test` reads these texts back.
    if (std::any_of(checked->consts.begin(), checked->consts.end(), [&](const KernelConst& constant) {
          return checked->identifiers.of(constant.name) != constant.name;
        }))
      continue;
    const auto kernel = std::make_shared<const Kernel>(*checked);
    const tile::Program program = schedule::canonicalise(kernel, kernel->targets.front());
    CHECK(tile::verify(program) == std::vector<std::string>{});
    ++kernels;
    const std::string text = tile::to_text(program);
    CAPTURE(text);
    Diagnostics told;
    const std::optional<tile::Program> read = tile::read_text(sources.add(path + ".tile", text), told);
    if (!read) FAIL(render(told, ErrorFormat::text, false));
    CHECK(tile::to_text(*read) == text);
    CHECK(tile::verify(*read) == std::vector<std::string>{});
    for (const KernelTest& test : kernel->tests) {
      Diagnostics said;
      Arguments arguments = seeded_arguments(*kernel, test, said);
      if (elements_in(arguments) > 300000) continue;
      const auto want = interpret(*kernel, arguments, {}, said);
      const auto got = interpret(*read, arguments, {}, said);
      if (!want) {
        MESSAGE(path << " is refused: " << said.all().front().message);
        continue;
      }
      REQUIRE(got);
      ++runs;
      for (const auto& [name, array] : *want) {
        CAPTURE(name);
        CHECK(compare(got->at(name), array, 0).equal);
      }
    }
  }
  CHECK(kernels > 80);
  CHECK(runs > 100);
}
