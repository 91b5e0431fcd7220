#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "drawing.h"

namespace pallasgen {

namespace {

// Advance of a character relative to the size: monospaced fonts have 0.55 (Consolas) to 0.62 (SF Mono).
constexpr double kAdvance = 0.62;

struct CodePoint {
  uint32_t value = 0;
  size_t bytes = 1;
};
// The code point at `at`; a byte that begins none is a code point of its own.
CodePoint code_point(std::string_view text, size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  const size_t bytes = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
  if (bytes == 1 || at + bytes > text.size()) return {first < 0x80 ? first : 0xFFFDU, 1};
  uint32_t value = first & (0xFFU >> (bytes + 1));
  for (size_t i = 1; i < bytes; ++i) value = (value << 6) | (static_cast<unsigned char>(text[at + i]) & 0x3FU);
  return {value, bytes};
}

// Columns of a character, generously: all from Hangul on take two, as wide ones do.
int columns_of(uint32_t point) { return point >= 0x1100 && point != 0x2026 && point != 0xFFFD ? 2 : 1; }

bool is_xml(uint32_t point) {
  return point == '\t' || point == '\n' || point == '\r' || (point >= 0x20 && point != 0xFFFE && point != 0xFFFF);
}

}  // namespace

std::string escaped_text(std::string_view text) {
  std::string escaped;
  for (size_t at = 0; at < text.size();) {
    const auto [point, bytes] = code_point(text, at);
    if (point == '&')
      escaped += "&amp;";
    else if (point == '<')
      escaped += "&lt;";
    else if (point == '>')
      escaped += "&gt;";
    else if (point == '"')
      escaped += "&quot;";
    else if (!is_xml(point) || (bytes == 1 && point == 0xFFFD))
      escaped += "\xEF\xBF\xBD";
    else
      escaped += text.substr(at, bytes);
    at += bytes;
  }
  return escaped;
}

std::string link_text(std::string_view path) {
  constexpr std::string_view kPlain = "-._~/";
  std::string text;
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    text += plain || kPlain.find(c) != std::string_view::npos ? std::string(1, c)
                                                              : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return text;
}

double text_width(std::string_view text, double size) {
  int columns = 0;
  for (size_t at = 0; at < text.size();) {
    const auto [point, bytes] = code_point(text, at);
    columns += columns_of(point);
    at += bytes;
  }
  return columns * size * kAdvance;
}

std::string fitted(std::string_view text, double room, double size) {
  if (text_width(text, size) <= room) return std::string(text);
  const auto most = static_cast<int>(std::floor(room / (size * kAdvance))) - 1;
  if (most < 1) return "";
  size_t end = 0;
  int columns = 0;
  while (end < text.size()) {
    const auto [point, bytes] = code_point(text, end);
    columns += columns_of(point);
    if (columns > most) break;
    end += bytes;
  }
  while (end > 0 && text[end - 1] == ' ') --end;
  return end == 0 ? "" : std::string(text.substr(0, end)) + "\xE2\x80\xA6";
}

std::vector<std::string> wrapped(std::string_view text, double room, double size) {
  std::vector<std::string> lines;
  std::string line;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find_first_of(" \n", at), text.size());
    const std::string word(text.substr(at, end - at));
    const std::string longer = line.empty() ? word : line + " " + word;
    if (line.empty() || text_width(longer, size) <= room) {
      line = longer;
    } else {
      lines.push_back(fitted(line, room, size));
      line = word;
    }
    at = end + 1;
  }
  if (!line.empty()) lines.push_back(fitted(line, room, size));
  return lines;
}

}  // namespace pallasgen
