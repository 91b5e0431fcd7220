#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "diagnostics/source.h"

namespace pallasgen {

inline bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Where the bytes of a scalar's text stand in its source. YAML may have folded line breaks and replaced escapes; then
// the two are walked side by side, and where that fails every place is the whole span.
class TextPlace {
 public:
  TextPlace(std::string_view text, Span span);

  // The place of text[begin, end).
  Span at(size_t begin, size_t end) const;

 private:
  Span span_;
  size_t size_;
  bool whole_ = false;
  std::vector<uint32_t> offsets_;  // one per byte and one for the end; empty when the text is its source byte for byte
};

}  // namespace pallasgen
