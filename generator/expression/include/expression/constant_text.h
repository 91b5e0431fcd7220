#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "expression/typed.h"

namespace pallasgen {

// Constant::name of what is computed from constants that have one: "bn - 1", "-step", "(bm + 1) * 2". It is an
// expression of the language and of C++, whose ints hold every value in it. Empty where it would not be both, where no
// operand has a name, and where the text would be long.
std::string computed_name(Op op, const std::vector<TypedPtr>& args);

// How strongly the text of a constant binds.
enum class NameLevel { sum, product, sign, atom };
NameLevel level_of_name(std::string_view text);

// Whether it is a const of the spec by itself, and nothing that is computed from one.
bool is_const(const Constant& constant);

std::vector<std::string> names_in(std::string_view text);
// The text with other words in place of its names.
std::string with_names(std::string_view text, const std::function<std::string(const std::string&)>& other);

}  // namespace pallasgen
