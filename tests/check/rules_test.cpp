#include "check/rules.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "expression/rules.h"
#include "spec/rules.h"

using namespace pallasgen;

TEST_CASE("rules of the front end have names that files may have, each once, and a summary") {
  std::set<std::string_view> seen;
  const auto good = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  const auto take = [&](const auto& rules) {
    for (const Rule* rule : rules) {
      CHECK_MESSAGE(seen.insert(rule->name).second, rule->name);
      CHECK_MESSAGE(std::all_of(rule->name.begin(), rule->name.end(), good), rule->name);
      CHECK_MESSAGE(!rule->summary.empty(), rule->name);
    }
  };
  take(kSpecRules);
  take(kExpressionRules);
  take(kCheckRules);
}
