#include "expression/python.h"

#include <fmt/format.h>

namespace pallasgen {

namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// The text between `word` and the colon at the end of a compound statement's first line.
std::string_view head_of(std::string_view text, std::string_view word) {
  text = trimmed(text.substr(word.size()));
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' || text[i] == '[' ? 1 : text[i] == ')' || text[i] == ']' ? -1 : 0;
    if (text[i] == ':' && depth == 0) return trimmed(text.substr(0, i));
  }
  return text;
}

// The text as a value of a mapping in braces.
std::string value_text(std::string_view text) {
  const bool quoted =
      text.find_first_of(",[]{}:#'\"") != std::string_view::npos || text.find_first_of("&*!%@-?|>") == 0;
  return quoted ? fmt::format("\"{}\"", text) : std::string(text);
}

std::string remedy_for_loop(std::string_view text) {
  const std::string_view head = head_of(text, "for");
  const size_t in = head.find(" in ");
  const std::string_view name = trimmed(head.substr(0, in)),
                         over = in < head.size() ? trimmed(head.substr(in + 4)) : "";
  if (!over.starts_with("range(") || !over.ends_with(')'))
    return "a loop is {for: i, range: \"0, n\", do: […]}, an entry of the body";
  return fmt::format("a loop is an entry of the body: write {{for: {}, range: {}, do: […]}}", name,
                     value_text(trimmed(over.substr(6, over.size() - 7))));
}

std::string remedy_for_function(std::string_view text) {
  const std::string_view signature = head_of(text, "def");
  const size_t at = text.find(signature) + signature.size();
  std::string_view value = at < text.size() ? trimmed(text.substr(at + 1)) : "";
  if (value.starts_with("return ")) value = trimmed(value.substr(7));
  return value.empty() ? "functions stand under `functions`: \"twice(x)\": \"x * 2\""
                       : fmt::format("functions stand under `functions`: write \"{}\": \"{}\"", signature, value);
}

}  // namespace

std::string remedy_for_python(std::string_view text) {
  text = trimmed(text);
  const std::string_view word = text.substr(0, text.find_first_of(" :("));
  if (word == "for") return remedy_for_loop(text);
  if (word == "while")
    return fmt::format("such a loop is an entry of the body: write {{while: {}, do: […]}}",
                       value_text(head_of(text, word)));
  if (word == "if") {
    return fmt::format(
        "a condition is an entry of the body: write {{when: {}, do: […]}}, with other statements under `else:`; a "
        "choice of "
        "values is 'a if c else b'",
        value_text(head_of(text, word)));
  }
  if (word == "elif") {
    return fmt::format(
        "another condition stands among the statements under `else:` of the first: write {{when: {}, do: […]}}",
        value_text(head_of(text, word)));
  }
  if (word == "else")
    return "the other case stands beside `do:` in the entry of its `when`: {when: …, do: […], else: […]}";
  if (word == "def") return remedy_for_function(text);
  if (word == "return") return "what a kernel computes is written to its outputs: y[...] = …";
  if (word == "assert")
    return fmt::format("a check of a program is an entry of the body: write {{assert: {}, message: \"…\"}}",
                       value_text(trimmed(text.substr(word.size()))));
  if (text.starts_with("print(") && text.ends_with(')'))
    return fmt::format("a print is an entry of the body: write {{print: \"{{}}\", args: [{}]}}",
                       value_text(trimmed(text.substr(word.size() + 1, text.size() - word.size() - 2))));
  if (word == "import") return "operations have no module: write exp(x)";
  return "";
}

}  // namespace pallasgen
