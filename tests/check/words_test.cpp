// Compares the table of operations, which `list --ops` prints, with the operations that the checker accepts.
#include "check/words.h"

#include <fmt/format.h>

#include <map>

#include "checked.h"

using namespace pallasgen;

namespace {

bool takes(Operands operands, const DTypeInfo& type) {
  const bool is_bool = type.dtype == DType::boolean;
  switch (operands) {
    case Operands::numbers:
      return !is_bool;
    case Operands::floats:
      return type.is_float;
    case Operands::integers:
      return type.is_integer;
    case Operands::integers_or_bools:
      return type.is_integer || is_bool;
    case Operands::bools:
      return is_bool;
    case Operands::factors:
      return (type.is_float && type.dtype != DType::f8e8m0) || (type.is_integer && type.bits <= 8);
    case Operands::any:
    case Operands::none:
      return true;
  }
  return false;
}

// A call by the signature, with arrays `x` of the dtype and other arguments as needed, without optional ones.
std::string example(const LanguageWord& word, std::string_view dtype) {
  if (word.group == WordGroup::library) return word.signature;
  if (!word.signature.starts_with(word.name + "(")) return word.name == "**" ? "x ** 2" : word.signature;
  const std::map<std::string_view, std::string> arguments = {{"condition", "x == x"},
                                                             {"dim", "0"},
                                                             {"shape", "[8, 8]"},
                                                             {"axis", "0"},
                                                             {"arrays", "[x, x]"},
                                                             {"key", "1"},
                                                             {"counter", "2"},
                                                             {"f", "relu"},
                                                             {"scale", "0.5"},
                                                             {"value", "1"},
                                                             {"dtype", word.name == "bitcast"    ? std::string(dtype)
                                                                       : word.name == "quantize" ? "i8"
                                                                                                 : "f32"}};
  std::string text;
  const Parameters& parameters = parameters_of(word.name);
  // With several dims, these need an axis.
  const bool along = word.name == "iota" || word.name.starts_with("cum") || word.name.starts_with("arg");
  const size_t given = parameters.required + (along ? 1 : 0);
  for (size_t i = 0; i < given; ++i) {
    const auto found = arguments.find(parameters.names[i]);
    const bool exponent = word.name == "pow" && i == 1;
    text += (i == 0 ? "" : ", ") + (exponent ? "2" : found == arguments.end() ? std::string("x") : found->second);
  }
  return fmt::format("{}({}){}", word.name, text, word.name == "grad" ? "(x)" : "");
}

std::string with_operands(std::string signature) {
  for (size_t i = 0; i < signature.size(); ++i)
    if (signature[i] == 'y' && (i == 0 || signature[i - 1] == ' ')) signature[i] = 'x';
  const size_t at = signature.find("dtype");
  return at == std::string::npos ? signature : signature.replace(at, 5, "f32");
}

}  // namespace

TEST_CASE("every operation takes just the dtypes that its row names") {
  int tried = 0;
  for (const LanguageWord& word : language_words()) {
    if (word.group > WordGroup::random || word.name == "einsum") continue;
    for (const DTypeInfo& type : dtypes()) {
      const bool called = word.signature.starts_with(word.name + "(");
      std::string call = example(word, type.name);
      if (!called) call = with_operands(call);
      // A derivative is of floats, like its function.
      const bool expected = takes(word.name == "grad" ? Operands::floats : word.takes, type);
      INFO(call << " of " << type.name);
      const Checked checked(
          fmt::format("pallasgen: 1\nkernel: k\ninputs: {{x: {{type: \"{}[8, 8]\"}}}}\n"
                      "outputs: {{o: {{type: \"i32[1]\"}}}}\nbody:\n  - v = {}\n  - o[...] = 0\n",
                      type.name, call));
      INFO(checked.errors());
      CHECK(!checked.diagnostics.has_errors() == expected);
      // Functions of the library report the operation in them that rejects the dtype.
      if (!expected && word.group != WordGroup::library)
        CHECK(checked.rules().find("operand-dtype") != std::string::npos);
      ++tried;
    }
  }
  CHECK(tried > 1000);
}

TEST_CASE("every word that specs may not take has a row, and every row a meaning") {
  for (const LanguageWord& word : language_words()) {
    CAPTURE(word.name);
    CHECK((word.meaning.empty() == (word.group == WordGroup::grammar)));
    CHECK(word.meaning.find('\n') == std::string::npos);
    CHECK(!word.meaning.ends_with('.'));
  }
}
