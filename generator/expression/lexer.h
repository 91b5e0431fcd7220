#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "diagnostics/diagnostic.h"
#include "text_place.h"

namespace pallasgen {

enum class TokenKind { integer, floating, name, string, symbol, end };

struct Token {
  TokenKind kind;
  size_t begin, end;      // bytes of the text
  std::string_view text;  // as written
  uint64_t integer = 0;
  double floating = 0;
  std::string string;  // the value of a string literal

  bool is(std::string_view symbol_or_word) const {
    return (kind == TokenKind::symbol || kind == TokenKind::name) && text == symbol_or_word;
  }
};

// The tokens of `text`, the last one TokenKind::end, with balanced brackets. Empty after an error.
std::vector<Token> tokens_of(std::string_view text, const TextPlace& place, Diagnostics& diagnostics);

}  // namespace pallasgen
