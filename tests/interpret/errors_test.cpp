#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "interpret/rules.h"
#include "specs.h"

using namespace pallasgen;
namespace fs = std::filesystem;

// tests/errors/<rule>*.yaml for the rules of this stage: each spec is run on its first test, if it has one, and must
// fail as .expected says. Lines `# --in x=f32[4, 6]` (zeros), `# --dim N=3`, `# --scalar s=3` at the begin are put over
// that.

namespace {

const fs::path kFolder = fs::path("tests") / "errors";

std::string rule_of(const std::string& stem) {
  std::string best;
  for (const Rule* rule : kInterpretRules) {
    const std::string name(rule->name);
    if ((stem == name || stem.starts_with(name + "-")) && name.size() > best.size()) best = name;
  }
  return best;
}

Array zeros_of(const std::string& type) {
  const size_t open = type.find('[');
  Shape shape;
  std::istringstream extents(type.substr(open + 1));
  for (std::string extent; std::getline(extents, extent, ',');) shape.push_back(std::stoll(extent));
  return Array::zeros(dtype_named(type.substr(0, open)).value(), shape);
}

void put_over(const std::string& text, Arguments& arguments) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line) && line.starts_with("# --");) {
    for (size_t at = line.find("--"); at != std::string::npos; at = line.find("--", at + 2)) {
      const size_t name = line.find(' ', at) + 1, equals = line.find('=', at), end = line.find(" --", equals);
      const std::string value = line.substr(equals + 1, end == std::string::npos ? end : end - equals - 1);
      const std::string option = line.substr(at, name - at - 1), key = line.substr(name, equals - name);
      if (option == "--in")
        arguments.arrays[key] = zeros_of(value);
      else if (option == "--dim")
        arguments.dims[key] = std::stoll(value);
      else
        arguments.scalars[key] = int64_t{std::stoll(value)};
    }
  }
}

std::string diagnostics_of(const fs::path& path) {
  const std::string text = bytes_of(path.string());
  const auto checked = check_text(path.string(), text);
  REQUIRE_MESSAGE(checked->kernel, render(checked->diagnostics, ErrorFormat::text, false));
  const Kernel& kernel = *checked->kernel;
  Arguments arguments;
  if (!kernel.tests.empty()) arguments = seeded_arguments(kernel, kernel.tests[0], checked->diagnostics);
  put_over(text, arguments);
  if (!checked->diagnostics.has_errors() && complete_arguments(kernel, arguments, checked->diagnostics)) {
    CHECK_FALSE(interpret(kernel, arguments, {}, checked->diagnostics));
  }
  return render(checked->diagnostics, ErrorFormat::text, false);
}

std::vector<fs::path> bad_specs() {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(kFolder)) {
    const fs::path& path = entry.path();
    if (path.extension() == ".yaml" && !rule_of(path.stem().string()).empty()) paths.push_back(path);
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

TEST_CASE("every spec that breaks a rule while it runs gives its expected diagnostics") {
  fs::current_path(PALLASGEN_SOURCE_DIR);  // diagnostics name files as they were given
  const bool update = std::getenv("PALLASGEN_UPDATE") != nullptr;
  std::set<std::string> seen;
  for (const fs::path& path : bad_specs()) {
    CAPTURE(path.string());
    const std::string rule = rule_of(path.stem().string()), found = diagnostics_of(path);
    const fs::path expected = fs::path(path).replace_extension(".expected");
    if (update) std::ofstream(expected, std::ios::binary) << found;
    CHECK(found == bytes_of(expected.string()));
    CHECK(found.find("[" + rule + "]") != std::string::npos);
    seen.insert(rule);
  }
  for (const Rule* rule : kInterpretRules) {
    CHECK_MESSAGE(seen.contains(std::string(rule->name)), rule->name);
    CHECK(!rule->summary.empty());
  }
}
