#pragma once

#include <string>
#include <string_view>

#include "diagnostics/source.h"

namespace pallasgen {

// The line that holds the begin of a span, made fit to print: long lines are cut around the span, what is not printable
// is replaced, tabs become single spaces.
struct Excerpt {
  std::string line;
  int caret;   // code points before the span
  int length;  // code points that the span takes on this line, at least 1
};

Excerpt excerpt_of(Span span);

// Valid UTF-8 that prints on one line: bad bytes and control characters become U+FFFD, tabs and line breaks spaces.
std::string printable(std::string_view text);

}  // namespace pallasgen
