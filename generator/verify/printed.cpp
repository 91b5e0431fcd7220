#include "printed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <regex>

namespace pallasgen {
namespace {

constexpr double kSixDigits = 1e-5;

// Splits a line into numbers and the text between them: text, number, text, number, …, text.
std::vector<std::string> pieces(const std::string& line) {
  static const std::regex kNumber("[-+]?([0-9]+\\.?[0-9]*(e[-+]?[0-9]+)?|inf|nan)");
  std::vector<std::string> list;
  std::string rest = line;
  for (std::smatch found; std::regex_search(rest, found, kNumber); rest = found.suffix()) {
    list.push_back(found.prefix());
    list.push_back(found.str());
  }
  list.push_back(rest);
  return list;
}

bool is_integer(const std::string& text) {
  return text.find_first_not_of("0123456789", text.starts_with('-') ? 1 : 0) == std::string::npos;
}

bool same_number(const std::string& got, const std::string& want, double tolerance) {
  if (got == want) return true;
  const double a = std::strtod(got.c_str(), nullptr), b = std::strtod(want.c_str(), nullptr);
  if (is_integer(got) && is_integer(want)) return a == 0 && b == 0;  // one of them is -0
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || (std::isfinite(b) && std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b)));
}

bool same_line(const std::string& got, const std::string& want, double tolerance) {
  const std::vector<std::string> a = pieces(got), b = pieces(want);
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (i % 2 == 1 ? !same_number(a[i], b[i], tolerance) : a[i] != b[i]) return false;
  return a.size() == b.size();
}

}  // namespace

bool has_print(const Kernel& kernel) {
  bool found = false;
  for_each_statement(kernel.body, [&](const KernelStmt& statement) {
    found = found || std::holds_alternative<PrintStmt>(statement.node);
  });
  return found;
}

std::string compare_printed(std::vector<std::string> got, std::vector<std::string> want, double tolerance,
                            const std::string& got_by, const std::string& want_by) {
  std::sort(got.begin(), got.end());
  std::sort(want.begin(), want.end());
  std::vector<std::string> only_got, only_want;
  std::set_difference(got.begin(), got.end(), want.begin(), want.end(), std::back_inserter(only_got));
  std::set_difference(want.begin(), want.end(), got.begin(), got.end(), std::back_inserter(only_want));
  for (const std::string& line : only_got) {
    const auto twin = std::find_if(only_want.begin(), only_want.end(), [&](const std::string& other) {
      return same_line(line, other, std::max(tolerance, kSixDigits));
    });
    if (twin == only_want.end()) return fmt::format("{} prints \"{}\", {} does not", got_by, line, want_by);
    only_want.erase(twin);
  }
  return only_want.empty() ? "" : fmt::format("{} prints \"{}\", {} does not", want_by, only_want.front(), got_by);
}

}  // namespace pallasgen
