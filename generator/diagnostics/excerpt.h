#pragma once

#include <string>
#include <string_view>

#include "diagnostics/source.h"

namespace pallasgen {

// The line that holds the start of a span, made printable: a long line is cut around the span, unprintable bytes are
// replaced, and tabs become single spaces.
struct Excerpt {
  std::string line;
  int caret;   // code points before the span
  int length;  // code points of the span on this line, at least 1
};

Excerpt excerpt_of(Span span);

// The text as valid UTF-8 on one line: U+FFFD for bad bytes and control characters, spaces for tabs and line breaks.
std::string printable(std::string_view text);

}  // namespace pallasgen
