#include "chained_comparison.h"

#include <fmt/format.h>

#include <string>

#include "expression/rules.h"

namespace pallasgen {

namespace {

bool joins_bits(const Token& token) { return token.is("&") || token.is("|") || token.is("^"); }

// The text of the tokens [first, last) as written.
std::string text_of(const std::vector<Token>& tokens, size_t first, size_t last) {
  const char* begin = tokens[first].text.data();
  return {begin, tokens[last - 1].text.data() + tokens[last - 1].text.size()};
}

// Which of the tokens [first, last) are `&`, `|` or `^` outside of brackets.
std::vector<size_t> operators_of_bits(const std::vector<Token>& tokens, size_t first, size_t last) {
  std::vector<size_t> found;
  int depth = 0;
  for (size_t i = first; i < last; ++i) {
    const bool opens = tokens[i].is("(") || tokens[i].is("[") || tokens[i].is("{");
    const bool closes = tokens[i].is(")") || tokens[i].is("]") || tokens[i].is("}");
    depth += opens ? 1 : closes ? -1 : 0;
    if (depth == 0 && joins_bits(tokens[i])) found.push_back(i);
  }
  return found;
}

}  // namespace

bool check_chain(const std::vector<Token>& tokens, const std::vector<size_t>& operands, const TextPlace& place,
                 Diagnostics& diagnostics) {
  const size_t begin = operands.front(), end = operands.back();
  // The operator of a comparison follows each operand except the last.
  const auto end_of = [&](size_t operand) { return operand + 2 == operands.size() ? end : operands[operand + 1] - 1; };
  std::string read;
  const Token* wrong = nullptr;
  for (size_t i = 0; i + 1 < operands.size(); ++i) {
    const std::vector<size_t> bits = operators_of_bits(tokens, operands[i], end_of(i));
    const std::string operand = text_of(tokens, operands[i], end_of(i));
    const bool between = i > 0 && i + 2 < operands.size() && !bits.empty();
    if (between && !wrong) wrong = &tokens[bits.front()];
    read += between ? fmt::format("({})", operand) : operand;
    if (i + 2 < operands.size()) read += fmt::format(" {} ", tokens[end_of(i)].text);
  }
  if (!wrong) return true;
  std::vector<size_t> ends = operators_of_bits(tokens, begin, end);
  ends.push_back(end);
  std::string by_bits, by_words;
  size_t from = begin;
  bool words = true;
  for (const size_t to : ends) {
    bool compares = false;
    for (size_t i = 1; i + 1 < operands.size(); ++i) compares = compares || (operands[i] > from && operands[i] < to);
    const std::string part = text_of(tokens, from, to);
    by_bits += compares ? fmt::format("({})", part) : part;
    by_words += part;
    if (to == end) break;
    by_bits += fmt::format(" {} ", tokens[to].text);
    by_words += tokens[to].is("&") ? " and " : " or ";
    words = words && !tokens[to].is("^");
    from = to + 1;
  }
  diagnostics
      .error(kSyntaxPrecedence, place.at(wrong->begin, wrong->end),
             fmt::format("'{}' binds its operands more than the comparisons beside it do: this is read as {}",
                         wrong->text, read))
      .note(fmt::format("for conditions, write {}{}", by_bits, words ? ", or " + by_words : ""))
      .note(fmt::format("for the bits of integers, write {}", read));
  return false;
}

}  // namespace pallasgen
