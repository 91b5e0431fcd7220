#pragma once

#include <string>
#include <vector>

namespace pallasgen {

// The texts before, between and after the places `{}` in the format of a print; `{{` and `}}` are braces.
std::vector<std::string> print_texts(const std::string& format);
// The format with a place `{}` between the texts: the inverse of print_texts().
std::string print_format(const std::vector<std::string>& texts);

}  // namespace pallasgen
