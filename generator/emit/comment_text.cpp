#include "comment_text.h"

#include <algorithm>

namespace pallasgen {

namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

}  // namespace

std::vector<std::string> comment_lines(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n' || c == '\r') {
      lines.emplace_back();
    } else {
      lines.back() += is_control(c) ? ' ' : c;
    }
  }
  for (std::string& line : lines) line.erase(line.find_last_not_of(' ') + 1);
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

std::string comment_line(const std::string& text) {
  if (std::none_of(text.begin(), text.end(), is_control)) return text;
  std::string out;
  for (const std::string& line : comment_lines(text)) {
    const size_t begin = line.find_first_not_of(' ');
    if (begin != std::string::npos) out += (out.empty() ? "" : " ") + line.substr(begin);
  }
  return out;
}

}  // namespace pallasgen
