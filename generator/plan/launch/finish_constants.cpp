// The constants of the spec that the kernel's file uses.
#include <algorithm>
#include <map>
#include <set>

#include "expression/constant_text.h"
#include "launch/finish.h"
#include "program/constant_names.h"
#include "program/program_walk.h"

namespace pallasgen {

using namespace program;

void finish_constants(Draft& draft) {
  Plan& plan = draft.plan;
  std::set<std::string> used;
  const auto use_text = [&](const std::string& text) {
    for (std::string& name : names_in(text)) used.insert(std::move(name));
  };
  std::map<std::string, double> floats;
  const auto use = [&](const TypedPtr& expr) {
    walk(expr, [&](const Typed& node) {
      const Constant* constant = node.as<Constant>();
      if (!constant || constant->name.empty()) return;
      if (node.dtype == DType::index || node.dtype == DType::i32) use_text(constant->name);
      const auto* real = std::get_if<double>(&constant->value);
      if (node.dtype == DType::f32 && real) floats.emplace(draft.names().of(constant->name), *real);
    });
  };
  for (const PlanConstant& constant : plan.constants) use_text(constant.formula);
  for (const SharedField& field : plan.shared.fields) {
    for (const Number& dim : field.dims) use_text(dim.text);
  }
  for (const TensorMapPlan& map : plan.maps) {
    for (const Number& size : map.box) use_text(size.text);
    for (const TypedPtr& extent : map.extents) use(extent);
    for (const TypedPtr& stride : map.strides) use(stride);
  }
  for (const FragmentPlan& fragment : plan.fragments) use_text(fragment.layout_text);
  for (const LayoutName& layout : plan.layouts) use_text(layout.text);
  for (const LaunchSize& size : plan.launch.sizes) use(size.value);
  for (const RingPlan& ring : plan.rings) {
    for (const RingOperand& operand : ring.operands) {
      for (const Number* n :
           {&operand.column_boxes, &operand.column_box_width, &operand.column_box_elements, &operand.row_boxes,
            &operand.row_box, &operand.row_box_elements, &operand.bytes, &operand.extent, &operand.width})
        use_text(n->text);
    }
  }
  for (const RolePlan& role : plan.roles) {
    for_each_statement(role.program, [&](const Statement& statement) {
      for_each_expression(plan, statement, use);
      if (const auto* node = std::get_if<Mma>(&statement.node)) {
        for (const Number* n : {&node->n, &node->k_steps, &node->row_tiles}) use_text(n->text);
      }
      if (const auto* node = std::get_if<MultiplyAdd>(&statement.node)) {
        for (const SharedMatrix* matrix : {&node->a, &node->b}) {
          for (const Number* n : {&matrix->lines, &matrix->depth}) use_text(n->text);
        }
      }
      if (const auto* node = std::get_if<ForElements>(&statement.node)) {
        for (const Number& size : node->shape) use_text(size.text);
      }
      if (const auto* node = std::get_if<ReduceFragment>(&statement.node)) use_text(node->column.text);
      if (const auto* node = std::get_if<ForStoreColumns>(&statement.node)) use_text(node->count.text);
      if (const auto* node = std::get_if<ForChunks>(&statement.node)) use_text(node->count.text);
    });
  }
  std::vector<PlanConstant> spec;
  for (const KernelConst& constant : draft.kernel->consts) {
    const Scalar* scalar = std::get_if<Scalar>(&constant.value);
    const int64_t* value = scalar ? std::get_if<int64_t>(scalar) : nullptr;
    PlanConstant entry;
    entry.name = draft.names().of(constant.name);
    const auto real = floats.find(entry.name);
    const bool is_float = scalar && std::holds_alternative<double>(*scalar) && real != floats.end();
    if (!is_float && !(value && used.count(entry.name) > 0)) continue;
    if (is_float)
      entry.real = real->second, entry.type = "float";
    else
      entry.value = *value;
    if (value && (*value < INT32_MIN || *value > INT32_MAX)) entry.type = "int64_t";
    entry.line = constant_line::spec;
    spec.push_back(std::move(entry));
  }
  plan.constants.insert(plan.constants.begin(), spec.begin(), spec.end());
  std::stable_sort(plan.constants.begin(), plan.constants.end(),
                   [](const PlanConstant& a, const PlanConstant& b) { return a.line < b.line; });
}

}  // namespace pallasgen
