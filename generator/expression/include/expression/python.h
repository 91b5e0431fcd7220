#pragma once

#include <string>
#include <string_view>

namespace pallasgen {

// How a statement of Python is written in a spec, where `text` is or begins one: of `for i in range(4):` that it is
// {for: i, range: 4, do: […]}. Empty for every other text.
std::string remedy_for_python(std::string_view text);

}  // namespace pallasgen
