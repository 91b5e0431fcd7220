#include <doctest/doctest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "names/language.h"

using namespace pallasgen;
namespace fs = std::filesystem;

namespace {

// The words of all specs of tests/oracle/cases, without those of their `doc`.
std::set<std::string> words_of_oracle_cases() {
  std::set<std::string> words;
  for (const auto& entry : fs::directory_iterator(fs::path(PALLASGEN_SOURCE_DIR) / "tests/oracle/cases")) {
    std::ifstream file(entry.path() / "spec.yaml");
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("doc:") || line.starts_with("kernel:")) continue;
      std::string word;
      for (const char c : line + ' ') {
        if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
          word += c;
        } else if (!word.empty()) {
          words.insert(std::move(word));
          word.clear();
        }
      }
    }
  }
  return words;
}

}  // namespace

TEST_CASE("every operation, word and dtype of the language has a case made by NumPy or JAX") {
  const std::set<std::string> without = {"in", "is", "lambda"};  // words of Python that are only placeholders
  const std::set<std::string> words = words_of_oracle_cases();
  for (const std::string& name : language_names()) {
    if (is_later_operation(name)) continue;
    CHECK_MESSAGE(words.contains(name) != without.contains(name), name);
  }
}
