#include "expression/expr.h"

#include <algorithm>
#include <bit>

#include "parser.h"

namespace pallasgen {
namespace {

bool same(const std::vector<ExprPtr>& a, const std::vector<ExprPtr>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const ExprPtr& x, const ExprPtr& y) { return pallasgen::same(x, y); });
}

bool same(const std::vector<KeywordArgument>& a, const std::vector<KeywordArgument>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const KeywordArgument& x, const KeywordArgument& y) {
    return x.name == y.name && pallasgen::same(x.value, y.value);
  });
}

// One overload per kind of node; both nodes are of that kind.
struct SameNode {
  bool operator()(const IntegerLiteral& a, const IntegerLiteral& b) const { return a.value == b.value; }
  bool operator()(const FloatLiteral& a, const FloatLiteral& b) const {
    return std::bit_cast<uint64_t>(a.value) == std::bit_cast<uint64_t>(b.value);
  }
  bool operator()(const BoolLiteral& a, const BoolLiteral& b) const { return a.value == b.value; }
  bool operator()(const NoneLiteral&, const NoneLiteral&) const { return true; }
  bool operator()(const EllipsisLiteral&, const EllipsisLiteral&) const { return true; }
  bool operator()(const NameExpr& a, const NameExpr& b) const { return a.name == b.name; }
  bool operator()(const UnaryExpr& a, const UnaryExpr& b) const {
    return a.op == b.op && pallasgen::same(a.operand, b.operand);
  }
  bool operator()(const BinaryExpr& a, const BinaryExpr& b) const {
    return a.op == b.op && pallasgen::same(a.left, b.left) && pallasgen::same(a.right, b.right);
  }
  bool operator()(const CompareExpr& a, const CompareExpr& b) const {
    return a.ops == b.ops && same(a.operands, b.operands);
  }
  bool operator()(const ConditionalExpr& a, const ConditionalExpr& b) const {
    return pallasgen::same(a.then, b.then) && pallasgen::same(a.condition, b.condition) &&
           pallasgen::same(a.otherwise, b.otherwise);
  }
  bool operator()(const CallExpr& a, const CallExpr& b) const {
    return pallasgen::same(a.callee, b.callee) && same(a.args, b.args) && same(a.keywords, b.keywords);
  }
  bool operator()(const SubscriptExpr& a, const SubscriptExpr& b) const {
    return pallasgen::same(a.base, b.base) && same(a.items, b.items);
  }
  bool operator()(const AttributeExpr& a, const AttributeExpr& b) const {
    return a.name == b.name && pallasgen::same(a.base, b.base);
  }
  bool operator()(const SliceExpr& a, const SliceExpr& b) const {
    return pallasgen::same(a.start, b.start) && pallasgen::same(a.stop, b.stop) && pallasgen::same(a.step, b.step);
  }
  bool operator()(const ListExpr& a, const ListExpr& b) const { return same(a.items, b.items); }
  bool operator()(const TupleExpr& a, const TupleExpr& b) const { return same(a.items, b.items); }
  bool operator()(const StringExpr& a, const StringExpr& b) const { return a.value == b.value; }
  bool operator()(const MappingExpr& a, const MappingExpr& b) const { return same(a.entries, b.entries); }
};

}  // namespace

ExprPtr make_expr(Span span, Expr::Node node) { return std::make_shared<const Expr>(Expr{span, std::move(node)}); }

bool same(const ExprPtr& a, const ExprPtr& b) {
  if (a == nullptr || b == nullptr) return a == b;
  if (a->node.index() != b->node.index()) return false;
  return std::visit([&]<class T>(const T& node) { return SameNode{}(node, *b->as<T>()); }, a->node);
}

ExprPtr parse_expression(std::string_view text, Span span, Diagnostics& diagnostics) {
  Parser parser(text, span, diagnostics);
  if (!parser.good()) return nullptr;
  ExprPtr expr = parser.expression();
  return expr != nullptr && parser.expect_end() ? expr : nullptr;
}

std::optional<std::vector<ExprPtr>> parse_expression_list(std::string_view text, Span span, Diagnostics& diagnostics) {
  Parser parser(text, span, diagnostics);
  if (!parser.good()) return std::nullopt;
  return parser.list_until_end();
}

}  // namespace pallasgen
