#pragma once

#include <cstddef>
#include <vector>

#include "diagnostics/diagnostic.h"
#include "lexer.h"
#include "text_place.h"

namespace pallasgen {

// Refuses a chain of comparisons in which `&`, `|` or `^` stands between two of them without parentheses, as in
// `x > 0 & y > 0`: it binds more than the comparisons do, and two conditions are likely meant. `operands`: the first
// token of each operand, and in the end that behind the last one. False: an error was given.
[[nodiscard]] bool check_chain(const std::vector<Token>& tokens, const std::vector<size_t>& operands,
                               const TextPlace& place, Diagnostics& diagnostics);

}  // namespace pallasgen
