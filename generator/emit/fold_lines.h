#pragma once

#include <string>

namespace pallasgen {

// A blank in printed text at which a line that is too long is preferably broken.
inline constexpr char kPreferredBreak = '\x1f';

// Breaks every line of `text` that is wider than `columns`. A comment at the end of a line moves to its own line above;
// a comment continues under its first word; code continues in the column after its innermost open bracket. Lines break
// at preferred places, otherwise after commas and before operators outside of strings, at the outermost bracket first;
// the statement after an `if`, `for` or `while` goes on a line below. A line without such a place stays. Preferred
// breaks in lines that fit become blanks.
std::string fold_lines(const std::string& text, int columns);

}  // namespace pallasgen
