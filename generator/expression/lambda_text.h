#pragma once

#include <string>
#include <vector>

#include "lexer.h"

namespace pallasgen {

// What a text gives that is one function of Python: `i, 0` of `lambda i, j: (i, 0)`. Empty where nothing stands there.
std::string value_of_lambda(const std::vector<Token>& tokens);

}  // namespace pallasgen
