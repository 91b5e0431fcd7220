#pragma once
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "child.h"

// Programs with a mistake planted by name (planted/*.cu), run in every mode that is built.

inline constexpr int kWrongNumbers = 1, kRule = 81, kDeadlock = 82, kNoProgress = 84, kCrash = 85, kAddress = 87,
                     kRace = 88;

inline const std::vector<std::string> kPolicies = {"policy=late", "policy=early", "copies=early,mma=late",
                                                   "copies=late,mma=early", "policy=random,seed=1"};

enum Found { kAlways, kSometimes, kByLuck, kNever };  // in every policy, in at least one, unpredictably, in none

struct Planted {
  const char* name;
  Found plain;
  std::vector<int> codes;  // allowed exit codes of plain runs
  std::vector<int> race;   // exit codes of runs under ThreadSanitizer, all of which find it
};

inline std::string list(const std::vector<ChildResult>& results) {
  std::string codes;
  for (const ChildResult& result : results) codes += " " + std::to_string(result.code);
  return codes + "\n" + results.front().output;
}

inline std::vector<ChildResult> run_all(const std::string& program, const char* name) {
  std::vector<ChildResult> results;
  for (const std::string& policy : kPolicies) results.push_back(run_program("./" + program, name, policy));
  return results;
}

inline void check_found(Found wanted, const std::vector<ChildResult>& results) {
  size_t found = 0;
  for (const ChildResult& result : results) found += result.code != 0;
  INFO("exit codes: ", list(results));
  if (wanted == kAlways) CHECK(found == results.size());
  if (wanted == kSometimes) CHECK(found > 0);
  if (wanted == kNever) CHECK(found == 0);
}

inline bool contains(const std::vector<int>& codes, int code) {
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

inline bool has_mode(const std::string& program) { return access(("./" + program).c_str(), X_OK) == 0; }

template <size_t N>
void test_program(const std::string& program, const Planted (&table)[N]) {
  for (const Planted& planted : table) {
    CAPTURE(std::string(planted.name));
    {
      INFO("plain");
      const auto results = run_all(program, planted.name);
      check_found(planted.plain, results);
      for (const ChildResult& result : results) {
        INFO(result.output);
        CHECK_MESSAGE((result.code == 0 || contains(planted.codes, result.code)), "exit code ", result.code);
      }
    }
    if (has_mode(program + "_thread")) {
      INFO("ThreadSanitizer");
      for (const ChildResult& result : run_all(program + "_thread", planted.name)) {
        INFO(result.output);
        CHECK_MESSAGE(contains(planted.race, result.code), "exit code ", result.code);
      }
    }
    if (has_mode(program + "_address")) {
      INFO("AddressSanitizer");
      const ChildResult result = run_program("./" + program + "_address", planted.name, "policy=random,seed=2");
      if (planted.plain == kAlways) CHECK(result.code != 0);
    }
  }
}
