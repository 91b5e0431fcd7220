#include "questions/leading_dim.h"

#include <algorithm>

namespace pallasgen {

namespace {

class LeadingElement {
 public:
  explicit LeadingElement(const ElementOfName& of_name) : of_name_(of_name) {}

  TypedPtr of(const TypedPtr& expr, int64_t number) const {
    if (const auto* use = expr->as<LocalUse>()) {
      const TypedPtr own = of_name_(*expr, number);
      return own ? own : sliced(*expr, *use, number);
    }
    if (const auto* read = expr->as<RefRead>()) return read->whole ? sliced(*expr, *read, number) : nullptr;
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
  static bool lists(const std::vector<int64_t>& axes, int64_t axis) {
    return std::find(axes.begin(), axes.end(), axis) != axes.end();
  }
  static void lower_axes(std::vector<int64_t>& axes) {
    for (int64_t& axis : axes) --axis;
  }

  static TypedPtr sliced(const Typed& whole, Typed::Node node, int64_t number) {
    Apply slice{Op::slice, {make_typed(whole.span, whole.dtype, whole.shape, std::move(node))}, {}};
    slice.attributes.items.push_back(IndexInteger{index_constant(number)});
    for (size_t d = 1; d < whole.shape.size(); ++d)
      slice.attributes.items.push_back(IndexSlice{index_constant(0), whole.shape[d]});
    return without_dim(whole, std::move(slice));
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
    if (node.op == Op::slice) return of_slice(expr, std::move(node), number);
    if (node.op == Op::iota) return of_iota(expr, std::move(node), number);
    if (node.op == Op::dot) {
      if (expr.shape.size() < 3 || node.args.size() != 2) return nullptr;
      return of_operands(expr, std::move(node), number);
    }
    std::vector<int64_t>& axes = node.attributes.axes;
    const bool is_map = node.op == Op::concatenate || node.op == Op::expand_dims || node.op == Op::squeeze ||
                        is_scan(node.op) || group == OpGroup::reduce;
    if (is_map && !axes.empty() && !lists(axes, 0)) {
      lower_axes(axes);
      return of_operands(expr, std::move(node), number);
    }
    if (node.op == Op::transpose && !axes.empty() && axes[0] == 0) {
      axes.erase(axes.begin());
      lower_axes(axes);
      return of_operands(expr, std::move(node), number);
    }
    if (node.op == Op::expand_dims && axes == std::vector<int64_t>{0}) return node.args[0];
    return nullptr;
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

  // `slice` indexes by integers, ranges and new axes.
  TypedPtr of_slice(const Typed& expr, Apply slice, int64_t number) const {
    std::vector<IndexItem>& items = slice.attributes.items;
    const bool gathers = std::any_of(items.begin(), items.end(),
                                     [](const IndexItem& item) { return std::holds_alternative<IndexGather>(item); });
    const auto leading = std::find_if(
        items.begin(), items.end(), [](const IndexItem& item) { return !std::holds_alternative<IndexInteger>(item); });
    if (gathers || leading == items.end()) return nullptr;
    if (const auto* range = std::get_if<IndexSlice>(&*leading)) {
      const std::optional<int64_t> first = constant_value(range->start);
      if (!first) return nullptr;
      const int64_t taken = *first + number * range->step;
      if (leading != items.begin()) {
        *leading = IndexInteger{index_constant(taken)};
        return without_dim(expr, std::move(slice));
      }
      slice.args[0] = of(slice.args[0], taken);
      if (!slice.args[0]) return nullptr;
    }
    items.erase(leading);
    return takes_all(slice) ? slice.args[0] : without_dim(expr, std::move(slice));
  }

  static bool takes_all(const Apply& slice) {
    const Shape& shape = slice.args[0]->shape;
    const std::vector<IndexItem>& items = slice.attributes.items;
    if (items.size() != shape.size()) return false;
    for (size_t d = 0; d < shape.size(); ++d) {
      const auto* range = std::get_if<IndexSlice>(&items[d]);
      if (!range || range->step != 1 || range->size != shape[d] || constant_value(range->start) != 0) return false;
    }
    return true;
  }

  const ElementOfName& of_name_;
};

}  // namespace

TypedPtr leading_element(const TypedPtr& expr, int64_t number, const ElementOfName& of_name) {
  return LeadingElement(of_name).of(expr, number);
}

}  // namespace pallasgen
