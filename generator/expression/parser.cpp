#include "parser.h"

#include <fmt/format.h>

#include <algorithm>

#include "chained_comparison.h"
#include "expression/rules.h"
#include "lambda_text.h"

namespace pallasgen {
namespace {

constexpr int kMaxDepth = 200;

using Operator = std::pair<std::string_view, BinaryOp>;
// Left-associative operators, loosest first. `not` and comparisons lie between `and` and `|`.
const std::vector<Operator> kLevels[] = {
    {{"or", BinaryOp::logical_or}},
    {{"and", BinaryOp::logical_and}},
    {{"|", BinaryOp::bit_or}},
    {{"^", BinaryOp::bit_xor}},
    {{"&", BinaryOp::bit_and}},
    {{"<<", BinaryOp::shift_left}, {">>", BinaryOp::shift_right}},
    {{"+", BinaryOp::add}, {"-", BinaryOp::subtract}},
    {{"*", BinaryOp::multiply},
     {"/", BinaryOp::divide},
     {"//", BinaryOp::floor_divide},
     {"%", BinaryOp::modulo},
     {"@", BinaryOp::matmul}},
};
constexpr int kOrLevel = 0, kAndLevel = 1, kBitOrLevel = 2, kProductLevel = 7;

constexpr std::pair<std::string_view, CompareOp> kComparisons[] = {
    {"<", CompareOp::less},           {"<=", CompareOp::less_equal}, {">", CompareOp::greater},
    {">=", CompareOp::greater_equal}, {"==", CompareOp::equal},      {"!=", CompareOp::not_equal}};

constexpr std::pair<std::string_view, UnaryOp> kSigns[] = {
    {"-", UnaryOp::negate}, {"+", UnaryOp::plus}, {"~", UnaryOp::invert}};

bool is_keyword(std::string_view word) {
  return word == "and" || word == "or" || word == "not" || word == "if" || word == "else";
}

// Counts how deeply calls of the parser are nested.
class Nested {
 public:
  explicit Nested(int& depth) : depth_(++depth) {}
  ~Nested() { --depth_; }

