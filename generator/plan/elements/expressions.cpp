// One element of a value of the body as a scalar expression.
#include "elements/expressions.h"

#include <algorithm>
#include <utility>

#include "diagnostics/assert.h"
#include "elements/loops.h"
#include "elements/places.h"
#include "elements/whole_values.h"
#include "expression/index_map.h"
#include "program/index_terms.h"
#include "proofs/block_access.h"
#include "proofs/element_indexing.h"
#include "proofs/reductions.h"

namespace pallasgen {

using namespace program;

TypedPtr ElementExpressions::element(const TypedPtr& node, const Coordinates& at, ElementSite& site) {
  if (const ElementSource* known = whole_.known(node)) return places_.element_of_source(*known, node, at, site);
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

TypedPtr ElementExpressions::element_of_materialised(const TypedPtr& node, const Coordinates& at, ElementSite& site) {
  const std::optional<ElementSource> whole = whole_.materialise(node);
  return whole ? places_.element_of_source(*whole, node, at, site) : nullptr;
}

TypedPtr ElementExpressions::element_of_value(const TypedPtr& node, int value, const Coordinates& at,
                                              ElementSite& site) {
  const ElementSource source = sources_.source_of_value(value);
  if (source.home != ElementHome::inlined) return places_.element_of_source(source, node, at, site);
  // A fault in this computation names the statement that defines the value.
  const std::string reader = std::exchange(walk_.statement_text, source.quoted);
  if (elements_of(node->shape) >= site.turns || sources_.is_trivial(source.value)) {
    TypedPtr computed = element(source.value, at, site);
    walk_.statement_text = reader;
    return computed;
  }
  const size_t first = walk_.body->size();
  const std::optional<ElementSource> tile = whole_.materialise(source.value, source.name);
  walk_.statement_text = reader;
  if (!tile) return nullptr;
  walk_.quote(first, source.quoted);
  sources_.set(value, *tile);
  return places_.element_of_source(*tile, node, at, site);
}

TypedPtr ElementExpressions::element_of_operation(const TypedPtr& node, const Apply& apply, const Coordinates& at,
                                                  ElementSite& site) {
  const OpAttributes& attributes = apply.attributes;
  switch (apply.op) {
    case Op::concatenate:
      return concatenation(node, apply, at, site);
    case Op::slice: {
      IndexedRange range{to_string(apply.args[0]), {}, nullptr, false};
      for (int64_t size : apply.args[0]->shape) range.extents.push_back(index_constant(size));
      const std::optional<Coordinates> inner = places_.indexed(attributes.items, at, site, range);
      return inner ? element(apply.args[0], *inner, site) : nullptr;
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
        if (!product || apply.args[i]->shape != node->shape || elements_of(node->shape) < site.turns) continue;
        const TypedPtr& start = apply.args[1 - i];
        const Coordinates first = broadcast_map(start->shape, node->shape).operand_indices(at);
        return loops_.dot(apply.args[i], *product, at, start, first, site);
      }
      break;
    default:
      break;
  }
  const OpGroup group = operation(apply.op).group;
  if (group == OpGroup::reduce || group == OpGroup::matrix) {
    if (is_scan(apply.op) || elements_of(node->shape) < site.turns || takes_warps(*draft_.kernel, node)) {
      return element_of_materialised(node, at, site);
    }
    if (group == OpGroup::matrix) return loops_.dot(node, apply, at, nullptr, {}, site);
    return loops_.reduction(node, apply, at, site);
  }
  return by_operands(node, at, site);
}

// A scalar condition decides which arm is evaluated at all: statements that an arm takes go into a branch.
TypedPtr ElementExpressions::choose_by_scalar(const TypedPtr& node, const Apply& apply, const Coordinates& at,
                                              ElementSite& site) {
  const TypedPtr condition = element_of(apply.args[0], node->shape, at, site);
  if (!condition) return nullptr;
  std::vector<TypedPtr> arms;
  if (apply.op == Op::logical_and) arms = {apply.args[1], typed_constant(DType::boolean, false)};
  if (apply.op == Op::logical_or) arms = {typed_constant(DType::boolean, true), apply.args[1]};
  if (apply.op == Op::where) arms = {apply.args[1], apply.args[2]};
  Statements before[2];
  std::vector<Binding> bindings[2];
  std::vector<TypedPtr> values;
  for (size_t i = 0; i < 2; ++i) {
    const NameScope scope(walk_.names);
    ElementSite arm{before[i], bindings[i], site.turns};
    values.push_back(element_of(arms[i], node->shape, at, arm));
    if (!values.back()) return nullptr;
  }
  if (before[0].empty() && before[1].empty()) {
    std::vector<TypedPtr> args{condition};
    for (size_t i = 1; i < apply.args.size(); ++i) {
      args.push_back(element_of(apply.args[i], node->shape, at, site));
    }
    return make_typed(node->span, node->dtype, {}, Apply{apply.op, std::move(args), apply.attributes});
  }
  // A constant arm is the initial value; other arms become branches.
  const int scalar = walk_.add_scalar({"chosen"}, node->dtype);
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
TypedPtr ElementExpressions::concatenation(const TypedPtr& node, const Apply& apply, const Coordinates& at,
                                           ElementSite& site) {
  const size_t axis = static_cast<size_t>(apply.attributes.axes.at(0));
  TypedPtr value;
  int64_t end = node->shape[axis];
  for (size_t i = apply.args.size(); i-- > 0;) {
    const TypedPtr& part = apply.args[i];
    const int64_t first = end - part->shape[axis];
    Coordinates inner = at;
    inner[axis] = index_apply(Op::subtract, at[axis], index_constant(first));
    Statements before;
    std::vector<Binding> bindings;
    TypedPtr own;
    {
      const NameScope scope(walk_.names);
      ElementSite attempt{before, bindings, site.turns};
      own = element(part, inner, attempt);
    }
    if (own && !before.empty()) {
      // An arm of a conditional expression cannot contain statements.
      own = element_of_materialised(part, inner, site);
    } else if (own) {
      own = element(part, inner, site);
    }
    if (!own) return nullptr;
    if (value) {
      const TypedPtr here = index_apply(Op::less, at[axis], index_constant(end));
      value = make_typed(node->span, node->dtype, {}, Apply{Op::where, {here, own, value}, {}});
    } else {
      value = own;
    }
    end = first;
  }
  return value;
}

TypedPtr ElementExpressions::element_of_read(const TypedPtr& node, const RefRead& read, const Coordinates& at,
                                             ElementSite& site) {
  const bool ordered = read.order != pallasgen::MemoryOrder::weak;
  const bool sized = std::none_of(node->shape.begin(), node->shape.end(), [](int64_t size) { return size < 0; });
  if (ordered && sized && !whole_.is_loading(node)) {
    const std::optional<ElementSource> once = whole_.load_once(node);
    return once ? places_.element_of_source(*once, node, at, site) : nullptr;
  }
  TypedPtr mask;
  if (read.mask) {
    mask = element_of(read.mask, node->shape, at, site);
    if (!mask) return nullptr;
  }
  std::optional<Coordinates> inner =
      read.whole ? at : places_.indexed(read.index, at, site, places_.range_of(read.ref, mask));
  if (!inner) return nullptr;
  std::optional<program::MemoryOrder> order;
  if (ordered) order = order_of(read.order);
  const TypedPtr value = places_.element_of_ref(read.ref, *inner, node->span, site, order);
  if (!value || !mask) return value;
  const TypedPtr other = read.other ? element_of(read.other, node->shape, at, site) : zero_of(node->dtype);
  if (!other) return nullptr;
  return make_typed(node->span, node->dtype, {}, Apply{Op::where, {mask, value, other}, {}});
}

}  // namespace pallasgen
