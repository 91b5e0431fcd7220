#include <dtl/dtl.hpp>
#include <sstream>
#include <tuple>
#include <vector>

#include "output/output.h"

// dtl 1.20 has a const member function that Clang refuses, so this function has its own file, which Clang's tools skip.
namespace pallasgen {

namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) {
      lines.back() += "\n\\ No newline at end of file";
      break;
    }
    text.remove_prefix(end + 1);
  }
  return lines;
}

}  // namespace

std::string unified_diff(const std::string& from_name, std::string_view from, const std::string& to_name,
                         std::string_view to) {
  if (from == to) return "";
  dtl::Diff<std::string> diff(lines_of(from), lines_of(to));
  diff.onHuge();
  diff.compose();
  diff.composeUnifiedHunks();
  std::ostringstream text;
  text << "--- " << from_name << "\n+++ " << to_name << "\n";
  diff.printUnifiedFormat(text);
  std::string hunks = text.str();
  // For an empty text dtl writes line 1, while `patch` and git expect line 0.
  for (const auto& [empty, wrong, right] :
       {std::tuple(from.empty(), "@@ -1,0 ", "@@ -0,0 "), {to.empty(), " +1,0 @@", " +0,0 @@"}})
    if (const size_t at = hunks.find(wrong); empty && at != std::string::npos) hunks.replace(at, 8, right);
  return hunks;
}

}  // namespace pallasgen
