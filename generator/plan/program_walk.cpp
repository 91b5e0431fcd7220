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
    if (const auto* node = std::get_if<ForElements>(&statement.node)) for_each_statement(node->body, visit);
    if (const auto* node = std::get_if<ForRange>(&statement.node)) for_each_statement(node->body, visit);
    if (const auto* node = std::get_if<WhileLoop>(&statement.node)) for_each_statement(node->body, visit);
    if (const auto* node = std::get_if<If>(&statement.node)) {
      for_each_statement(node->then, visit);
      for_each_statement(node->otherwise, visit);
    }
  }
}

void for_each_binding(const Statement& statement, const std::function<void(const Binding&)>& visit) {
  const auto visit_all = [&](const std::vector<Binding>& bindings) {
    for (const Binding& binding : bindings) visit(binding);
  };
  if (const auto* node = std::get_if<Elementwise>(&statement.node)) {
    for (const ElementwiseStatement& part : node->statements) visit_all(part.bindings);
  }
  if (const auto* node = std::get_if<If>(&statement.node)) visit_all(node->bindings);
  if (const auto* node = std::get_if<ForRange>(&statement.node)) visit_all(node->bindings);
  if (const auto* node = std::get_if<WhileLoop>(&statement.node)) visit_all(node->bindings);
  if (const auto* node = std::get_if<SetScalar>(&statement.node)) visit_all(node->bindings);
  if (const auto* node = std::get_if<StoreElement>(&statement.node)) visit_all(node->bindings);
  if (const auto* node = std::get_if<Check>(&statement.node)) visit_all(node->bindings);
  if (const auto* node = std::get_if<Print>(&statement.node)) visit_all(node->bindings);
  if (const auto* node = std::get_if<Assert>(&statement.node)) visit_all(node->bindings);
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
      visit_some(dim.size);
    }
    for (const TypedPtr& stride : access.strides) visit_some(stride);
  };
  // The extents and strides of an array whose elements are reached one by one.
  const auto visit_array = [&](int ref) {
    for (const TypedPtr& extent : plan.kernel->refs[ref].array_shape) visit_some(extent);
    for (const TypedPtr& stride : plan.kernel->refs[ref].strides) visit_some(stride);
  };
  if (std::holds_alternative<ForTiles>(statement.node)) visit_some(plan.work.skip);
  if (const auto* node = std::get_if<DeclareSteps>(&statement.node)) visit_some(plan.kernel->axes[node->axis].size);
  if (const auto* node = std::get_if<DeclareLet>(&statement.node)) visit_some(plan.kernel->lets[node->let].value);
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
  if (const auto* node = std::get_if<ForRange>(&statement.node)) {
    for (const TypedPtr& expr : {node->start, node->stop, node->step}) visit_some(expr);
  }
  if (const auto* node = std::get_if<WhileLoop>(&statement.node)) visit_some(node->condition);
  if (const auto* node = std::get_if<SetScalar>(&statement.node)) visit_some(node->value);
  if (const auto* node = std::get_if<StoreElement>(&statement.node)) {
    for (const TypedPtr& expr : node->index) visit_some(expr);
    visit_some(node->condition);
    visit_some(node->value);
    if (node->atomic) visit_some(node->atomic->compare);
    if (node->ref >= 0) visit_array(node->ref);
  }
  if (const auto* node = std::get_if<Check>(&statement.node)) {
    visit_some(node->violated);
    for (const TypedPtr& expr : node->point) visit_some(expr);
  }
  if (const auto* node = std::get_if<Print>(&statement.node)) {
    for (const TypedPtr& expr : node->args) visit_some(expr);
  }
  if (const auto* node = std::get_if<Assert>(&statement.node)) visit_some(node->condition);
  if (const auto* node = std::get_if<Elementwise>(&statement.node)) {
    for (const ElementwiseStatement& part : node->statements) visit_some(part.value);
  }
  for_each_binding(statement, [&](const Binding& binding) {
    visit_some(binding.offset);
    for (const TypedPtr& expr : binding.index) visit_some(expr);
    visit_some(binding.condition);
    visit_some(binding.outside);
    if (binding.kind == SlotKind::scalar && binding.scalar >= 0) visit_some(plan.scalars[binding.scalar].value);
    if (binding.kind == SlotKind::global) visit_array(binding.ref);
  });
}

}  // namespace pallasgen
