#pragma once

#include <string>
#include <string_view>

namespace pallasgen {

// How to write a statement of Python in a spec if `text` is or begins one, such as `for i in range(4):`, which is {for:
// i, range: 4, do: […]} there. Empty for any other text.
std::string remedy_for_python(std::string_view text);

}  // namespace pallasgen
