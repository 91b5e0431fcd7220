#pragma once
#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

// The tables of CuTe (tests/oracle/layouts), read once each.
inline const nlohmann::json& oracle(const std::string& name) {
  static std::map<std::string, nlohmann::json> tables;
  auto found = tables.find(name);
  if (found == tables.end()) {
    std::ifstream file(std::string(PALLASGEN_SOURCE_DIR) + "/tests/oracle/layouts/" + name + ".json");
    REQUIRE_MESSAGE(file.good(), "no table ", name);
    found = tables.emplace(name, nlohmann::json::parse(file)).first;
  }
  return found->second;
}
