#include "proofs/element_indexing.h"

#include "program/index_terms.h"

namespace pallasgen {

namespace {

Shape broadcast_shapes(const Shape& a, const Shape& b) {
  Shape out = a.size() >= b.size() ? a : b;
  const Shape& shorter = a.size() >= b.size() ? b : a;
  for (size_t i = 0; i < shorter.size(); ++i) {
    int64_t& size = out[i + out.size() - shorter.size()];
    if (size == 1) size = shorter[i];
  }
  return out;
}

}  // namespace

Selected selected_by(const std::vector<IndexItem>& items) {
  Selected selected;
  bool gathers = false, neighbours = true, left = false;
  std::optional<size_t> place;
  for (const IndexItem& item : items) {
    const IndexGather* gather = std::get_if<IndexGather>(&item);
    if (!gather) continue;
    gathers = true;
    selected.arrays = broadcast_shapes(selected.arrays, gather->indices->shape);
  }
  for (const IndexItem& item : items) {
    const bool array =
        gathers && (std::holds_alternative<IndexGather>(item) || std::holds_alternative<IndexInteger>(item));
    if (array && !place)
      place = selected.shape.size();
    else if (array && left)
      neighbours = false;
    else if (!array && place)
      left = true;
    if (const IndexSlice* slice = std::get_if<IndexSlice>(&item)) selected.shape.push_back(slice->size);
    if (std::holds_alternative<IndexNewAxis>(item)) selected.shape.push_back(1);
  }
  if (!gathers) return selected;
  selected.front = neighbours ? *place : 0;
  selected.shape.insert(selected.shape.begin() + static_cast<ptrdiff_t>(selected.front), selected.arrays.begin(),
                        selected.arrays.end());
  return selected;
}

std::optional<TypedPtr> element_by_operands(const TypedPtr& node, const ElementOperands& operands) {
  const auto scalar = [&](Typed::Node content) { return make_typed(node->span, node->dtype, {}, std::move(content)); };
  if (const auto* constant = node->as<Constant>()) return scalar(*constant);
  if (node->as<Symbol>()) return node;
  const Apply* apply = node->as<Apply>();
  const auto* call = node->as<CallFunction>();
  if (const auto map = index_map(*node)) return operands.element(apply->args[0], *map);
  if (apply && apply->op == Op::iota)
    return scalar(Apply{Op::cast, {operands.index(static_cast<size_t>(apply->attributes.axes[0]))}, {}});
  const OpGroup group = apply ? operation(apply->op).group : OpGroup::elementwise;
  if ((!apply && !call) || (group != OpGroup::elementwise && group != OpGroup::cast && group != OpGroup::scalars &&
                            group != OpGroup::random))
    return std::nullopt;
  std::vector<TypedPtr> args;
  for (const TypedPtr& operand : call ? call->args : apply->args) {
    args.push_back(operands.element(operand, broadcast_map(operand->shape, node->shape)));
    if (!args.back()) return args.back();
  }
  if (call) return scalar(CallFunction{call->function, std::move(args), call->name});
  // Random bits take the same three numbers for all elements, and the element's place among them.
  if (group == OpGroup::random) {
    TypedPtr place = index_constant(0);
    for (size_t d = 0; d < node->shape.size(); ++d)
      place = add(multiply(place, index_constant(node->shape[d])), operands.index(d));
    args.push_back(place);
  }
  return scalar(Apply{apply->op, std::move(args), apply->attributes});
}

bool takes_elsewhere(const TypedPtr& expr, const std::function<bool(const Typed&)>& is_own) {
  bool found = false;
  const auto visit = [&](const auto& self, const TypedPtr& node, bool here) -> void {
    if (is_own(*node)) {
      found = found || !here;
      return;
    }
    const Apply* apply = node->as<Apply>();
    const CallFunction* call = node->as<CallFunction>();
    const OpGroup group = apply ? operation(apply->op).group : OpGroup::elementwise;
    const bool moves = apply && group == OpGroup::shape && !(index_map(*node) && index_map(*node)->is_identity());
    const bool combines = group == OpGroup::reduce || group == OpGroup::matrix;
    for (const TypedPtr& arg : apply ? apply->args : call ? call->args : std::vector<TypedPtr>{})
      self(self, arg, here && !moves && !combines && arg->shape == node->shape);
    const auto items = [&](const std::vector<IndexItem>& index) {
      for (const IndexItem& item : index) {
        if (const auto* integer = std::get_if<IndexInteger>(&item)) self(self, integer->value, false);
        if (const auto* slice = std::get_if<IndexSlice>(&item); slice && slice->start) self(self, slice->start, false);
        if (const auto* gather = std::get_if<IndexGather>(&item)) self(self, gather->indices, false);
      }
    };
    if (apply) items(apply->attributes.items);
    if (const RefRead* read = node->as<RefRead>()) {
      items(read->index);
      for (const TypedPtr& arg : {read->mask, read->other}) {
        if (arg) self(self, arg, here && arg->shape == node->shape);
      }
    }
  };
  visit(visit, expr, true);
  return found;
}

bool equal_items(const std::vector<IndexItem>& a, const std::vector<IndexItem>& b) {
  const auto same = [](const IndexItem& x, const IndexItem& y) {
    if (x.index() != y.index()) return false;
    if (const auto* integer = std::get_if<IndexInteger>(&x))
      return equal(integer->value, std::get<IndexInteger>(y).value);
    if (const auto* gather = std::get_if<IndexGather>(&x))
      return equal(gather->indices, std::get<IndexGather>(y).indices);
    const auto* slice = std::get_if<IndexSlice>(&x);
    if (!slice) return true;
    const auto& other = std::get<IndexSlice>(y);
    if (slice->size != other.size || slice->step != other.step || !slice->start != !other.start) return false;
    return !slice->start || equal(slice->start, other.start);
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

}  // namespace pallasgen
