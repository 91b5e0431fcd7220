#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "expression/typed.h"

namespace pallasgen {

// What a word of the language is, in the order in which `list --ops` has them.
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

// A word that no spec may take as a name, or an operator. What `list --ops` prints, and what calls are checked by.
struct LanguageWord {
  std::string name;
  WordGroup group;
  Operands takes;
  std::string signature;  // `sum(x, axis=, keepdims=)`: what ends with = may be left out; `x + y`, `pi`
  std::string meaning;    // one line; empty for words of the grammar
};

// Every operation, operator and other word, but for dtypes and words that have no meaning yet; by group.
const std::vector<LanguageWord>& language_words();

// The parameters of a signature, and how many of them must be given: `sum(x, axis=)` has x and axis, of which one.
struct Parameters {
  std::vector<std::string_view> names;
  size_t required = 0;
};
// Those of the function of that name, which must have a signature with parentheses.
const Parameters& parameters_of(std::string_view function);

}  // namespace pallasgen
