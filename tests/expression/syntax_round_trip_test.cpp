#include <doctest/doctest.h>

#include <random>

#include "expression/expr.h"

using namespace pallasgen;

namespace {

// Random trees of every kind of node, in the shapes of the grammar.
class Trees {
 public:
  explicit Trees(unsigned seed) : random_(seed) {}

  ExprPtr tree(int depth) {
    if (depth == 0) return leaf();
    switch (pick(12)) {
      case 0:
        return node(UnaryExpr{static_cast<UnaryOp>(pick(4)), tree(depth - 1)});
      case 1:
      case 2:
      case 3:
        return node(BinaryExpr{static_cast<BinaryOp>(pick(15)), tree(depth - 1), tree(depth - 1)});
      case 4: {
        CompareExpr compare{{tree(depth - 1)}, {}};
        for (int n = 1 + pick(2); n > 0; --n) {
          compare.ops.push_back(static_cast<CompareOp>(pick(6)));
          compare.operands.push_back(tree(depth - 1));
        }
        return node(compare);
      }
      case 5:
        return node(ConditionalExpr{tree(depth - 1), tree(depth - 1), tree(depth - 1)});
      case 6:
        return node(CallExpr{tree(depth - 1), trees(depth - 1), keywords(depth - 1)});
      case 7:
        return node(SubscriptExpr{tree(depth - 1), indices(depth - 1)});
      case 8:
        return node(AttributeExpr{tree(depth - 1), name(), {}});
      case 9:
        return node(ListExpr{trees(depth - 1)});
      case 10:
        return node(TupleExpr{trees(depth - 1)});
      default:
        return node(MappingExpr{keywords(depth - 1)});
    }
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  ExprPtr node(Expr::Node n) { return make_expr({}, std::move(n)); }
  std::string name() { return std::string(1, static_cast<char>('a' + pick(26))) + (pick(2) ? "_1" : ""); }

  ExprPtr leaf() {
    static const FloatLiteral kFloats[] = {{1.5, "1.5"}, {1e-5, "1e-5"}, {0.1, ""}, {3, ""}, {1e300, ""}};
    switch (pick(8)) {
      case 0:
        return node(IntegerLiteral{random_() >> pick(64)});
      case 1:
        return node(kFloats[pick(5)]);
      case 2:
        return node(BoolLiteral{pick(2) == 1});
      case 3:
        return node(StringExpr{pick(2) ? "a \"b\" 'c'\n\t\\" : ""});
      case 4:
        return node(NoneLiteral{});
      case 5:
        return node(EllipsisLiteral{});
      default:
        return node(NameExpr{name()});
    }
  }

  std::vector<ExprPtr> trees(int depth) {
    std::vector<ExprPtr> out;
    for (int n = pick(4); n > 0; --n) out.push_back(tree(depth));
    return out;
  }

  std::vector<ExprPtr> indices(int depth) {
    std::vector<ExprPtr> out;
    for (int n = 1 + pick(3); n > 0; --n) {
      auto part = [&] { return pick(2) ? tree(depth) : nullptr; };
      out.push_back(pick(3) ? tree(depth) : node(SliceExpr{part(), part(), part()}));
    }
    return out;
  }

  std::vector<KeywordArgument> keywords(int depth) {
    std::vector<KeywordArgument> out;
    for (int n = pick(3); n > 0; --n) out.push_back({"k" + std::to_string(n), {}, tree(depth)});
    return out;
  }

  std::mt19937_64 random_;
};

}  // namespace

TEST_CASE("printing and parsing give the same tree") {
  Trees trees(20240117);
  for (int i = 0; i < 3000; ++i) {
    ExprPtr tree = trees.tree(i % 6);
    std::string text = to_string(*tree);
    Diagnostics diagnostics;
    ExprPtr again = parse_expression(text, {}, diagnostics);
    REQUIRE_MESSAGE(again != nullptr, text, "\n", render(diagnostics, ErrorFormat::text, false));
    REQUIRE_MESSAGE(same(tree, again), text, " became ", to_string(*again));
    REQUIRE(to_string(*again) == text);
  }
}

TEST_CASE("cutting and changing texts never crashes and always says something") {
  Trees trees(7);
  std::mt19937_64 random(11);
  const std::string kBytes = "()[]{},:=+-*/.'\"\\ab01_ \n\x80\xC3";
  for (int i = 0; i < 3000; ++i) {
    std::string text = to_string(*trees.tree(i % 5));
    for (int n = 0; n < 3; ++n) text.insert(random() % (text.size() + 1), 1, kBytes[random() % kBytes.size()]);
    text.resize(random() % (text.size() + 1));
    Diagnostics diagnostics;
    ExprPtr expr = parse_expression(text, {}, diagnostics);
    REQUIRE((expr == nullptr) == diagnostics.has_errors());
    auto statement = parse_statement(text, {}, diagnostics);
    if (expr != nullptr && statement) REQUIRE(std::holds_alternative<CallSyntax>(*statement));
  }
}
