#pragma once

#include <string>

namespace pallasgen {

// Stands for a blank in printed text: the place where a line that is too long is broken first.
inline constexpr char kPreferredBreak = '\x1f';

// Breaks every line of `text` that is wider than `columns`: a comment at its end moves to a line of its own above, a
// comment goes on under its first word, code goes on under what follows its innermost open bracket. Lines are broken at
// preferred places, else after commas and before operators outside of strings, outermost bracket first; what an `if`,
// `for` or `while` of the same line governs goes below it. A line without such a place stays. Preferred breaks in lines
// that fit become blanks.
std::string fold_lines(const std::string& text, int columns);

}  // namespace pallasgen
