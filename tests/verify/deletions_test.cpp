#include <cstdlib>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "../plan/planned.h"
#include "interpret/interpret.h"
#include "plan/passes.h"
#include "tile/text.h"

using namespace pallasgen;

namespace {

struct Case {
  Arguments arguments;
  std::map<std::string, Array> want;
};

// Returns the fault of interpreting the tile program; empty if its result is right.
std::string fault(const tile::Program& program, const Case& of) {
  Diagnostics diagnostics;
  const auto got = interpret(program, of.arguments, {}, diagnostics);
  if (!got) return diagnostics.all().front().message;
  for (const auto& [name, array] : of.want) {
    if (!compare(got->at(name), array, 0).equal) return name + " differs";
  }
  return "";
}

std::string fault(const tile::Program& program, const std::vector<Case>& cases) {
  std::string found;
  for (size_t i = 0; i < cases.size() && found.empty(); ++i) found = fault(program, cases[i]);
  return found;
}

std::vector<Case> cases_of(const Kernel& kernel, const tile::Program& whole) {
  std::vector<Case> out;
  for (const auto& test : kernel.tests) {
    Diagnostics said;
    Case of{seeded_arguments(kernel, test, said), {}};
    REQUIRE_MESSAGE(!said.has_errors(), render(said, ErrorFormat::text, false));
    const auto want = interpret(whole, of.arguments, {}, said);
    if (!want) continue;  // a test of a kernel that checks its arguments
    of.want = *want;
    out.push_back(std::move(of));
  }
  return out;
}

// A line of a program's text, by its number, and its replacement.
struct Change {
  size_t number;
  std::string line, instead;
};

// Adds changes of a sync or a fence that leave out one of the channels that it orders. The last channel moves to the
// other list, since a line without channels orders all of them.
void add_changes_of_orders(size_t number, const std::string& line, std::vector<Change>& out) {
  static const std::regex list("(filled|read)\\(([^)]*)\\)"), name("[^ ]+");
  std::vector<std::pair<size_t, size_t>> names;  // places and lengths
  for (std::sregex_iterator found(line.begin(), line.end(), list), end; found != end; ++found) {
    const std::string channels = (*found)[2];
    for (std::sregex_iterator each(channels.begin(), channels.end(), name); each != end; ++each)
      names.emplace_back(found->position(2) + each->position(), each->length());
  }
  for (const auto& [at, length] : names) {
    std::string instead = line;
    if (names.size() > 1)
      instead = std::regex_replace(instead.erase(at, length), std::regex("(filled|read)\\( *\\)"), "");
    else
      instead = line.find("filled(") == std::string::npos ? std::regex_replace(line, std::regex("read\\("), "filled(")
                                                          : std::regex_replace(line, std::regex("filled\\("), "read(");
    out.push_back({number, line, instead});
  }
}

// Returns changes that delete each line of the protocol, let waits leave one more running, or leave out a channel that
// a sync or a fence orders.
std::vector<Change> changes(const std::string& text) {
  static const std::set<std::string> words = {"commit",   "wait_copies", "sync",      "advance",     "wait_free",
                                              "expect",   "fill",        "release",   "fence_proxy", "wait_full",
                                              "wait_mma", "wait_stores", "take_turn", "pass_turn",   "clear"};
  std::vector<Change> out;
  std::istringstream lines(text);
  std::string line;
  for (size_t number = 0; std::getline(lines, line); ++number) {
    const size_t first = line.find_first_not_of(' ');
    std::istringstream rest(line);
    std::string word, pending;
    rest >> word >> pending;
    if (!words.count(word) || pending == "=" || word.back() == ':') continue;
    out.push_back({number, line, ""});
    add_changes_of_orders(number, line, out);
    if (!word.starts_with("wait_") || !std::isdigit(static_cast<unsigned char>(pending[0]))) continue;
    const size_t digits = first + word.size() + 1;
    out.push_back(
        {number, line,
         line.substr(0, digits) + std::to_string(std::stoi(pending) + 1) + line.substr(digits + pending.size())});
  }
  return out;
}

std::string changed(const std::string& text, const Change& change) {
  std::istringstream lines(text);
  std::string line, out;
  for (size_t number = 0; std::getline(lines, line); ++number) {
    if (number != change.number) out += line + "\n";
    if (number == change.number && !change.instead.empty()) out += change.instead + "\n";
  }
  return out;
}

}  // namespace

TEST_CASE("each statement of the protocol that is deleted from a tile program or weakened is found") {
  const std::map<std::string, std::vector<Define>> specs = {
      {"specs/matmul/matmul.yaml", {{"bn", "64"}, {"bk", "32"}}},
      {"specs/matmul/matmul_any.yaml", {{"bk", "16"}, {"pipeline.stages", "2"}}}};
  const std::string root = PALLASGEN_SOURCE_DIR;
  std::vector<std::string> words, paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root + "/specs")) {
    if (entry.path().extension() == ".yaml") paths.push_back(std::filesystem::relative(entry.path(), root).string());
  }
  for (const char* corner : {"operand_beyond_registers", "operand_of_step_before", "operand_of_step_ahead",
                             "products_alone", "products_alone_one_slot", "products_alone_in_loops",
                             "products_alone_of_columns", "slices_of_operands", "slices_in_turns"})
    paths.push_back(std::string("tests/corners/") + corner + ".yaml");
  // Every other one of a program, from the first or the second in turn.
  const size_t one_in = std::getenv("PALLASGEN_ALL") ? 1 : 2;
  size_t next = 0;
  for (const std::string& path : paths) {
    const auto defines = specs.find(path);
    // By its whole path, since the files of its tests are relative to it.
    const Planned planned(text_of(path), defines == specs.end() ? std::vector<Define>() : defines->second, "",
                          root + "/" + path);
    if (!planned.plan) continue;
    const Kernel& kernel = *planned.plan->kernel;
    const tile::Program& whole = planned.plan->lowered->program;
    const std::string text = tile::to_text(whole);
    const std::vector<Change> all = changes(text);
    if (all.empty()) continue;
    const std::vector<Case> cases = cases_of(kernel, whole);
    REQUIRE(fault(whole, cases) == "");
    for (size_t i = next++ % one_in; i < all.size(); i += one_in) {
      const Change& change = all[i];
      Sources sources;
      Diagnostics diagnostics;
      const auto read = tile::read_text(sources.add("k.tile", changed(text, change)), diagnostics);
      CAPTURE(path);
      CAPTURE(change.number);
      CAPTURE(change.line);
      CAPTURE(change.instead);
      REQUIRE(read);
      CHECK(fault(*read, cases) != "");
      std::istringstream(change.line) >> words.emplace_back();
    }
  }
  CHECK(std::set<std::string>(words.begin(), words.end()).size() == 15);
}
