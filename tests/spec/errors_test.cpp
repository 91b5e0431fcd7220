#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "expression/rules.h"
#include "spec/rules.h"
#include "spec/spec.h"

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

std::vector<std::string> rules_of_stage() {
  std::vector<std::string> names;
  for (const Rule* rule : kSpecRules) names.emplace_back(rule->name);
  for (const Rule* rule : kExpressionRules) names.emplace_back(rule->name);
  return names;
}

// `<rule>` or `<rule>-variant`; the longest rule that fits, empty when none of this stage does.
std::string rule_of(const std::string& stem) {
  std::string best;
  for (const std::string& rule : rules_of_stage()) {
    bool fits = stem == rule || stem.starts_with(rule + "-");
    if (fits && rule.size() > best.size()) best = rule;
  }
  return best;
}

// Lines `# -D name=value` at the begin of a bad spec are its command line.
std::vector<Define> defines_of(const std::string& text) {
  std::vector<Define> defines;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line) && line.starts_with("# -D ");) {
    size_t equals = line.find('=');
    defines.push_back({line.substr(5, equals - 5), line.substr(equals + 1)});
  }
  return defines;
}

std::string diagnostics_of(const fs::path& path) {
  Sources sources;
  Diagnostics diagnostics;
  std::string text = bytes_of(path);
  const SourceText& source = sources.add("tests/errors/" + path.filename().string(), text);
  CHECK(!read_spec(source, defines_of(text), sources, diagnostics).has_value());
  return render(diagnostics, ErrorFormat::text, false);
}

std::vector<fs::path> bad_specs() {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(kFolder)) {
    bool spec = entry.path().extension() == ".yaml" && !rule_of(entry.path().stem().string()).empty();
    if (spec) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

TEST_CASE("every bad spec gives its expected diagnostics") {
  bool update = std::getenv("PALLASGEN_UPDATE") != nullptr;
  for (const fs::path& path : bad_specs()) {
    CAPTURE(path.string());
    std::string found = diagnostics_of(path);
    fs::path expected = fs::path(path).replace_extension(".expected");
    if (update) std::ofstream(expected, std::ios::binary) << found;
    CHECK(found == bytes_of(expected));
    CHECK(found.find("[" + rule_of(path.stem().string()) + "]") != std::string::npos);
  }
}

TEST_CASE("every rule of the stage has a bad spec") {
  std::set<std::string> seen;
  for (const fs::path& path : bad_specs()) seen.insert(rule_of(path.stem().string()));
  for (const std::string& rule : rules_of_stage()) {
    // A spec of 16 MiB is made by a test of its own.
    if (rule != kFileSize.name) CHECK_MESSAGE(seen.contains(rule), rule);
  }
}

TEST_CASE("rules have names that files may have, each once, and a summary") {
  std::set<std::string> seen;
  auto good = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  for (const std::string& rule : rules_of_stage()) {
    CHECK_MESSAGE(seen.insert(rule).second, rule);
    CHECK_MESSAGE(std::all_of(rule.begin(), rule.end(), good), rule);
  }
  for (const Rule* rule : kSpecRules) CHECK(!rule->summary.empty());
  for (const Rule* rule : kExpressionRules) CHECK(!rule->summary.empty());
}
