#include <cstdlib>
#include <regex>
#include <set>

#include "planned.h"

using namespace pallasgen;

namespace {

// Parses "bm 128 and stages 3 works" as defines; empty if the note names no numbers.
std::vector<Define> changes(const std::string& note) {
  static const std::regex whole("((, | and )?[A-Za-z_]+ [0-9]+)+ works"), part("([A-Za-z_]+) ([0-9]+)");
  std::vector<Define> defines;
  if (!std::regex_match(note, whole)) return defines;
  for (std::sregex_iterator it(note.begin(), note.end(), part), end; it != end; ++it) {
    const std::string name = (*it)[1];
    const bool setting = name == "stages" || name == "compute_warpgroups" || name == "delay_release";
    defines.push_back({setting ? "pipeline." + name : name, (*it)[2]});
  }
  return defines;
}

std::vector<Define> with(std::vector<Define> defines, const std::vector<Define>& over) {
  for (const Define& define : over) {
    for (Define& known : defines) {
      if (known.name == define.name) known.value = define.value;
    }
  }
  return defines;
}

std::string number_at(const std::string& text, const std::regex& pattern) {
  std::smatch match;
  return std::regex_search(text, match, pattern) ? match[1].str() : "";
}

}  // namespace

TEST_CASE("every value that a refused matmul names works") {
  int refused = 0, tried = 0, planned_count = 0, by_elements = 0;
  std::set<std::string> rules;
  const int one_in = std::getenv("PALLASGEN_ALL") ? 10 : 30;
  for (const int bm : {64, 96, 128, 192, 256}) {
    for (const int bn : {24, 64, 192, 256, 264}) {
      for (const int bk : {24, 64, 128}) {
        for (const int groups : {1, 2, 3, 4}) {
          for (const int stages : {1, 4, 6}) {
            for (const char* trans_b : {"false", "true"}) {
              const std::vector<Define> defines = {{"bm", std::to_string(bm)},
                                                   {"bn", std::to_string(bn)},
                                                   {"bk", std::to_string(bk)},
                                                   {"trans_b", trans_b},
                                                   {"pipeline.stages", std::to_string(stages)},
                                                   {"pipeline.compute_warpgroups", std::to_string(groups)}};
              // A few of them, spread over all: the test is of the search, not of the reader.
              if ((bm * 7 + bn * 5 + bk * 3 + groups * 11 + stages * 13) % one_in != 0) continue;
              const Planned first = library("matmul/matmul.yaml", defines);
              // A plan by elements counts as refused by the tensor cores: its warning names the values that they need.
              if (first.plan && !first.has_scalar_dot()) {
                ++planned_count;
                continue;
              }
              ++refused;
              by_elements += first.plan.has_value();
              int offers = 0;
              for (const Diagnostic& diagnostic : first.diagnostics.all()) {
                rules.insert(diagnostic.rule);
                for (const Note& note : diagnostic.notes) {
                  const std::vector<Define> over = changes(note.message);
                  if (over.empty()) continue;
                  CAPTURE(first.errors());
                  const Planned again = library("matmul/matmul.yaml", with(defines, over));
                  CHECK_MESSAGE((again.plan && !again.has_scalar_dot()), again.errors());
                  ++offers;
                }
              }
              CHECK_MESSAGE(offers > 0, first.errors());
              tried += offers;
            }
          }
        }
      }
    }
  }
  CHECK(refused > 20);
  CHECK(tried > refused);
  CHECK(planned_count > 2);
  CHECK(by_elements > 2);
  CHECK(rules.contains("slow-path"));
  CHECK(rules.contains("shared-memory"));
}

TEST_CASE("a refusal of shared memory gives the exact sum and the stages that fit") {
  const std::vector<Define> defines = {{"pipeline.stages", "5"}};
  const Planned planned = library("matmul/matmul_gelu.yaml", defines);
  CHECK(!planned.plan.has_value());
  const std::string text = planned.errors();
  CHECK(text.find("81,920 for 5 slots of 'a', 163,840 for 5 slots of 'b'") != std::string::npos);
  CHECK(text.find("4 stages fit") != std::string::npos);
  CHECK(number_at(text, std::regex("needs ([0-9,]+) of 232,448 bytes")) == "250,880");
  CHECK(library("matmul/matmul_gelu.yaml", {{"pipeline.stages", "4"}}).plan.has_value());
}

TEST_CASE("consts that name two sizes move together") {
  std::string text = text_of("specs/matmul/matmul_gelu.yaml");
  for (const std::string name : {"bn", "bk"}) {
    text = std::regex_replace(text, std::regex("\\b" + name + "\\b(?!:)"), "bm");
    text = std::regex_replace(text, std::regex("\n  " + name + ": [0-9]+"), "");
  }
  const Planned planned(text, {{"bm", "256"}});
  REQUIRE_MESSAGE(planned.kernel.has_value(), planned.errors());
  CHECK(!planned.plan.has_value());
  int offers = 0;
  for (const Diagnostic& diagnostic : planned.diagnostics.all()) {
    for (const Note& note : diagnostic.notes) {
      const std::vector<Define> over = changes(note.message);
      if (over.empty()) continue;
      const Planned again(text,
                          with({{"bm", "256"}, {"pipeline.stages", "4"}, {"pipeline.compute_warpgroups", "2"}}, over));
      CHECK_MESSAGE(again.plan.has_value(), again.errors());
      ++offers;
    }
  }
  CHECK(offers > 0);
}
