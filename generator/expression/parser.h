#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "expression/expr.h"
#include "lexer.h"

namespace pallasgen {

// Recursive descent over the tokens of one text, by Python's precedence. After the first error every function returns
// null, and the diagnostic has been given.
class Parser {
 public:
  Parser(std::string_view text, Span span, Diagnostics& diagnostics);

  // False when the text has no tokens because of an error.
  bool good() const { return !tokens_.empty(); }
  ExprPtr expression() { return tree_of(conditional()); }
  // At least one expression; commas between.
  std::optional<std::vector<ExprPtr>> list_until_end();
  const Token& peek() const { return tokens_[at_]; }
  // So many tokens further on; the end behind it.
  const Token& peek(size_t ahead) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  bool at_end() const { return peek().kind == TokenKind::end; }
  bool accept(std::string_view symbol_or_word);
  Span place(const Token& token) const { return place_.at(token.begin, token.end); }
  // Reports what stands where something else should; null for convenience.
  ExprPtr unexpected(std::string_view wanted);
  bool expect_end();

 private:
  // A tree with its depth, so that no later pass can run out of stack.
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
  // Expressions up to the closing symbol, a trailing comma allowed; `comma` says whether there was one.
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
