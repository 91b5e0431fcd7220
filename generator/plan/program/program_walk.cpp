#include "program/program_walk.h"

#include "program/own_expressions.h"

namespace pallasgen {

using namespace program;

namespace {

// Visits each list of statements inside a statement.
template <class Node, class Visit>
void visit_bodies(Node& statement, const Visit& visit) {
  std::visit(
      [&](auto& node) {
        if constexpr (requires { node.body; }) visit(node.body);
        if constexpr (requires { node.otherwise; }) {
          visit(node.then);
          visit(node.otherwise);
        }
      },
      statement.node);
}

template <class Node, class Visit>
void visit_bindings(Node& statement, const Visit& visit) {
  if (auto* node = std::get_if<Elementwise>(&statement.node)) {
    for (auto& part : node->statements) {
      for (auto& binding : part.bindings) visit(binding);
    }
  }
  std::visit(
      [&](auto& node) {
        if constexpr (requires { node.bindings; }) {
          for (auto& binding : node.bindings) visit(binding);
        }
      },
      statement.node);
}

template <class Node, class Visit>
void visit_fields(Node& statement, const Visit& visit) {
  visit_bindings(statement, [&](auto& binding) {
    if (binding.field >= 0) visit(binding.field);
  });
  std::visit(
      [&](auto& node) {
        using Kind = std::decay_t<decltype(node)>;
        if constexpr (std::is_same_v<Kind, StoreElement> || std::is_same_v<Kind, ReduceFragment> ||
                      std::is_same_v<Kind, ReduceTile> || std::is_same_v<Kind, StoreTile> ||
                      std::is_same_v<Kind, LoadTile> || std::is_same_v<Kind, TakeTicket> ||
                      std::is_same_v<Kind, OpenExchange> || std::is_same_v<Kind, PollFault>) {
          if (node.field >= 0) visit(node.field);
        }
        if constexpr (std::is_same_v<Kind, ReduceLanes>) {
          if (node.field >= 0) visit(node.field);
          if (node.positions >= 0) visit(node.positions);
        }
        if constexpr (std::is_same_v<Kind, MultiplyAdd>) {
          for (auto* matrix : {&node.a, &node.b}) {
            if (matrix->field >= 0) visit(matrix->field);
          }
        }
      },
      statement.node);
}

template <class Node, class Visit>
void visit_fragments(Node& statement, const Visit& visit) {
  visit_bindings(statement, [&](auto& binding) {
    if (binding.fragment >= 0) visit(binding.fragment);
  });
  std::visit(
      [&](auto& node) {
        using Kind = std::decay_t<decltype(node)>;
        if constexpr (requires { node.fragment; }) visit(node.fragment);
        if constexpr (requires { node.packed; }) visit(node.packed);
        if constexpr (requires { node.accumulator; }) visit(node.accumulator);
        if constexpr (requires { node.accumulators; }) {
          for (auto& each : node.accumulators) visit(each);
        }
        if constexpr (requires { node.fragments; }) {
          for (auto& each : node.fragments) visit(each);
        }
        if constexpr (std::is_same_v<Kind, Mma>) {
          if (node.ring_a < 0) visit(node.a);
        }
        if constexpr (std::is_same_v<Kind, ForChunks>) {
          for (auto& view : node.views) {
            visit(view.source);
            visit(view.view);
          }
        }
        if constexpr (std::is_same_v<Kind, ReduceFragment>) {
          visit(node.target);
          visit(node.source);
        }
        if constexpr (std::is_same_v<Kind, Elementwise>) {
          if (node.layout_of >= 0) visit(node.layout_of);
          for (auto& part : node.statements) visit(part.target);
        }
      },
      statement.node);
}

}  // namespace

void for_each_statement(const Statements& statements, const std::function<void(const Statement&)>& visit) {
  for (const Statement& statement : statements) {
    visit(statement);
    visit_bodies(statement, [&](const Statements& body) { for_each_statement(body, visit); });
  }
}

void for_each_binding(const Statement& statement, const std::function<void(const Binding&)>& visit) {
  visit_bindings(statement, visit);
}
void for_each_binding(Statement& statement, const std::function<void(Binding&)>& visit) {
  visit_bindings(statement, visit);
}

std::vector<Statements*> bodies_of(Statement& statement) {
  std::vector<Statements*> bodies;
  visit_bodies(statement, [&](Statements& body) { bodies.push_back(&body); });
  return bodies;
}

void for_each_field(const Statement& statement, const std::function<void(int)>& visit) {
  visit_fields(statement, visit);
}
void for_each_field(Statement& statement, const std::function<void(int&)>& visit) { visit_fields(statement, visit); }

bool meets_in_tile(const Statement& statement) {
  const auto* reduce = std::get_if<ReduceFragment>(&statement.node);
  return (reduce && reduce->field >= 0 && !reduce->in_warp()) || std::holds_alternative<ReduceTile>(statement.node);
}

void for_each_fragment(const Statement& statement, const std::function<void(int)>& visit) {
  visit_fragments(statement, visit);
}
void for_each_fragment(Statement& statement, const std::function<void(int&)>& visit) {
  visit_fragments(statement, visit);
}

void for_each_own_expression(const Plan& plan, const Statement& statement,
                             const std::function<void(const TypedPtr&)>& visit) {
  const auto visit_some = [&](const TypedPtr& expr) {
    if (expr) visit(expr);
  };
  const auto visit_access = [&](const Access& access) {
    for (const AccessDim& dim : access.dims) {
      visit_some(dim.offset);
      visit_some(dim.extent);
      visit_some(dim.size);
      visit_some(dim.each);
    }
    for (const TypedPtr& stride : access.strides) visit_some(stride);
  };
  // Visits the extents and strides of an array whose elements are accessed one by one.
  const auto visit_array = [&](int ref) {
    for (const TypedPtr& extent : plan.kernel->refs[ref].array_shape) visit_some(extent);
    for (const TypedPtr& stride : plan.kernel->refs[ref].strides) visit_some(stride);
  };
  if (const auto* node = std::get_if<ForSteps>(&statement.node)) {
    visit_some(node->first);
    visit_some(node->last);
    visit_some(node->middle);
  }
  if (std::holds_alternative<ForTiles>(statement.node)) {
    visit_some(plan.work.skip);
    for (int let : plan.work.skip_lets) visit_some(plan.kernel->lets[let].value);
  }
  if (const auto* node = std::get_if<DeclareSteps>(&statement.node)) visit_some(plan.kernel->axes[node->axis].size);
  if (const auto* node = std::get_if<DeclareLet>(&statement.node)) visit_some(plan.kernel->lets[node->let].value);
  if (const auto* node = std::get_if<TensorLoad>(&statement.node)) {
    const RingOperand& operand = plan.rings[node->ring].operands[node->operand];
    for (const TypedPtr& expr : node->coordinates.empty() ? operand.box_coordinates : node->coordinates)
      visit_some(expr);
    visit_some(plan.rings[node->ring].operands[node->operand].box_offset);
  }
  if (const auto* node = std::get_if<BindScalar>(&statement.node)) visit_some(plan.scalars[node->scalar].value);
  if (const auto* node = std::get_if<Mma>(&statement.node)) {
    for (const TypedPtr& expr : {node->k_first, node->a_first, node->b_first}) visit_some(expr);
  }
  const auto visit_place = [&](const TileAccess& node) {
    for (const TypedPtr& expr : node.at) visit_some(expr);
  };
  if (const auto* node = std::get_if<StoreTile>(&statement.node)) visit_place(*node);
  if (const auto* node = std::get_if<LoadTile>(&statement.node)) visit_place(*node);
  if (const auto* node = std::get_if<FillIfNoStep>(&statement.node)) visit_some(node->value);
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
  if (const auto* node = std::get_if<StoreOperand>(&statement.node)) visit_some(node->offset);
  if (const auto* node = std::get_if<ClearRows>(&statement.node)) visit_some(node->first);
  if (const auto* node = std::get_if<AsyncCopy>(&statement.node)) {
    visit_some(node->ahead);
    visit_access(node->access);
    visit_some(node->fill);
  }
  if (const auto* node = std::get_if<Prefetch>(&statement.node)) visit_access(node->access);
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
}

void for_each_expression(const Plan& plan, const Statement& statement,
                         const std::function<void(const TypedPtr&)>& visit) {
  const auto visit_some = [&](const TypedPtr& expr) {
    if (expr) visit(expr);
  };
  for_each_own_expression(plan, statement, visit);
  if (const auto* node = std::get_if<Elementwise>(&statement.node)) {
    for (const ElementwiseStatement& part : node->statements) visit_some(part.value);
  }
  for_each_binding(statement, [&](const Binding& binding) {
    visit_some(binding.offset);
    for (const TypedPtr& expr : binding.index) visit_some(expr);
    visit_some(binding.condition);
    visit_some(binding.outside);
    if (binding.kind == SlotKind::scalar && binding.scalar >= 0) visit_some(plan.scalars[binding.scalar].value);
    if (binding.kind != SlotKind::global) return;
    for (const TypedPtr& extent : plan.kernel->refs[binding.ref].array_shape) visit_some(extent);
    for (const TypedPtr& stride : plan.kernel->refs[binding.ref].strides) visit_some(stride);
  });
}

}  // namespace pallasgen
