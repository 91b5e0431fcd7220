#include "names/names_of.h"

#include <algorithm>

namespace pallasgen {

void visit_names(const ExprPtr& expr, const std::function<void(const std::string&, Span)>& visit) {
  if (!expr) return;
  const auto below = [&](const ExprPtr& child) { visit_names(child, visit); };
  const auto all = [&](const std::vector<ExprPtr>& children) {
    std::for_each(children.begin(), children.end(), below);
  };
  if (const auto* node = expr->as<NameExpr>()) visit(node->name, expr->span);
  if (const auto* node = expr->as<UnaryExpr>()) below(node->operand);
  if (const auto* node = expr->as<BinaryExpr>()) all({node->left, node->right});
  if (const auto* node = expr->as<CompareExpr>()) all(node->operands);
  if (const auto* node = expr->as<ConditionalExpr>()) all({node->then, node->condition, node->otherwise});
  if (const auto* node = expr->as<CallExpr>()) {
    below(node->callee);
    all(node->args);
    for (const KeywordArgument& keyword : node->keywords) below(keyword.value);
  }
  if (const auto* node = expr->as<SubscriptExpr>()) {
    below(node->base);
    all(node->items);
  }
  if (const auto* node = expr->as<AttributeExpr>()) below(node->base);
  if (const auto* node = expr->as<SliceExpr>()) all({node->start, node->stop, node->step});
  if (const auto* node = expr->as<ListExpr>()) all(node->items);
  if (const auto* node = expr->as<TupleExpr>()) all(node->items);
}

void visit_expressions(const StmtList& list, const std::function<void(const ExprPtr&)>& visit) {
  for (const Stmt& stmt : list) {
    if (const auto* text = std::get_if<StatementSyntax>(&stmt.node)) {
      if (const auto* assign = std::get_if<AssignSyntax>(text)) visit(assign->value);
      if (const auto* store = std::get_if<StoreSyntax>(text)) visit(store->target), visit(store->value);
      if (const auto* call = std::get_if<CallSyntax>(text)) visit(call->call);
    } else if (const auto* when = std::get_if<WhenSyntax>(&stmt.node)) {
      visit(when->condition);
      visit_expressions(when->then, visit);
      visit_expressions(when->otherwise, visit);
    } else if (const auto* loop = std::get_if<ForSyntax>(&stmt.node)) {
      for (const ExprPtr& bound : loop->range) visit(bound);
      if (loop->unroll) visit(loop->unroll);
      visit_expressions(loop->body, visit);
    } else if (const auto* loop = std::get_if<WhileSyntax>(&stmt.node)) {
      visit(loop->condition);
      visit_expressions(loop->body, visit);
    } else if (const auto* scope = std::get_if<ScopeSyntax>(&stmt.node)) {
      visit_expressions(scope->body, visit);
    } else if (const auto* print = std::get_if<PrintSyntax>(&stmt.node)) {
      for (const ExprPtr& argument : print->args) visit(argument);
    } else if (const auto* assertion = std::get_if<AssertSyntax>(&stmt.node)) {
      visit(assertion->condition);
    }
  }
}

}  // namespace pallasgen
