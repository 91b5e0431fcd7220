#pragma once

#include <string>
#include <vector>

namespace pallasgen {

// A text of the user's as it may stand behind `//`: its lines without control characters and without blanks at their
// ends, and without empty lines at its end.
std::vector<std::string> comment_lines(const std::string& text);

// The same on one line: lines are joined by blanks.
std::string comment_line(const std::string& text);

}  // namespace pallasgen
