#pragma once

#include <string>

namespace pallasgen::test {

// Returns the result of a pass for the statements `body` of the only role of a tile program, or for its whole kernel if
// `body` begins with a channel or a role: the lines after `kernel NAME:`, indented by two blanks less. `declarations`:
// lines. Each of several passes in `pass`, with commas, takes the previous one's result.
std::string after_pass(const std::string& pass, const std::string& declarations, const std::string& body);

// True if a text has this part.
inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace pallasgen::test
