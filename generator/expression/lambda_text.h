#pragma once

#include <string>
#include <vector>

#include "lexer.h"

namespace pallasgen {

// The value of a text that is a Python lambda: `i, 0` of `lambda i, j: (i, 0)`. Empty if it has none.
std::string value_of_lambda(const std::vector<Token>& tokens);

}  // namespace pallasgen
