#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "check/kernel.h"
#include "check/rules.h"
#include "expression/rules.h"
#include "spec/rules.h"

using namespace pallasgen;
namespace fs = std::filesystem;

namespace {

const fs::path kFolder = fs::path(PALLASGEN_SOURCE_DIR) / "tests" / "errors";

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// The rule of check() that a file is named for: `<rule>` or `<rule>-variant`. Empty where it is none, or where the name
// of an earlier stage's rule fits better.
std::string rule_of(const std::string& stem) {
  std::string best;
  bool of_check = false;
  const auto consider = [&](const Rule* rule, bool mine) {
    const std::string name(rule->name);
    if ((stem != name && !stem.starts_with(name + "-")) || name.size() <= best.size()) return;
    best = name;
    of_check = mine;
  };
  for (const Rule* rule : kCheckRules) consider(rule, true);
  for (const Rule* rule : kSpecRules) consider(rule, false);
  for (const Rule* rule : kExpressionRules) consider(rule, false);
  return of_check ? best : "";
}

std::string diagnostics_of(const fs::path& path) {
  Sources sources;
  Diagnostics diagnostics;
  const SourceText& source = sources.add("tests/errors/" + path.filename().string(), bytes_of(path));
  std::optional<Spec> spec = read_spec(source, {}, sources, diagnostics);
  REQUIRE_MESSAGE(spec.has_value(), render(diagnostics, ErrorFormat::text, false));
  CHECK(!check(std::make_shared<const Spec>(std::move(*spec)), diagnostics).has_value());
  return render(diagnostics, ErrorFormat::text, false);
}

std::vector<fs::path> bad_specs() {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".yaml" && !rule_of(entry.path().stem().string()).empty()) {
      paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

TEST_CASE("every bad kernel gives its expected diagnostics") {
  const bool update = std::getenv("PALLASGEN_UPDATE") != nullptr;
  for (const fs::path& path : bad_specs()) {
    CAPTURE(path.string());
    const std::string found = diagnostics_of(path);
    const fs::path expected = fs::path(path).replace_extension(".expected");
    if (update) std::ofstream(expected, std::ios::binary) << found;
    CHECK(found == bytes_of(expected));
    CHECK(found.find("[" + rule_of(path.stem().string()) + "]") != std::string::npos);
  }
}

TEST_CASE("every rule of check has a bad kernel") {
  std::set<std::string> seen;
  for (const fs::path& path : bad_specs()) seen.insert(rule_of(path.stem().string()));
  for (const Rule* rule : kCheckRules) CHECK_MESSAGE(seen.contains(std::string(rule->name)), rule->name);
}

TEST_CASE("rules of check have names of their own and summaries") {
  std::set<std::string_view> seen;
  for (const Rule* rule : kSpecRules) seen.insert(rule->name);
  for (const Rule* rule : kExpressionRules) seen.insert(rule->name);
  for (const Rule* rule : kCheckRules) {
    CHECK_MESSAGE(seen.insert(rule->name).second, rule->name);
    CHECK(!rule->summary.empty());
  }
}
