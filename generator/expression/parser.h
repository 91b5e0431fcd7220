#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "expression/expr.h"
#include "lexer.h"

namespace pallasgen {

// A recursive-descent parser of the tokens of one text, with Python's precedence. After the first error, which has been
// reported, every function returns null.
class Parser {
 public:
  Parser(std::string_view text, Span span, Diagnostics& diagnostics);

  // False if the text has no tokens because of an error.
  bool good() const { return !tokens_.empty(); }
  ExprPtr expression() { return tree_of(conditional()); }
  // Parses at least one expression, with commas between them.
  std::optional<std::vector<ExprPtr>> list_until_end();
  const Token& peek() const { return tokens_[at_]; }
  // The token `ahead` tokens further on, or the end.
  const Token& peek(size_t ahead) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  bool at_end() const { return peek().kind == TokenKind::end; }
  bool accept(std::string_view symbol_or_word);
  Span place(const Token& token) const { return place_.at(token.begin, token.end); }
  // Reports the token in place of what is `wanted`; returns null for convenience.
  ExprPtr unexpected(std::string_view wanted);
  bool expect_end();

 private:
  // A tree with its depth, which is limited so that no later pass runs out of stack.
  struct Tree {
    ExprPtr expr;
    int depth = 0;
    size_t begin = 0;  // byte of the text, parentheses included
    explicit operator bool() const { return expr != nullptr; }
  };
  static ExprPtr tree_of(Tree tree) { return std::move(tree.expr); }

  Tree conditional();
  Tree binary(int level);
  Tree logical_not();
  Tree comparison();
  Tree factor();
  Tree power();
  Tree postfix();
  Tree atom();
  Tree literal(const Token& token);
  Tree parenthesised();
  Tree mapping();
  Tree call(Tree callee);
  Tree subscript(Tree base);
  Tree slice_or_expression();
  Tree attribute(Tree base);
  // Parses expressions up to the closing symbol; `comma` becomes true if there was a trailing comma, which is allowed.
  bool items(std::string_view close, std::vector<ExprPtr>& out, int& depth, bool& comma, bool slices);
  Tree make(size_t begin, int depth, Expr::Node node);
  Tree too_deep(size_t begin);

  const TextPlace place_;
  Diagnostics& diagnostics_;
  std::vector<Token> tokens_;
  size_t at_ = 0;
  int nesting_ = 0;
};

}  // namespace pallasgen
