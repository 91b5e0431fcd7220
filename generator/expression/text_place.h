#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "diagnostics/source.h"

namespace pallasgen {

inline bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Maps the bytes of a scalar's text to their places in its source. YAML may have folded line breaks and replaced
// escapes, so the two are compared byte by byte; if they do not match, every place is the whole span.
class TextPlace {
 public:
  TextPlace(std::string_view text, Span span);

  // The place of text[begin, end).
  Span at(size_t begin, size_t end) const;

 private:
  Span span_;
  size_t size_;
  bool whole_ = false;
  std::vector<uint32_t> offsets_;  // one per byte and one for the end; empty if the text is its source byte for byte
};

}  // namespace pallasgen
