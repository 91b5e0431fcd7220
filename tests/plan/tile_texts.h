#pragma once

#include <string>

namespace pallasgen::test {

// What a pass makes of the statements `body` of the only role of a tile program, or of its whole kernel where `body`
// begins with a channel or a role: the lines behind `kernel NAME:`, two blanks less deep. `declarations`: lines.
// Each of `pass`, with commas, takes what the one before gives.
std::string after_pass(const std::string& pass, const std::string& declarations, const std::string& body);

// Whether a text has this part.
inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace pallasgen::test
