// Compiled by scripts/test.py to measure how fast the machine is; never run. It must not change: the budget's unit.
#include <algorithm>
#include <map>
#include <regex>
#include <string>
#include <variant>
#include <vector>

using Value = std::variant<long, double, std::string, std::vector<std::string>>;

std::map<std::string, Value> values(const std::string& text) {
  static const std::regex line("([a-z]+) *= *([^;]*);");
  std::map<std::string, Value> found;
  for (std::sregex_iterator match(text.begin(), text.end(), line), end; match != end; ++match)
    found[(*match)[1].str()] = (*match)[2].str();
  return found;
}

std::vector<std::string> names(const std::map<std::string, Value>& values) {
  std::vector<std::string> sorted;
  for (const auto& [name, value] : values)
    sorted.push_back(std::visit([&](const auto& held) { return name + std::to_string(sizeof held); }, value));
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.size() < b.size() || a < b; });
  return sorted;
}
