#include "body/quoted.h"

#include <utility>

#include "kernel/value.h"

namespace pallasgen {

namespace {

// Replaces names by their values in a tree that is only printed, so that it needs no spans.
class Values {
 public:
  explicit Values(const Context& context) : context_(context) {}

  ExprPtr of(const ExprPtr& expr) const {
    if (!expr) return expr;
    ExprPtr made = std::visit(*this, expr->node);
    return made ? made : expr;
  }

  // Null for a node without parts.
  template <class Node>
  ExprPtr operator()(const Node&) const {
    return nullptr;
  }

  ExprPtr operator()(const NameExpr& name) const {
    const auto found = context_.consts.find(name.name);
    if (found == context_.consts.end()) return nullptr;
    if (const auto* function = found->second.as<FunctionName>()) return made(NameExpr{function->name});
    if (const auto* dtype = found->second.as<DType>()) return made(NameExpr{std::string(name_of(*dtype))});
    const auto* typed = found->second.as<TypedPtr>();
    const Constant* constant = typed && *typed ? (*typed)->as<Constant>() : nullptr;
    const bool* truth = constant ? std::get_if<bool>(&constant->value) : nullptr;
    return truth ? made(BoolLiteral{*truth}) : nullptr;
  }

  ExprPtr operator()(UnaryExpr node) const {
    node.operand = of(node.operand);
    const BoolLiteral* truth = node.operand->as<BoolLiteral>();
    if (truth && node.op == UnaryOp::logical_not) return made(BoolLiteral{!truth->value});
    return made(std::move(node));
  }
  ExprPtr operator()(const BinaryExpr& node) const {
    const ExprPtr left = of(node.left), right = of(node.right);
    if (decides_nothing(node.op, *left)) return right;
    if (decides_nothing(node.op, *right)) return left;
    return made(BinaryExpr{node.op, left, right});
  }
  ExprPtr operator()(const CompareExpr& node) const { return made(CompareExpr{all(node.operands), node.ops}); }
  ExprPtr operator()(const ConditionalExpr& node) const {
    const ExprPtr condition = of(node.condition);
    if (const BoolLiteral* truth = condition->as<BoolLiteral>()) return of(truth->value ? node.then : node.otherwise);
    return made(ConditionalExpr{of(node.then), condition, of(node.otherwise)});
  }
  ExprPtr operator()(const CallExpr& node) const {
    return made(CallExpr{of(node.callee), all(node.args), all(node.keywords)});
  }
  ExprPtr operator()(const SubscriptExpr& node) const { return made(SubscriptExpr{of(node.base), all(node.items)}); }
  ExprPtr operator()(const AttributeExpr& node) const {
    return made(AttributeExpr{of(node.base), node.name, node.name_span});
  }
  ExprPtr operator()(const SliceExpr& node) const {
    return made(SliceExpr{of(node.start), of(node.stop), of(node.step)});
  }
  ExprPtr operator()(const ListExpr& node) const { return made(ListExpr{all(node.items)}); }
  ExprPtr operator()(const TupleExpr& node) const { return made(TupleExpr{all(node.items)}); }

 private:
  std::vector<ExprPtr> all(std::vector<ExprPtr> list) const {
    for (ExprPtr& expr : list) expr = of(expr);
    return list;
  }
  std::vector<KeywordArgument> all(std::vector<KeywordArgument> list) const {
    for (KeywordArgument& keyword : list) keyword.value = of(keyword.value);
    return list;
  }
  // `true` in an `and`, `false` in an `or`.
  static bool decides_nothing(BinaryOp op, const Expr& operand) {
    const BoolLiteral* truth = operand.as<BoolLiteral>();
    return truth && (op == BinaryOp::logical_and ? truth->value : op == BinaryOp::logical_or && !truth->value);
  }
  static ExprPtr made(Expr::Node node) { return make_expr({}, std::move(node)); }

  const Context& context_;
};

}  // namespace

std::string quoted(const Context& context, const StatementSyntax& statement) {
  const Values values(context);
  StatementSyntax shown = statement;
  if (auto* assign = std::get_if<AssignSyntax>(&shown)) assign->value = values.of(assign->value);
  if (auto* store = std::get_if<StoreSyntax>(&shown)) {
    store->target = values.of(store->target);
    store->value = values.of(store->value);
  }
  if (auto* call = std::get_if<CallSyntax>(&shown)) call->call = values.of(call->call);
  return to_string(shown);
}

}  // namespace pallasgen
