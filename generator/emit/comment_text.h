#pragma once

#include <string>
#include <vector>

namespace pallasgen {

// The lines of a user's text in a form that can follow `//`: without control characters, without blanks at the ends of
// lines, and without empty lines at the end.
std::vector<std::string> comment_lines(const std::string& text);

// The same text on one line, its lines joined by blanks.
std::string comment_line(const std::string& text);

}  // namespace pallasgen
