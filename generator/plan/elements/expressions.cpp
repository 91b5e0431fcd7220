// One element of a value of the body as a scalar expression.
#include "elements/expressions.h"

#include <utility>

#include "diagnostics/assert.h"
#include "elements/loops.h"
#include "elements/places.h"
#include "expression/index_map.h"
#include "program/index_terms.h"
#include "proofs/block_access.h"
#include "proofs/element_indexing.h"
#include "proofs/reductions.h"

namespace pallasgen {

using namespace program;

namespace {

const char* kChosen = "chosen";  // the variable of a choice whose arms take statements

}  // namespace

TypedPtr ElementExpressions::element(const TypedPtr& node, const Coordinates& at, ElementSite& site) {
  if (const LocalUse* use = node->as<LocalUse>()) return element_of_value(node, use->id, at, site);
  if (const RefRead* read = node->as<RefRead>()) return element_of_read(node, *read, at, site);
  const Apply* apply = node->as<Apply>();
  return apply ? element_of_operation(node, *apply, at, site) : by_operands(node, at, site);
}

TypedPtr ElementExpressions::by_operands(const TypedPtr& node, const Coordinates& at, ElementSite& site) {
  const std::optional<TypedPtr> made = element_by_operands(
      node,
      {[&](const TypedPtr& operand, const IndexMap& map) { return element(operand, map.operand_indices(at), site); },
       [&](size_t dim) { return at[dim]; }});
  PALLASGEN_ASSERT(made, node->span);
  return *made;
}

TypedPtr ElementExpressions::element_of(const TypedPtr& operand, const Shape& shape, const Coordinates& at,
                                        ElementSite& site) {
  return element(operand, broadcast_map(operand->shape, shape).operand_indices(at), site);
}

TypedPtr ElementExpressions::element_of_value(const TypedPtr& node, int value, const Coordinates& at,
                                              ElementSite& site) {
  const ElementSource source = sources_.source_of_value(value);
  if (source.home != ElementHome::inlined) return places_.element_of_source(source, node, at, site);
  // A fault in this computation names the statement that defines the value.
  const std::string reader = std::exchange(walk_.statement_text, source.quoted);
  TypedPtr computed = element(source.value, at, site);
  walk_.statement_text = reader;
  return computed;
}

TypedPtr ElementExpressions::element_of_operation(const TypedPtr& node, const Apply& apply, const Coordinates& at,
                                                  ElementSite& site) {
  const OpAttributes& attributes = apply.attributes;
  switch (apply.op) {
    case Op::concatenate:
      return concatenation(node, apply, at, 0, 0, site);
    case Op::slice: {
      IndexedRange range{to_string(apply.args[0]), {}, nullptr, false};
      for (int64_t size : apply.args[0]->shape) range.extents.push_back(index_constant(size));
      return element(apply.args[0], places_.indexed(attributes.items, at, site, range), site);
    }
    case Op::valid: {
      const ArrayPlace place = places_.place_of(attributes.ref, at, site);
      const TypedPtr inside = inside_condition(draft_, attributes.ref, place, walk_.facts());
      return inside ? inside : make_typed(node->span, DType::boolean, {}, Constant{true, {}});
    }
    case Op::where:
    case Op::logical_and:
    case Op::logical_or:
      if (node->shape.empty() || apply.args[0]->shape.empty()) return choose_by_scalar(node, apply, at, site);
      break;
    case Op::add:
      // x + dot(a, b) is one accumulation that starts at x.
      for (size_t i : {1, 0}) {
        const Apply* product = apply.args[i]->applies(Op::dot);
        if (!product || apply.args[i]->shape != node->shape) continue;
        const TypedPtr& start = apply.args[1 - i];
        const Coordinates first = broadcast_map(start->shape, node->shape).operand_indices(at);
        return loops_.dot(apply.args[i], *product, at, start, first, site);
      }
      break;
    default:
      break;
  }
  const OpGroup group = operation(apply.op).group;
  if (group == OpGroup::matrix) return loops_.dot(node, apply, at, nullptr, {}, site);
  if (group != OpGroup::reduce) return by_operands(node, at, site);
  PALLASGEN_ASSERT(!is_computed_whole(*draft_.kernel, node), node->span);
  // A scan of one element is that element.
  if (is_scan(apply.op)) return cast_to(element(apply.args[0], at, site), node->dtype);
  return loops_.reduction(node, apply, at, site);
}

// A scalar condition decides which arm is evaluated at all.
TypedPtr ElementExpressions::choose_by_scalar(const TypedPtr& node, const Apply& apply, const Coordinates& at,
                                              ElementSite& site) {
  const TypedPtr condition = element_of(apply.args[0], node->shape, at, site);
  TypedPtr arms[2] = {apply.args[1], apply.op == Op::where ? apply.args[2] : nullptr};
  if (apply.op == Op::logical_and) arms[1] = typed_constant(DType::boolean, false);
  if (apply.op == Op::logical_or) arms[0] = typed_constant(DType::boolean, true), arms[1] = apply.args[1];
  const auto arm = [&](size_t i) {
    return [&, i](ElementSite& there) { return element_of(arms[i], node->shape, at, there); };
  };
  return choose(node, condition, {arm(0), arm(1)}, apply.op, site);
}

namespace {

// Returns the value with its bindings among those of the site.
TypedPtr bound_again(const TypedPtr& value, const std::vector<Binding>& bindings, ElementSite& site) {
  return rewrite(value, [&](const TypedPtr& node) -> TypedPtr {
    const auto* use = node->as<LocalUse>();
    return use ? bind_element(bindings[static_cast<size_t>(use->id)], use->name, node->span, node->dtype, site)
               : nullptr;
  });
}

}  // namespace

// Returns one of two values by a condition. Statements that an arm takes go into a branch; without any, the result is
// an expression of the operation `op` (where, and, or).
TypedPtr ElementExpressions::choose(const TypedPtr& node, const TypedPtr& condition, const std::array<Arm, 2>& arms,
                                    Op op, ElementSite& site) {
  Statements before[2];
  std::vector<Binding> bindings[2];
  std::vector<TypedPtr> values;
  {
    const NameScope held(walk_.names);
    walk_.names.take({kChosen});  // choices inside an arm have other names
    for (size_t i = 0; i < 2; ++i) {
      const NameScope scope(walk_.names);
      ElementSite arm{before[i], bindings[i]};
      values.push_back(arms[i](arm));
    }
  }
  if (before[0].empty() && before[1].empty()) {
    std::vector<TypedPtr> args{condition};
    if (op != Op::logical_or) args.push_back(bound_again(values[0], bindings[0], site));
    if (op != Op::logical_and) args.push_back(bound_again(values[1], bindings[1], site));
    return make_typed(node->span, node->dtype, {}, Apply{op, std::move(args), {}});
  }
  // A constant arm is the initial value; other arms become branches.
  const int scalar = walk_.add_scalar({kChosen}, node->dtype);
  If branch{condition, {}, {}, site.bindings};
  TypedPtr first = zero_of(node->dtype);
  bool given = false;
  for (size_t i = 2; i-- > 0;) {
    if (!given && before[i].empty() && values[i]->as<Constant>()) {
      first = values[i];
      given = true;
      continue;
    }
    Statements& list = i == 0 ? branch.then : branch.otherwise;
    list = std::move(before[i]);
    list.push_back(set_scalar(scalar, values[i], bindings[i], false, false));
  }
  if (branch.then.empty()) {
    branch.condition = make_typed(node->span, DType::boolean, {}, Apply{Op::logical_not, {condition}, {}});
    std::swap(branch.then, branch.otherwise);
  }
  site.before.push_back(set_scalar(scalar, first, {}, true, false));
  site.before.push_back({"", false, std::move(branch)});
  return bind_scalar(draft_.plan, scalar, node->span, site);
}

// Chooses among the arrays by the coordinate along the axis: each is read only at its own elements.
TypedPtr ElementExpressions::concatenation(const TypedPtr& node, const Apply& apply, const Coordinates& at, size_t from,
                                           int64_t first, ElementSite& site) {
  const size_t axis = static_cast<size_t>(apply.attributes.axes.at(0));
  const TypedPtr& part = apply.args[from];
  const int64_t end = first + part->shape[axis];
  const auto own = [&](ElementSite& there) {
    Coordinates inner = at;
    inner[axis] = index_apply(Op::subtract, at[axis], index_constant(first));
    const Symbol* along = at[axis]->as<Symbol>();
    if (!along) return element(part, inner, there);
    const ElementWalk::Within within(walk_, along->name, first, end - 1);
    return element(part, inner, there);
  };
  if (from + 1 == apply.args.size()) return own(site);
  const auto rest = [&](ElementSite& there) { return concatenation(node, apply, at, from + 1, end, there); };
  return choose(node, index_apply(Op::less, at[axis], index_constant(end)), {own, rest}, Op::where, site);
}

TypedPtr ElementExpressions::element_of_read(const TypedPtr& node, const RefRead& read, const Coordinates& at,
                                             ElementSite& site) {
  const TypedPtr mask = read.mask ? element_of(read.mask, node->shape, at, site) : nullptr;
  const Coordinates inner = read.whole ? at : places_.indexed(read.index, at, site, places_.range_of(read.ref, mask));
  std::optional<program::MemoryOrder> order;
  if (read.order != pallasgen::MemoryOrder::weak) order = order_of(read.order);
  const TypedPtr value = places_.element_of_ref(read.ref, inner, node->span, site, order);
  if (!mask) return value;
  const TypedPtr other = read.other ? element_of(read.other, node->shape, at, site) : zero_of(node->dtype);
  return make_typed(node->span, node->dtype, {}, Apply{Op::where, {mask, value, other}, {}});
}

}  // namespace pallasgen
