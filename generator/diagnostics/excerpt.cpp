#include "excerpt.h"

#include <algorithm>
#include <vector>

namespace pallasgen {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::string_view kEllipsis = "\xE2\x80\xA6";
constexpr size_t kWidest = 160;  // a longer line is cut
constexpr size_t kBefore = 60;   // bytes of such a line that are kept before the span

// Length in bytes of the valid UTF-8 sequence at the start of `text`, 0 if there is none.
size_t sequence_length(std::string_view text) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  unsigned char first = byte(0);
  size_t length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
  if (length == 0 || first > 0xF4 || length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  return length;
}

// One code point as printable text, with the byte offset where it began.
struct Piece {
  std::string text;
  size_t offset;
};

std::vector<Piece> pieces_of(std::string_view text) {
  std::vector<Piece> pieces;
  for (size_t i = 0; i < text.size();) {
    unsigned char c = static_cast<unsigned char>(text[i]);
    size_t length = sequence_length(text.substr(i));
    if (c == '\t' || c == '\n' || c == '\r') {
      pieces.push_back({" ", i});
    } else if (length == 0 || c < 0x20 || c == 0x7F || (c == 0xC2 && static_cast<unsigned char>(text[i + 1]) < 0xA0)) {
      pieces.push_back({std::string(kReplacement), i});
    } else {
      pieces.push_back({std::string(text.substr(i, length)), i});
    }
    i += std::max<size_t>(length, 1);
  }
  return pieces;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  for (const Piece& piece : pieces_of(text)) out += piece.text;
  return out;
}

Excerpt excerpt_of(Span span) {
  std::string_view text = span.source->text();
  std::string_view line = span.source->line_at(span.begin);
  size_t line_start = static_cast<size_t>(line.data() - text.data());
  size_t begin = std::min<size_t>(span.begin, text.size()) - line_start;
  size_t end = std::min<size_t>(std::max<size_t>(span.end, span.begin) - line_start, line.size());

  // Only the bytes near the span of a long line are converted; a cut may fall into a code point.
  size_t from = 0, to = line.size();
  if (line.size() > kWidest) {
    from = begin > kBefore ? begin - kBefore : 0;
    to = std::min(line.size(), from + kWidest);
    while (from < begin && (static_cast<unsigned char>(line[from]) & 0xC0) == 0x80) ++from;
    while (to > from && to < line.size() && (static_cast<unsigned char>(line[to]) & 0xC0) == 0x80) --to;
  }
  Excerpt out{from > 0 ? std::string(kEllipsis) : std::string(), from > 0 ? 1 : 0, 0};
  for (const Piece& piece : pieces_of(line.substr(from, to - from))) {
    out.line += piece.text;
    if (from + piece.offset < begin) ++out.caret;
    if (from + piece.offset >= begin && from + piece.offset < end) ++out.length;
  }
  if (to < line.size()) out.line += kEllipsis;
  out.length = std::max(out.length, 1);
  return out;
}

}  // namespace pallasgen
