#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "diagnostics/diagnostic.h"
#include "diagnostics/source.h"

namespace pallasgen {

// The untyped tree of docs/language.md section 7: the text before names and types. Immutable and shared.
struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

struct IntegerLiteral {
  uint64_t value;
};  // never negative: a minus is a UnaryExpr
struct FloatLiteral {
  double value;
  std::string text;
};  // `text` as written; `inf` and `nan` are NameExprs
struct BoolLiteral {
  bool value;
};
struct NoneLiteral {};
struct EllipsisLiteral {};
struct NameExpr {
  std::string name;
};

enum class UnaryOp { negate, plus, logical_not, invert };
struct UnaryExpr {
  UnaryOp op;
  ExprPtr operand;
};

enum class BinaryOp {
  add,
  subtract,
  multiply,
  divide,
  floor_divide,
  modulo,
  power,
  matmul,
  shift_left,
  shift_right,
  bit_and,
  bit_or,
  bit_xor,
  logical_and,
  logical_or
};
struct BinaryExpr {
  BinaryOp op;
  ExprPtr left, right;
};

enum class CompareOp { less, less_equal, greater, greater_equal, equal, not_equal };
struct CompareExpr {
  std::vector<ExprPtr> operands;
  std::vector<CompareOp> ops;
};  // chained as in Python, with one operand more than ops

struct ConditionalExpr {
  ExprPtr then, condition, otherwise;
};  // then if condition else otherwise

struct KeywordArgument {
  std::string name;
  Span name_span;
  ExprPtr value;
};
struct CallExpr {
  ExprPtr callee;
  std::vector<ExprPtr> args;
  std::vector<KeywordArgument> keywords;
};
struct SubscriptExpr {
  ExprPtr base;
  std::vector<ExprPtr> items;
};  // items: expressions, SliceExpr, EllipsisLiteral, NoneLiteral
struct AttributeExpr {
  ExprPtr base;
  std::string name;
  Span name_span;
};
struct SliceExpr {
  ExprPtr start, stop, step;
};  // each may be null
struct ListExpr {
  std::vector<ExprPtr> items;
};
struct TupleExpr {
  std::vector<ExprPtr> items;
};
struct StringExpr {
  std::string value;
};
struct MappingExpr {
  std::vector<KeywordArgument> entries;
};  // `{c: i}`, an argument of cluster_ref and remote_ref

struct Expr {
  using Node = std::variant<IntegerLiteral, FloatLiteral, BoolLiteral, NoneLiteral, EllipsisLiteral, NameExpr,
                            UnaryExpr, BinaryExpr, CompareExpr, ConditionalExpr, CallExpr, SubscriptExpr, AttributeExpr,
                            SliceExpr, ListExpr, TupleExpr, StringExpr, MappingExpr>;
  Span span;
  Node node;

  template <class T>
  const T* as() const {
    return std::get_if<T>(&node);
  }
};

ExprPtr make_expr(Span span, Expr::Node node);

// True if two trees are the same, ignoring spans. A null pointer equals only another one.
bool same(const ExprPtr& a, const ExprPtr& b);

// Parses the whole of `text` as one expression. `span` is its place in the source, byte for byte where the scalar is
// plain or quoted on one line; else positions are as TextPlace finds them. Null after an error.
ExprPtr parse_expression(std::string_view text, Span span, Diagnostics& diagnostics);

// Parses a top-level list `a, b, c` (a trailing comma is an error) into its expressions. Nothing after an error.
std::optional<std::vector<ExprPtr>> parse_expression_list(std::string_view text, Span span, Diagnostics& diagnostics);

// A statement that is a string (docs/language.md section 6).
struct AssignSyntax {  // `name = expr`, `a, b = call`
  std::vector<std::string> names;
  std::vector<Span> name_spans;
  ExprPtr value;
};
struct StoreSyntax {  // `ref[index] = expr`, `ref[index] op= expr`
  ExprPtr target;     // a SubscriptExpr
  std::optional<BinaryOp> op;
  ExprPtr value;
};
struct CallSyntax {
  ExprPtr call;
};
using StatementSyntax = std::variant<AssignSyntax, StoreSyntax, CallSyntax>;
std::optional<StatementSyntax> parse_statement(std::string_view text, Span span, Diagnostics& diagnostics);

// Canonical text with minimal parentheses and one space around binary operators; parsing it gives the same tree.
// `names` maps names of the text to those that are printed in their place.
using OtherNames = std::map<std::string, std::string>;
std::string to_string(const Expr& expr, const OtherNames& names = {});
std::string to_string(const StatementSyntax& statement);
std::string_view symbol_of(BinaryOp op);
std::string_view symbol_of(UnaryOp op);
std::string_view symbol_of(CompareOp op);

}  // namespace pallasgen
