#include "questions/leading_dim.h"

#include <algorithm>

#include "expression/index_map.h"

namespace pallasgen {

namespace {

class LeadingElement {
 public:
  explicit LeadingElement(const ElementOfName& of_name) : of_name_(of_name) {}

  TypedPtr of(const TypedPtr& expr, int64_t number) const {
    if (expr->as<LocalUse>()) {
      const TypedPtr own = of_name_(*expr, number);
      return own ? own : sliced(expr, part_of(expr->shape, number));
    }
    if (const auto* read = expr->as<RefRead>())
      return read->whole ? sliced(expr, part_of(expr->shape, number)) : nullptr;
    if (expr->as<Constant>()) return without_dim(*expr, expr->node);
    if (const auto* call = expr->as<CallFunction>()) {
      CallFunction node = *call;
      return take_broadcast(node.args, *expr, number) ? without_dim(*expr, std::move(node)) : nullptr;
    }
    const Apply* apply = expr->as<Apply>();
    return apply ? of_operation(*expr, *apply, number) : nullptr;
  }

 private:
  static TypedPtr without_dim(const Typed& expr, Typed::Node node) {
    return make_typed(expr.span, expr.dtype, Shape(expr.shape.begin() + 1, expr.shape.end()), std::move(node));
  }
  static IndexMap part_of(const Shape& shape, int64_t number) {
    return part_map(shape, 0, index_constant(number), std::nullopt);
  }
  static bool lists(const std::vector<int64_t>& axes, int64_t axis) {
    return std::find(axes.begin(), axes.end(), axis) != axes.end();
  }
  static void lower_axes(std::vector<int64_t>& axes) {
    for (int64_t& axis : axes) --axis;
  }

  // NumPy's rules broadcast the operands to the result; those that lack the dim stay as they are.
  bool take_broadcast(std::vector<TypedPtr>& operands, const Typed& result, int64_t number) const {
    for (TypedPtr& operand : operands) {
      if (operand->shape.size() < result.shape.size()) continue;
      operand = of(operand, operand->shape[0] == 1 ? 0 : number);
      if (!operand) return false;
    }
    return true;
  }

  TypedPtr of_operation(const Typed& expr, Apply node, int64_t number) const {
    const OpGroup group = operation(node.op).group;
    const bool same_elements = node.op != Op::bitcast || node.args[0]->shape == expr.shape;
    if ((group == OpGroup::elementwise || group == OpGroup::cast || node.op == Op::broadcast_to ||
         node.op == Op::full) &&
        same_elements)
      return take_broadcast(node.args, expr, number) ? without_dim(expr, std::move(node)) : nullptr;
    if (node.op == Op::iota) return of_iota(expr, std::move(node), number);
    if (node.op == Op::dot) {
      if (expr.shape.size() < 3 || node.args.size() != 2) return nullptr;
      return of_operands(expr, std::move(node), number);
    }
    if (const std::optional<IndexMap> map = index_map(expr)) return of_map(expr, node.args[0], *map, number);
    std::vector<int64_t>& axes = node.attributes.axes;
    if ((node.op != Op::concatenate && group != OpGroup::reduce) || axes.empty() || lists(axes, 0)) return nullptr;
    lower_axes(axes);
    return of_operands(expr, std::move(node), number);
  }

  TypedPtr of_map(const Typed& expr, TypedPtr operand, const IndexMap& whole, int64_t number) const {
    const int own = whole.operand_dim(0);
    const bool slices = !expr.as<Apply>()->attributes.items.empty();
    if (!whole.is_dimwise() || (own > 0 && !slices)) return nullptr;
    IndexMap map = *composed(part_of(expr.shape, number), whole);
    if (own == 0) {
      const std::optional<int64_t> taken = constant_value(map.dims[0].first);
      operand = taken ? of(operand, *taken) : nullptr;
      if (!operand) return nullptr;
      map.operand = operand->shape;
      map.dims.erase(map.dims.begin());
    }
    return map.is_identity() ? operand : shape_operation(expr, operand, map);
  }

  // Expects operands that all have the dim, as the result does.
  TypedPtr of_operands(const Typed& expr, Apply node, int64_t number) const {
    for (TypedPtr& operand : node.args) {
      operand = of(operand, number);
      if (!operand) return nullptr;
    }
    return without_dim(expr, std::move(node));
  }

  TypedPtr of_iota(const Typed& expr, Apply node, int64_t number) const {
    std::vector<int64_t>& axes = node.attributes.axes;
    if (!lists(axes, 0)) {
      lower_axes(axes);
      return without_dim(expr, std::move(node));
    }
    const bool is_float = info(expr.dtype).is_float;
    const Scalar counted = is_float ? Scalar(static_cast<double>(number)) : Scalar(number);
    return without_dim(expr, Apply{Op::full, {make_typed(expr.span, expr.dtype, {}, Constant{counted, {}})}, {}});
  }

  const ElementOfName& of_name_;
};

}  // namespace

TypedPtr leading_element(const TypedPtr& expr, int64_t number, const ElementOfName& of_name) {
  return LeadingElement(of_name).of(expr, number);
}

}  // namespace pallasgen
