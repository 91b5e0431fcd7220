#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "expression/typed.h"

namespace pallasgen {

// The groups of the language's words, in the order of `list --ops`.
enum class WordGroup : uint8_t {
  operators,
  elementwise,
  library,  // functions written in the language itself
  shapes,
  reductions,
  products,
  random,
  memory,  // refs, and memory that programs share
  grid,
  values,   // names of numbers
  blocks,   // entries of `block`
  grammar,  // words without a meaning of their own: `if`, `lambda`
};
std::string_view name_of(WordGroup group);

// An operator, or a word that no spec may use as a name. `list --ops` prints them, and calls are checked by them.
struct LanguageWord {
  std::string name;
  WordGroup group;
  Operands takes;
  std::string signature;  // `sum(x, axis=, keepdims=)`: a parameter with = is optional; `x + y`, `pi`
  std::string meaning;    // one line; empty for words of the grammar
};

// Every operation, operator and other word except dtypes and words without a meaning yet, ordered by group.
const std::vector<LanguageWord>& language_words();

// The parameters of a signature and how many of them are required: `sum(x, axis=)` has x and axis, one required.
struct Parameters {
  std::vector<std::string_view> names;
  size_t required = 0;
};
// The parameters of the function of that name, which must have a signature with parentheses.
const Parameters& parameters_of(std::string_view function);

}  // namespace pallasgen