 private:
  int& depth_;
};

}  // namespace

Parser::Parser(std::string_view text, Span span, Diagnostics& diagnostics)
    : place_(text, span), diagnostics_(diagnostics), tokens_(tokens_of(text, place_, diagnostics)) {}

bool Parser::accept(std::string_view symbol_or_word) {
  if (!peek().is(symbol_or_word)) return false;
  ++at_;
  return true;
}

ExprPtr Parser::unexpected(std::string_view wanted) {
  const Token& token = peek();
  std::string found =
      token.kind == TokenKind::end ? std::string("the end of the text") : fmt::format("'{}'", token.text);
  if (token.is("=")) {
    diagnostics_.error(kSyntaxOperator, place(token),
                       "'=' assigns and may not stand inside an expression: to compare write '=='");
  } else if (tokens_.size() == 1) {
    diagnostics_.error(kSyntaxExpected, place(token), fmt::format("expected {}, found an empty text", wanted));
  } else {
    // The end has no byte of its own; the last byte before it shows where something is missing.
    Span where = token.kind == TokenKind::end ? place_.at(token.begin - 1, token.end) : place(token);
    diagnostics_.error(kSyntaxExpected, where, fmt::format("expected {}, found {}", wanted, found));
  }
  return nullptr;
}

bool Parser::expect_end() {
  if (at_end()) return true;
  const Token& token = peek();
  if (token.is(",")) {
    diagnostics_.error(kSyntaxExpected, place(token), "one expression is wanted here, found ',' after it");
  } else {
    unexpected("an operator or the end");
  }
  return false;
}

std::optional<std::vector<ExprPtr>> Parser::list_until_end() {
  std::vector<ExprPtr> out;
  do {
    if (at_end() && !out.empty()) {
      unexpected("an expression after ','");
      return std::nullopt;
    }
    ExprPtr item = expression();
    if (!item) return std::nullopt;
    out.push_back(std::move(item));
  } while (accept(","));
  if (!at_end()) {
    unexpected("',', an operator or the end");
    return std::nullopt;
  }
  return out;
}

Parser::Tree Parser::too_deep(size_t begin) {
  diagnostics_.error(
      kSyntaxDepth, place_.at(begin, begin + 1),
      fmt::format("this expression is more than {} operations deep: give a part of it a name", kMaxDepth));
  return {};
}

Parser::Tree Parser::make(size_t begin, int depth, Expr::Node node) {
  if (depth > kMaxDepth) return too_deep(begin);
  return {make_expr(place_.at(begin, tokens_[at_ - 1].end), std::move(node)), depth, begin};
}

Parser::Tree Parser::conditional() {
  Nested nested(nesting_);
  if (nesting_ > kMaxDepth) return too_deep(peek().begin);
  Tree then = binary(kOrLevel);
  if (!then || !accept("if")) return then;
  Tree condition = binary(kOrLevel);
  if (!condition) return {};
  if (!accept("else")) return {unexpected("'else': both arms of 'x if condition else y' are needed")};
  Tree otherwise = conditional();
  if (!otherwise) return {};
  int depth = 1 + std::max({then.depth, condition.depth, otherwise.depth});
  return make(then.begin, depth, ConditionalExpr{then.expr, condition.expr, otherwise.expr});
}

Parser::Tree Parser::binary(int level) {
  auto operand = [&] {
    return level == kAndLevel ? logical_not() : level == kProductLevel ? factor() : binary(level + 1);
  };
  Tree left = operand();
  while (left) {
    const std::vector<Operator>& ops = kLevels[level];
    auto op = std::find_if(ops.begin(), ops.end(), [&](const Operator& row) { return peek().is(row.first); });
    if (op == ops.end()) break;
    ++at_;
    Tree right = operand();
    if (!right) return {};
    left = make(left.begin, 1 + std::max(left.depth, right.depth), BinaryExpr{op->second, left.expr, right.expr});
  }
  return left;
}

Parser::Tree Parser::logical_not() {
  if (!peek().is("not")) return comparison();
  Nested nested(nesting_);
  size_t begin = peek().begin;
  if (nesting_ > kMaxDepth) return too_deep(begin);
  ++at_;
  Tree operand = logical_not();
  if (!operand) return {};
  return make(begin, operand.depth + 1, UnaryExpr{UnaryOp::logical_not, operand.expr});
}

Parser::Tree Parser::comparison() {
  std::vector<size_t> operands = {at_};
  Tree first = binary(kBitOrLevel);
  if (!first) return {};
  CompareExpr node{{first.expr}, {}};
  int depth = first.depth;
  while (true) {
    auto op = std::find_if(std::begin(kComparisons), std::end(kComparisons),
                           [&](const auto& row) { return peek().is(row.first); });
    if (op == std::end(kComparisons)) break;
    operands.push_back(++at_);
    Tree operand = binary(kBitOrLevel);
    if (!operand) return {};
    node.ops.push_back(op->second);
    node.operands.push_back(operand.expr);
    depth = std::max(depth, operand.depth);
  }
  operands.push_back(at_);
  if (node.ops.size() > 1 && !check_chain(tokens_, operands, place_, diagnostics_)) return {};
  return node.ops.empty() ? first : make(first.begin, depth + 1, std::move(node));
}

Parser::Tree Parser::factor() {
  auto sign = std::find_if(std::begin(kSigns), std::end(kSigns), [&](const auto& row) { return peek().is(row.first); });
  if (sign == std::end(kSigns)) return power();
  Nested nested(nesting_);
  size_t begin = peek().begin;
  if (nesting_ > kMaxDepth) return too_deep(begin);
  ++at_;
  Tree operand = factor();
  if (!operand) return {};
  return make(begin, operand.depth + 1, UnaryExpr{sign->second, operand.expr});
}

Parser::Tree Parser::power() {
  Tree base = postfix();
  if (!base || !accept("**")) return base;
  Nested nested(nesting_);
  if (nesting_ > kMaxDepth) return too_deep(base.begin);
  Tree exponent = factor();
  if (!exponent) return {};
  return make(base.begin, 1 + std::max(base.depth, exponent.depth),
              BinaryExpr{BinaryOp::power, base.expr, exponent.expr});
}

Parser::Tree Parser::postfix() {
  Tree tree = atom();
  while (tree) {
    if (accept("(")) {
      tree = call(std::move(tree));
    } else if (accept("[")) {
      tree = subscript(std::move(tree));
    } else if (accept(".")) {
      tree = attribute(std::move(tree));
    } else {
      break;
    }
  }
  return tree;
}

Parser::Tree Parser::atom() {
  const Token& token = peek();
  if (token.is("(")) return parenthesised();
  if (token.is("{")) return mapping();
  if (token.is("[")) {
    ++at_;
    ListExpr node;
    int depth = 0;
    bool comma = false;
    if (!items("]", node.items, depth, comma, false)) return {};
    return make(token.begin, depth + 1, std::move(node));
  }
  if (token.is(".") && (tokens_[at_ + 1].is("inf") || tokens_[at_ + 1].is("nan"))) {
    std::string_view name = tokens_[at_ + 1].text;
    diagnostics_.error(kSyntaxNumber, place_.at(token.begin, tokens_[at_ + 1].end),
                       fmt::format("'.{}' is YAML's: write '{}'", name, name));
    return {};
  }
  if (token.is("lambda") && tokens_[at_ + 1].kind == TokenKind::name) {
    Diagnostic& out =
        diagnostics_.error(kSyntaxExpected, place(token), "an expression is no function: axes go by their names in it");
    const std::string value = at_ == 0 ? value_of_lambda(tokens_) : "";
    if (!value.empty()) out.note(fmt::format("an index map is its entries alone: write \"{}\"", value));
    out.note("a function stands under `functions`: \"twice(x)\": \"x * 2\"");
    return {};
  }
  if ((token.kind == TokenKind::symbol && !token.is("...")) || token.kind == TokenKind::end || is_keyword(token.text)) {
    unexpected("an operand");
    return {};
  }
  ++at_;
  return literal(token);
}

Parser::Tree Parser::literal(const Token& token) {
  switch (token.kind) {
    case TokenKind::integer:
      return make(token.begin, 1, IntegerLiteral{token.integer});
    case TokenKind::floating:
      return make(token.begin, 1, FloatLiteral{token.floating, std::string(token.text)});
    case TokenKind::string:
      return make(token.begin, 1, StringExpr{token.string});
    default:
      break;
  }
  if (token.text == "...") return make(token.begin, 1, EllipsisLiteral{});
  if (token.text == "None") return make(token.begin, 1, NoneLiteral{});
  if (token.text == "true" || token.text == "false") return make(token.begin, 1, BoolLiteral{token.text == "true"});
  return make(token.begin, 1, NameExpr{std::string(token.text)});
}

Parser::Tree Parser::parenthesised() {
  size_t begin = peek().begin;
  ++at_;
  TupleExpr node;
  int depth = 0;
  bool comma = false;
  if (!items(")", node.items, depth, comma, false)) return {};
  // Parentheses are not kept, since the tree has their meaning. The span of a parenthesised tree begins inside of them.
  if (node.items.size() == 1 && !comma) return {node.items[0], depth, begin};
  return make(begin, depth + 1, std::move(node));
}

bool Parser::items(std::string_view close, std::vector<ExprPtr>& out, int& depth, bool& comma, bool slices) {
  comma = false;
  while (!accept(close)) {
    if (!out.empty() && !comma) {
      unexpected(fmt::format("',' or '{}'", close));
      return false;
    }
    Tree item = slices ? slice_or_expression() : conditional();
    if (!item) return false;
    out.push_back(item.expr);
    depth = std::max(depth, item.depth);
    comma = accept(",");
  }
  return true;
}

Parser::Tree Parser::mapping() {
  size_t begin = peek().begin;
  ++at_;
  MappingExpr node;
  int depth = 0;
  bool comma = true;
  while (!accept("}")) {
    const Token& name = peek();
    if (!comma || name.kind != TokenKind::name) return {unexpected(comma ? "a name" : "',' or '}'")};
    ++at_;
    if (!accept(":")) return {unexpected("':' after the name")};
    Tree value = conditional();
    if (!value) return {};
    node.entries.push_back({std::string(name.text), place(name), value.expr});
    depth = std::max(depth, value.depth);
    comma = accept(",");
  }
  return make(begin, depth + 1, std::move(node));
}

Parser::Tree Parser::call(Tree callee) {
  CallExpr node{callee.expr, {}, {}};
  int depth = callee.depth;
  bool comma = true;
  while (!accept(")")) {
    if (!comma) return {unexpected("',' or ')'")};
    const Token& name = peek();
    bool keyword = name.kind == TokenKind::name && tokens_[at_ + 1].is("=");
    if (keyword) {
      at_ += 2;
      for (const KeywordArgument& other : node.keywords) {
        if (other.name != name.text) continue;
        diagnostics_.error(kSyntaxArguments, place(name), fmt::format("the argument '{}' is given twice", name.text))
            .note(other.name_span, "first here");
        return {};
      }
    } else if (!node.keywords.empty()) {
      diagnostics_
          .error(kSyntaxArguments, place(name),
                 fmt::format("an argument without a name stands after '{}=': put it first", node.keywords.back().name))
          .note(node.keywords.back().name_span, "to compare write '=='");
      return {};
    }
    Tree value = conditional();
    if (!value) return {};
    depth = std::max(depth, value.depth);
    if (keyword) {
      node.keywords.push_back({std::string(name.text), place(name), value.expr});
    } else {
      node.args.push_back(value.expr);
    }
    comma = accept(",");
  }
  return make(callee.begin, depth + 1, std::move(node));
}

Parser::Tree Parser::subscript(Tree base) {
  SubscriptExpr node{base.expr, {}};
  int depth = base.depth;
  bool comma = false;
  if (peek().is("]")) return {unexpected("an index: the whole of a ref is 'name[...]'")};
  if (!items("]", node.items, depth, comma, true)) return {};
  return make(base.begin, depth + 1, std::move(node));
}

Parser::Tree Parser::slice_or_expression() {
  size_t begin = peek().begin;
  SliceExpr node;
  int depth = 0;
  auto part = [&](ExprPtr& out) {
    if (peek().is(":") || peek().is(",") || peek().is("]")) return true;
    Tree tree = conditional();
    depth = std::max(depth, tree.depth);
    out = tree.expr;
    return out != nullptr;
  };
  if (peek().is(",")) return {unexpected("an index")};
  if (!part(node.start)) return {};
  if (!accept(":")) return {node.start, depth, begin};
  if (!part(node.stop)) return {};
  if (accept(":") && !part(node.step)) return {};
  return make(begin, depth + 1, std::move(node));
}

Parser::Tree Parser::attribute(Tree base) {
  const Token& name = peek();
  if (name.kind != TokenKind::name) return {unexpected("a name after '.'")};
  ++at_;
  return make(base.begin, base.depth + 1, AttributeExpr{base.expr, std::string(name.text), place(name)});
}

}  // namespace pallasgen
