#include "lexer.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <optional>

#include "expression/rules.h"

namespace pallasgen {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_'; }
// Longest first.
constexpr std::array<std::string_view, 46> kSymbols = {
    "...", "//=", "**=", "<<=", ">>=", "**", "//", "<<", ">>", "<=", ">=", "==", "!=", "+=", "-=", "*=",
    "/=",  "%=",  "@=",  "&=",  "|=",  "^=", "+",  "-",  "*",  "/",  "%",  "@",  "<",  ">",  "&",  "|",
    "^",   "~",   "=",   "(",   ")",   "[",  "]",  "{",  "}",  ",",  ":",  ".",  "&&", "||"};

struct Foreign {
  std::string_view symbol, remedy;
};
// Operators that people write by habit from other languages. They are looked up before kSymbols.
constexpr std::array<Foreign, 9> kForeign = {{{"===", "write '=='"},
                                              {"!==", "write '!='"},
                                              {"&&", "write 'and'"},
                                              {"||", "write 'or'"},
                                              {"<>", "write '!='"},
                                              {"++", "write '+= 1'"},
                                              {"->", "write '.' or a name"},
                                              {":=", "write '=' in a statement of its own"},
                                              {"!", "write 'not'"}}};

constexpr std::string_view kOpen = "([{", kClose = ")]}";

class Lexer {
 public:
  Lexer(std::string_view text, const TextPlace& place, Diagnostics& diagnostics)
      : text_(text), place_(place), diagnostics_(diagnostics) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    while (true) {
      while (at_ < text_.size() && is_space(text_[at_])) ++at_;
      if (at_ == text_.size()) break;
      std::optional<Token> token = next();
      if (!token) return {};
      tokens.push_back(std::move(*token));
    }
    tokens.push_back(token_from(TokenKind::end, text_.size()));
    if (!brackets_balance(tokens)) return {};
    return tokens;
  }

 private:
  std::nullopt_t fail(const Rule& rule, size_t begin, size_t end, std::string message) {
    diagnostics_.error(rule, place_.at(begin, end), std::move(message));
    return std::nullopt;
  }

  Token token_from(TokenKind kind, size_t begin) const {
    return {kind, begin, at_, text_.substr(begin, at_ - begin), 0, 0, {}};
  }

