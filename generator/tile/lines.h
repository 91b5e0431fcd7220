#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnostics/diagnostic.h"

namespace pallasgen::tile {

// A piece of a source.
struct Piece {
  std::string_view text;
  Span span;

  // Returns `count` bytes from byte `from` on, without the blanks at both ends.
  Piece part(size_t from, size_t count = std::string_view::npos) const;
  bool starts(std::string_view word) const { return text.substr(0, word.size()) == word; }
};

// One line of a tile program.
struct Line {
  int depth = 0;  // number of blocks around it, two blanks each
  Piece text;     // without the origin
  std::string origin;
};

std::vector<Line> lines_of(const SourceText& source);
// True if the line `at` is this one; `at` is then that of the next one.
bool take(const std::vector<Line>& lines, size_t& at, std::string_view text, int depth);
// The parts between separators outside of brackets and quotes; none for an empty text.
std::vector<Piece> split(const Piece& piece, std::string_view separator);
// Splits at the first such separator only; nothing if there is none.
std::optional<std::pair<Piece, Piece>> split_once(const Piece& piece, std::string_view separator);
// `text {a, b}` as its text and its attributes, after the colon that opens a block, if any, is removed.
struct WithAttributes {
  Piece text;
  std::vector<Piece> attributes;
  bool opens = false;
};
WithAttributes attributes_of(Piece piece);

}  // namespace pallasgen::tile
