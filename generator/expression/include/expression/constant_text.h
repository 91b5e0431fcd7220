#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "expression/typed.h"

namespace pallasgen {

// The Constant::name of a result computed from named constants: "bn - 1", "-step", "(bm + 1) * 2". It is an expression
// of the language and of C++, whose ints hold every value in it. Empty if it would not be both, if no operand has a
// name, or if the text would be long.
std::string computed_name(Op op, const std::vector<TypedPtr>& args);

// How tightly the text of a constant binds, from the loosest to the tightest.
enum class NameLevel { sum, product, sign, atom };
NameLevel level_of_name(std::string_view text);

// True if the constant is a const of the spec itself, not a value computed from consts.
bool is_const(const Constant& constant);

std::vector<std::string> names_in(std::string_view text);
// The text with each name replaced by other(name).
std::string with_names(std::string_view text, const std::function<std::string(const std::string&)>& other);

}  // namespace pallasgen
