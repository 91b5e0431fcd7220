#include "lines.h"

#include <algorithm>

namespace pallasgen::tile {

namespace {

// Calls `visit(i)` for each byte outside of brackets and quotes until `visit` returns true.
template <class Visit>
void outside_brackets(std::string_view text, Visit&& visit) {
  int depth = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
      continue;
    }
    if (c == '"') quoted = true;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (depth == 0 && visit(i)) return;
    if (c == '(' || c == '[' || c == '{') ++depth;
  }
}

}  // namespace

Piece Piece::part(size_t from, size_t count) const {
  from = std::min(from, text.size());
  size_t end = from + std::min(count, text.size() - from);
  while (from < end && text[from] == ' ') ++from;
  while (end > from && text[end - 1] == ' ') --end;
  return {text.substr(from, end - from), span.sub(static_cast<uint32_t>(from), static_cast<uint32_t>(end))};
}

std::vector<Line> lines_of(const SourceText& source) {
  std::vector<Line> out;
  const std::string_view all = source.text();
  for (size_t begin = 0; begin < all.size();) {
    const size_t end = std::min(all.find('\n', begin), all.size());
    Piece piece{all.substr(begin, end - begin), {&source, static_cast<uint32_t>(begin), static_cast<uint32_t>(end)}};
    begin = end + 1;
    const size_t blanks = piece.text.find_first_not_of(' ');
    if (blanks == std::string_view::npos) continue;
    Line line;
    line.depth = static_cast<int>(blanks / 2);
    size_t cut = piece.text.size();
    outside_brackets(piece.text, [&](size_t i) {
      if (piece.text[i] != '#') return false;
      cut = i;
      return true;
    });
    line.text = piece.part(blanks, cut - blanks);
    if (cut < piece.text.size()) line.origin = piece.part(cut + 1).text;
    out.push_back(std::move(line));
  }
  return out;
}

bool take(const std::vector<Line>& lines, size_t& at, std::string_view text, int depth) {
  const bool is = at < lines.size() && lines[at].depth == depth && lines[at].text.text == text;
  if (is) ++at;
  return is;
}

std::vector<Piece> split(const Piece& piece, std::string_view separator) {
  std::vector<Piece> out;
  size_t from = 0;
  outside_brackets(piece.text, [&](size_t i) {
    if (i < from || piece.text.substr(i, separator.size()) != separator) return false;
    out.push_back(piece.part(from, i - from));
    from = i + separator.size();
    return false;
  });
  const Piece last = piece.part(from);
  if (!out.empty() || !last.text.empty()) out.push_back(last);
  return out;
}

std::optional<std::pair<Piece, Piece>> split_once(const Piece& piece, std::string_view separator) {
  size_t at = std::string_view::npos;
  outside_brackets(piece.text, [&](size_t i) {
    if (piece.text.substr(i, separator.size()) != separator) return false;
    at = i;
    return true;
  });
  if (at == std::string_view::npos) return std::nullopt;
  return std::pair{piece.part(0, at), piece.part(at + separator.size())};
}

WithAttributes attributes_of(Piece piece) {
  WithAttributes out;
  if (!piece.text.empty() && piece.text.back() == ':') {
    out.opens = true;
    piece = piece.part(0, piece.text.size() - 1);
  }
  size_t open = std::string_view::npos;
  outside_brackets(piece.text, [&](size_t i) {
    if (piece.text[i] == '{') open = i;
    return false;
  });
  const bool closed = !piece.text.empty() && piece.text.back() == '}';
  if (open == std::string_view::npos || !closed) {
    out.text = piece;
    return out;
  }
  out.text = piece.part(0, open);
  out.attributes = split(piece.part(open + 1, piece.text.size() - open - 2), ",");
  return out;
}

}  // namespace pallasgen::tile
