#include "program_walk.h"

namespace pallasgen {

using namespace program;

void for_each_statement(const Statements& statements, const std::function<void(const Statement&)>& visit) {
  for (const Statement& statement : statements) {
    visit(statement);
    if (const auto* node = std::get_if<ForTiles>(&statement.node)) for_each_statement(node->body, visit);
    if (const auto* node = std::get_if<ForSteps>(&statement.node)) for_each_statement(node->body, visit);
    if (const auto* node = std::get_if<ForSlabs>(&statement.node)) for_each_statement(node->body, visit);
    if (const auto* node = std::get_if<ForStoreColumns>(&statement.node)) for_each_statement(node->body, visit);
    if (const auto* node = std::get_if<ForChunks>(&statement.node)) for_each_statement(node->body, visit);
    if (const auto* node = std::get_if<If>(&statement.node)) {
      for_each_statement(node->then, visit);
      for_each_statement(node->otherwise, visit);
    }
  }
}

void for_each_expression(const Plan& plan, const Statement& statement,
                         const std::function<void(const TypedPtr&)>& visit) {
  const auto visit_some = [&](const TypedPtr& expr) {
    if (expr) visit(expr);
  };
  const auto visit_access = [&](const Access& access) {
    for (const AccessDim& dim : access.dims) {
      visit_some(dim.offset);
      visit_some(dim.extent);
    }
    for (const TypedPtr& stride : access.strides) visit_some(stride);
  };
  if (const auto* node = std::get_if<TensorLoad>(&statement.node)) {
    for (const TypedPtr& expr : plan.rings[node->ring].operands[node->operand].box_coordinates) visit_some(expr);
    visit_some(plan.rings[node->ring].operands[node->operand].box_offset);
  }
  if (const auto* node = std::get_if<BindScalar>(&statement.node)) visit_some(plan.scalars[node->scalar].value);
  if (const auto* node = std::get_if<Mma>(&statement.node)) {
    visit_some(node->a_first);
    visit_some(node->a_offset);
  }
  if (const auto* node = std::get_if<FillIfNoStep>(&statement.node)) visit_some(node->value);
  if (const auto* node = std::get_if<Fill>(&statement.node)) visit_some(node->value);
  if (const auto* node = std::get_if<ForChunks>(&statement.node)) visit_some(node->start);
  if (const auto* node = std::get_if<ForStoreColumns>(&statement.node)) {
    visit_some(node->first);
    visit_some(node->extent);
  }
  if (const auto* node = std::get_if<TensorStore>(&statement.node)) {
    for (const TypedPtr& expr : node->coordinates) visit_some(expr);
  }
  if (const auto* node = std::get_if<Load>(&statement.node)) {
    visit_access(node->access);
    visit_some(node->fill);
  }
  if (const auto* node = std::get_if<LoadShared>(&statement.node)) visit_some(node->offset);
  if (const auto* node = std::get_if<StoreGlobal>(&statement.node)) visit_access(node->access);
  if (const auto* node = std::get_if<If>(&statement.node)) visit_some(node->condition);
  if (const auto* node = std::get_if<Elementwise>(&statement.node)) {
    for (const ElementwiseStatement& part : node->statements) {
      visit_some(part.value);
      for (const Binding& binding : part.bindings) {
        visit_some(binding.offset);
        if (binding.kind == SlotKind::scalar && binding.scalar >= 0) visit_some(plan.scalars[binding.scalar].value);
      }
    }
  }
}

}  // namespace pallasgen