  std::optional<Token> next() {
    char c = text_[at_];
    if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) return number();
    if (is_letter(c) || c == '_') return name();
    if (c == '"' || c == '\'') return string();
    for (const Foreign& foreign : kForeign) {
      bool not_equal = foreign.symbol == "!" && text_.substr(at_, 2) == "!=";
      if (text_.substr(at_).starts_with(foreign.symbol) && !not_equal && !is_unary_run(foreign.symbol)) {
        return fail(kSyntaxOperator, at_, at_ + foreign.symbol.size(),
                    fmt::format("'{}' is no operator here: {}", foreign.symbol, foreign.remedy));
      }
    }
    for (std::string_view symbol : kSymbols) {
      if (text_.substr(at_).starts_with(symbol)) {
        size_t begin = at_;
        at_ += symbol.size();
        return token_from(TokenKind::symbol, begin);
      }
    }
    return unknown_character();
  }

  // `a ++b` and `++a` are two signs, as in Python; only `a++` is the foreign operator.
  bool is_unary_run(std::string_view symbol) const {
    if (symbol != "++") return false;
    size_t after = at_ + 2;
    while (after < text_.size() && is_space(text_[after])) ++after;
    return after < text_.size() && text_[after] != ')' && text_[after] != ']' && text_[after] != ',';
  }

  std::optional<Token> unknown_character() {
    size_t length = 1;
    while (at_ + length < text_.size() && (static_cast<unsigned char>(text_[at_ + length]) & 0xC0) == 0x80) ++length;
    std::string_view character = text_.substr(at_, length);
    // Characters that word processors and formulas have in their place.
    static constexpr std::pair<std::string_view, std::string_view> kMeant[] = {
        {"\u2212", "-"},  {"\u2013", "-"},  {"\u00d7", "*"},   {"\u00b7", "*"},  {"\u00f7", "/"},  {"\u2264", "<="},
        {"\u2265", ">="}, {"\u2260", "!="}, {"\u2026", "..."}, {"\u201c", "\""}, {"\u201d", "\""}, {"\u00a0", " "}};
    for (const auto& [foreign, ours] : kMeant)
      if (character == foreign)
        return fail(kSyntaxCharacter, at_, at_ + length,
                    fmt::format("the character '{}' has no meaning in an expression: write '{}'", character, ours));
    std::string_view remedy = character == "?"   ? ": write 'x if condition else y'"
                              : character == "`" ? ": names are written without quotes"
                              : character == ";" ? ": write each statement as an entry of its own"
                              : character == "$" ? ": only inline_cuda has '$' names"
                                                 : "";
    return fail(kSyntaxCharacter, at_, at_ + length,
                fmt::format("the character '{}' has no meaning in an expression{}", character, remedy));
  }

  std::optional<Token> name() {
    size_t begin = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    Token token = token_from(TokenKind::name, begin);
    // `_` alone means a contiguous stride.
    if (token.text[0] == '_' && token.text != "_") {
      return fail(kSyntaxName, begin, at_, fmt::format("'{}' is no name: names begin with a letter", token.text));
    }
    return token;
  }

  std::optional<Token> number() {
    size_t begin = at_;
    bool based = text_[at_] == '0' && at_ + 1 < text_.size() &&
                 std::string_view("xXbBoO").find(text_[at_ + 1]) != std::string_view::npos;
    bool floating = false;
    if (based) {
      at_ += 2;
      while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    } else {
      auto digits = [&] {
        while (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '_')) ++at_;
      };
      digits();
      // `1...` is left to the parser; `1.T` is a number directly followed by a name, which is refused below.
      if (at_ < text_.size() && text_[at_] == '.' && !text_.substr(at_).starts_with("..")) {
        floating = true;
        ++at_;
        digits();
      }
      if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
        size_t digit = at_ + 1;
        if (digit < text_.size() && (text_[digit] == '+' || text_[digit] == '-')) ++digit;
        if (digit < text_.size() && is_digit(text_[digit])) {
          floating = true;
          at_ = digit;
          digits();
        }
      }
      while (at_ < text_.size() && is_word(text_[at_])) ++at_;  // a suffix, refused below
    }
    Token token = token_from(floating ? TokenKind::floating : TokenKind::integer, begin);
    bool good = based ? read_based(token) : floating ? read_float(token) : read_integer(token);
    return good ? std::optional(std::move(token)) : std::nullopt;
  }

  bool refuse_number(const Token& token, const std::string& why) {
    diagnostics_.error(kSyntaxNumber, place_.at(token.begin, token.end),
                       fmt::format("'{}' is no number: {}", token.text, why));
    return false;
  }

  bool plain_digits(const Token& token) {
    if (token.text.find('_') != std::string_view::npos) {
      std::string without;
      for (char c : token.text) {
        if (c != '_') without += c;
      }
      return refuse_number(token, fmt::format("digits are not grouped, write {}", without));
    }
    size_t significant = token.text.find_first_not_of('0');
    bool leading = token.text[0] == '0' && token.text.size() > 1 && is_digit(token.text[1]);
    if (leading) {
      std::string_view decimal =
          significant == std::string_view::npos ? std::string_view("0") : token.text.substr(significant);
      return refuse_number(
          token, fmt::format("leading zeros are ambiguous, write {}{}", decimal[0] == '.' ? "0" : "", decimal));
    }
    return true;
  }

  bool read_integer(Token& token) { return plain_digits(token) && read_digits(token, token.text, 10); }

  bool read_based(Token& token) {
    if (token.text.find('_') != std::string_view::npos) return plain_digits(token);
    char base = token.text[1];
    if (token.text.size() == 2) return refuse_number(token, "digits are missing");
    return read_digits(token, token.text.substr(2),
                       base == 'x' || base == 'X'   ? 16
                       : base == 'o' || base == 'O' ? 8
                                                    : 2);
  }

  bool read_digits(Token& token, std::string_view digits, int base) {
    const char* begin = digits.data();
    const char* end = begin + digits.size();
    auto [stop, error] = std::from_chars(begin, end, token.integer, base);
    if (stop != end) return refuse_suffix(token, std::string_view(stop, static_cast<size_t>(end - stop)), base);
    if (error == std::errc::result_out_of_range) {
      diagnostics_.error(kSyntaxIntegerRange, place_.at(token.begin, token.end),
                         fmt::format("{} is above 18446744073709551615, the largest integer literal", token.text));
      return false;
    }
    return true;
  }

  bool refuse_suffix(const Token& token, std::string_view suffix, int base) {
    if (base != 10) return refuse_number(token, fmt::format("'{}' is no digit of base {}", suffix[0], base));
    std::string_view digits = token.text.substr(0, token.text.size() - suffix.size());
    if (suffix == "e" || suffix == "E") return refuse_number(token, "the exponent has no digits");
    return refuse_number(token,
                         fmt::format("'{}' follows the digits; there are no suffixes, a dtype is given by a cast "
                                     "such as f32({}), a product needs '*'",
                                     suffix, digits));
  }

  bool read_float(Token& token) {
    if (!plain_digits(token)) return false;
    const char* begin = token.text.data();
    const char* end = begin + token.text.size();
    auto [stop, error] = std::from_chars(begin, end, token.floating);
    if (stop != end) return refuse_suffix(token, std::string_view(stop, static_cast<size_t>(end - stop)), 10);
    if (error == std::errc::result_out_of_range) return refuse_number(token, "it is outside the range of f64");
    return true;
  }

  std::optional<Token> string() {
    size_t begin = at_;
    char quote = text_[at_++];
    std::string value;
    while (at_ < text_.size() && text_[at_] != quote) {
      char c = text_[at_++];
      if (c == '\\' && at_ < text_.size()) {
        char escaped = text_[at_++];
        if (escaped != 'n' && escaped != 't' && escaped != '\\' && escaped != '"' && escaped != '\'') {
          return fail(kSyntaxString, at_ - 2, at_, "unknown escape: strings know \\n, \\t, \\\\, \\\" and \\'");
        }
        c = escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped;
      }
      value += c;
    }
    if (at_ == text_.size()) {
      return fail(kSyntaxString, begin, at_,
                  fmt::format("this string is not closed: a {} is missing at its end", quote));
    }
    ++at_;
    Token token = token_from(TokenKind::string, begin);
    token.string = std::move(value);
    return token;
  }

  bool brackets_balance(const std::vector<Token>& tokens) {
    std::vector<const Token*> open;
    for (const Token& token : tokens) {
      if (token.kind != TokenKind::symbol || token.text.size() != 1) continue;
      if (kOpen.find(token.text[0]) != std::string_view::npos) open.push_back(&token);
      size_t kind = kClose.find(token.text[0]);
      if (kind == std::string_view::npos) continue;
      Span here = place_.at(token.begin, token.end);
      if (open.empty()) {
        diagnostics_.error(kSyntaxBrackets, here,
                           fmt::format("'{}' closes nothing: no '{}' stands before it", token.text, kOpen[kind]));
        return false;
      }
      if (kOpen.find(open.back()->text[0]) != kind) {
        diagnostics_
            .error(kSyntaxBrackets, here,
                   fmt::format("'{}' closes a '{}': '{}' is missing before it", token.text, open.back()->text,
                               kClose[kOpen.find(open.back()->text[0])]))
            .note(place_.at(open.back()->begin, open.back()->end), "opened here");
        return false;
      }
      open.pop_back();
    }
    if (open.empty()) return true;
    diagnostics_.error(kSyntaxBrackets, place_.at(open.back()->begin, open.back()->end),
                       fmt::format("'{}' is not closed: '{}' is missing", open.back()->text,
                                   kClose[kOpen.find(open.back()->text[0])]));
    return false;
  }

  std::string_view text_;
  const TextPlace& place_;
  Diagnostics& diagnostics_;
  size_t at_ = 0;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view text, const TextPlace& place, Diagnostics& diagnostics) {
  return Lexer(text, place, diagnostics).run();
}

}  // namespace pallasgen
