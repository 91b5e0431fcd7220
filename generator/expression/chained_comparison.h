#pragma once

#include <cstddef>
#include <vector>

#include "diagnostics/diagnostic.h"
#include "lexer.h"
#include "text_place.h"

namespace pallasgen {

// Refuses a chain of comparisons with `&`, `|` or `^` between two of them without parentheses, as in `x > 0 & y > 0`:
// they bind more tightly, and two conditions are likely meant. `operands` has the first token of each operand, and the
// token after the last one. False after an error.
[[nodiscard]] bool check_chain(const std::vector<Token>& tokens, const std::vector<size_t>& operands,
                               const TextPlace& place, Diagnostics& diagnostics);

}  // namespace pallasgen
