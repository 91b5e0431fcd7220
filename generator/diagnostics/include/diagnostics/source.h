#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace pallasgen {

// One file as it was read: its bytes and where its lines start. It is immutable, and spans point into it.
class SourceText {
 public:
  SourceText(std::string path, std::string text);

  const std::string& path() const { return path_; }
  std::string_view text() const { return text_; }

  struct Position {
    int line;    // from 1
    int column;  // from 1, in UTF-8 code points
  };
  // The position of a byte offset; an offset past the end counts as the end.
  Position position(uint32_t offset) const;
  // The line that holds `offset`, without its line break.
  std::string_view line_at(uint32_t offset) const;

 private:
  std::string path_;
  std::string text_;
  std::vector<uint32_t> line_starts_;
};

// Bytes [begin, end) of one source. A span without a source has no place ("the command line", "the tool").
struct Span {
  const SourceText* source = nullptr;
  uint32_t begin = 0;
  uint32_t end = 0;

  bool operator==(const Span&) const = default;
  // True if both begin at the same byte of the same source.
  bool begins_as(const Span& other) const { return source == other.source && begin == other.begin; }

  // Bytes [from, to) of this span, counted from its start.
  Span sub(uint32_t from, uint32_t to) const { return {source, begin + from, begin + to}; }
};

// The smallest span that holds both `a` and `b`; `a` if they are of different sources.
Span join(Span a, Span b);

// Owns sources for as long as anything may point into them (the whole run of a command).
class Sources {
 public:
  const SourceText& add(std::string path, std::string text) {
    return texts_.emplace_back(std::move(path), std::move(text));
  }

 private:
  std::deque<SourceText> texts_;
};

}  // namespace pallasgen
