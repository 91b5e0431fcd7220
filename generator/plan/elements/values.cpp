// One element of a value of the body as a scalar expression.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "block_access.h"
#include "check/inside.h"
#include "diagnostics/assert.h"
#include "element_indexing.h"
#include "elements/lowering.h"
#include "reductions.h"

namespace pallasgen {

using namespace program;

namespace {

bool same_expression(const TypedPtr& a, const TypedPtr& b) { return a && b ? equal(a, b) : !a && !b; }

bool same_read(const Binding& a, const Binding& b) {
  return a.kind == b.kind && a.order == b.order && a.scalar == b.scalar && a.field == b.field && a.ring == b.ring &&
         a.ref == b.ref && std::equal(a.index.begin(), a.index.end(), b.index.begin(), b.index.end(), same_expression);
}

}  // namespace

TypedPtr ElementLowering::bind(Binding binding, const std::string& name, Span span, DType dtype,
                               ElementSite& site) const {
  for (size_t i = 0; i < site.bindings.size(); ++i) {
    if (same_read(site.bindings[i], binding)) return make_typed(span, dtype, {}, LocalUse{static_cast<int>(i), name});
  }
  site.bindings.push_back(std::move(binding));
  return make_typed(span, dtype, {}, LocalUse{static_cast<int>(site.bindings.size()) - 1, name});
}

TypedPtr ElementLowering::bind_scalar(int scalar, Span span, ElementSite& site) const {
  Binding binding{};
  binding.kind = SlotKind::scalar;
  binding.scalar = scalar;
  const ScalarValue& value = draft_.plan.scalars[scalar];
  return bind(std::move(binding), value.name, span, value.dtype, site);
}

TypedPtr ElementLowering::element_of_source(const Source& source, const TypedPtr& node, const Coordinates& at,
                                            ElementSite& site) {
  if (source.home == Home::scalar) return bind_scalar(source.id, node->span, site);
  if (source.home == Home::box)
    return element_in_array(source.box.ref, box_place(source.box, at, site), node->span, site);
  if (source.home == Home::slot) return element_in_slot(source, at, node, site);
  PALLASGEN_ASSERT(source.home == Home::tile, node->span);
  Binding binding{};
  binding.kind = SlotKind::shared;
  binding.field = source.id;
  binding.index = in_tile(at);
  return bind(std::move(binding), source.name, node->span, node->dtype, site);
}

TypedPtr ElementLowering::element(const TypedPtr& node, const Coordinates& at, ElementSite& site) {
  if (const auto known = computed_.find(node.get()); known != computed_.end())
    return element_of_source(known->second, node, at, site);
  if (const Constant* constant = node->as<Constant>()) return make_typed(node->span, node->dtype, {}, *constant);
  if (node->as<Symbol>()) return node;
  if (const LocalUse* use = node->as<LocalUse>()) {
    const Source source = source_of(use->id);
    if (source.home != Home::inlined) return element_of_source(source, node, at, site);
    // A fault of what is computed here is one of the statement that the value comes from.
    const std::string reader = std::exchange(statement_text_, source.quoted);
    if (elements_of(node->shape) >= site.turns || is_trivial(source.value)) {
      TypedPtr computed = element(source.value, at, site);
      statement_text_ = reader;
      return computed;
    }
    const size_t first = body_->size();
    const std::optional<Source> tile = materialise(source.value, source.name);
    statement_text_ = reader;
    if (!tile) return nullptr;
    quote(*body_, first, source.quoted);
    locals_[use->id] = *tile;
    return element_of_source(*tile, node, at, site);
  }
  if (const RefRead* read = node->as<RefRead>()) return element_of_ref(node, *read, at, site);
  if (const CallFunction* call = node->as<CallFunction>()) {
    std::vector<TypedPtr> args;
    for (const TypedPtr& arg : call->args) {
      args.push_back(element(arg, broadcast_at(arg->shape, node->shape, at), site));
      if (!args.back()) return nullptr;
    }
    return make_typed(node->span, node->dtype, {}, CallFunction{call->function, std::move(args), call->name});
  }
  return element_of_apply(node, *node->as<Apply>(), at, site);
}

TypedPtr ElementLowering::element_of_apply(const TypedPtr& node, const Apply& apply, const Coordinates& at,
                                           ElementSite& site) {
  const OpAttributes& attributes = apply.attributes;
  const auto drops = [&](size_t dim) {
    return std::find(attributes.axes.begin(), attributes.axes.end(), static_cast<int64_t>(dim)) !=
           attributes.axes.end();
  };
  switch (apply.op) {
    case Op::expand_dims: {
      Coordinates inner;
      for (size_t i = 0; i < at.size(); ++i) {
        if (!drops(i)) inner.push_back(at[i]);
      }
      return element(apply.args[0], inner, site);
    }
    case Op::squeeze: {
      Coordinates inner = at;
      std::vector<int64_t> axes = attributes.axes;
      std::sort(axes.begin(), axes.end());
      for (int64_t axis : axes) inner.insert(inner.begin() + axis, index_constant(0));
      return element(apply.args[0], inner, site);
    }
    case Op::transpose: {
      Coordinates inner(at.size());
      for (size_t i = 0; i < at.size(); ++i)
        inner[attributes.axes.empty() ? at.size() - 1 - i : static_cast<size_t>(attributes.axes[i])] = at[i];
      return element(apply.args[0], inner, site);
    }
    case Op::broadcast_to:
      return element(apply.args[0], broadcast_at(apply.args[0]->shape, node->shape, at), site);
    case Op::full:
      return element(apply.args.back(), {}, site);
    case Op::iota:
      return make_typed(node->span, node->dtype, {}, Apply{Op::cast, {at[attributes.axes.at(0)]}, {}});
    case Op::random_bits: {
      // Of one element: the same three numbers, and its place among all in row-major order.
      std::vector<TypedPtr> args;
      for (const TypedPtr& arg : apply.args) {
        args.push_back(element(arg, {}, site));
        if (!args.back()) return nullptr;
      }
      TypedPtr place = index_constant(0);
      for (size_t d = 0; d < at.size(); ++d)
        place = index_apply(Op::add, index_apply(Op::multiply, place, index_constant(node->shape[d])), at[d]);
      args.push_back(place);
      return make_typed(node->span, node->dtype, {}, Apply{apply.op, std::move(args), {}});
    }
    case Op::reshape:
      return element(apply.args[0], reshaped_at(apply.args[0]->shape, node->shape, at), site);
    case Op::concatenate:
      return concatenation(node, apply, at, site);
    case Op::slice: {
      IndexedRange range{to_string(apply.args[0]), {}, nullptr, false};
      for (int64_t size : apply.args[0]->shape) range.extents.push_back(index_constant(size));
      const std::optional<Coordinates> inner = indexed(attributes.items, at, site, range);
      return inner ? element(apply.args[0], *inner, site) : nullptr;
    }
    case Op::valid:
      return valid(node, attributes.ref, at, site);
    case Op::where:
    case Op::logical_and:
    case Op::logical_or:
      if (node->shape.empty() || apply.args[0]->shape.empty()) return scalar_arms(node, apply, at, site);
      break;
    case Op::add:
      // x + dot(a, b) is one accumulation that starts at x.
      for (size_t i : {1, 0}) {
        const Apply* product = apply.args[i]->applies(Op::dot);
        if (!product || apply.args[i]->shape != node->shape || elements_of(node->shape) < site.turns) continue;
        const TypedPtr& start = apply.args[1 - i];
        return dot(apply.args[i], *product, at, start, broadcast_at(start->shape, node->shape, at), site);
      }
      break;
    default:
      break;
  }
  const OpGroup group = operation(apply.op).group;
  if (group == OpGroup::reduce || group == OpGroup::matrix) {
    if (is_scan(apply.op) || elements_of(node->shape) < site.turns || takes_warps(node)) {
      const std::optional<Source> whole = materialise(node);
      return whole ? element_of_source(*whole, node, at, site) : nullptr;
    }
    if (group == OpGroup::matrix) return dot(node, apply, at, nullptr, {}, site);
    return reduction(node, apply, at, site);
  }
  PALLASGEN_ASSERT(group == OpGroup::elementwise || group == OpGroup::cast || group == OpGroup::scalars, node->span);
  std::vector<TypedPtr> args;
  for (const TypedPtr& arg : apply.args) {
    args.push_back(element(arg, broadcast_at(arg->shape, node->shape, at), site));
    if (!args.back()) return nullptr;
  }
  return make_typed(node->span, node->dtype, {}, Apply{apply.op, std::move(args), attributes});
}

// A scalar condition decides which arm is evaluated at all: where an arm takes statements, they stand in a branch.
TypedPtr ElementLowering::scalar_arms(const TypedPtr& node, const Apply& apply, const Coordinates& at,
                                      ElementSite& site) {
  const TypedPtr condition = element(apply.args[0], broadcast_at(apply.args[0]->shape, node->shape, at), site);
  if (!condition) return nullptr;
  std::vector<TypedPtr> arms;
  if (apply.op == Op::logical_and) arms = {apply.args[1], typed_constant(DType::boolean, false)};
  if (apply.op == Op::logical_or) arms = {typed_constant(DType::boolean, true), apply.args[1]};
  if (apply.op == Op::where) arms = {apply.args[1], apply.args[2]};
  Statements before[2];
  std::vector<Binding> bindings[2];
  std::vector<TypedPtr> values;
  for (size_t i = 0; i < 2; ++i) {
    const NameScope scope(names_);
    ElementSite arm{before[i], bindings[i], site.turns};
    values.push_back(element(arms[i], broadcast_at(arms[i]->shape, node->shape, at), arm));
    if (!values.back()) return nullptr;
  }
  if (before[0].empty() && before[1].empty()) {
    std::vector<TypedPtr> args{condition};
    for (size_t i = 1; i < apply.args.size(); ++i) {
      args.push_back(element(apply.args[i], broadcast_at(apply.args[i]->shape, node->shape, at), site));
    }
    return make_typed(node->span, node->dtype, {}, Apply{apply.op, std::move(args), apply.attributes});
  }
  // A constant is there from the start; what takes statements stands in a branch.
  const int scalar = add_scalar(names_.take({"chosen"}), node->dtype);
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
  return bind_scalar(scalar, node->span, site);
}

// What one array does not have, the next has: each is read only where the element is its own.
TypedPtr ElementLowering::concatenation(const TypedPtr& node, const Apply& apply, const Coordinates& at,
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
      const NameScope scope(names_);
      ElementSite trial{before, bindings, site.turns};
      own = element(part, inner, trial);
    }
    if (own && !before.empty()) {
      // Statements cannot stand in an arm of a conditional expression.
      const std::optional<Source> whole = materialise(part);
      own = whole ? element_of_source(*whole, part, inner, site) : nullptr;
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

TypedPtr ElementLowering::valid(const TypedPtr& node, int ref, const Coordinates& at, ElementSite& site) {
  const TypedPtr inside = inside_condition(draft_, ref, place_of(ref, at, site), facts());
  return inside ? inside : make_typed(node->span, DType::boolean, {}, Constant{true, {}});
}

ArrayPlace ElementLowering::box_place(const tile::Box& box, const Coordinates& at, ElementSite& site) {
  const Ref& ref = draft_.ref(box.ref);
  ArrayPlace out;
  size_t dim = 0;
  for (size_t d = 0; d < box.dims.size(); ++d) {
    const tile::BoxDim& from = box.dims[d];
    const TypedPtr first = index_of(from.first, site);
    const TypedPtr coordinate = from.size ? at[dim++] : nullptr;
    const TypedPtr index = coordinate ? add(first, coordinate) : first;
    out.may_leave.push_back(from.may_leave && !stays_inside(kernel_, index, 1, ref.array_shape[d], facts()));
    out.index.push_back(index);
    if (!from.limit) continue;
    const TypedPtr below = apply({}, Op::less, DType::boolean, {}, {coordinate, index_of(from.limit, site)});
    out.inside = out.inside ? apply({}, Op::logical_and, DType::boolean, {}, {out.inside, below}) : below;
  }
  return out;
}

ArrayPlace ElementLowering::place_of(int ref, const Coordinates& at, ElementSite& site) {
  const Source& source = refs_.at(ref);
  if (source.box.ref >= 0) return box_place(source.box, at, site);
  return array_place(draft_, ref, at, facts());
}

TypedPtr ElementLowering::element_of_ref(const TypedPtr& node, const RefRead& read, const Coordinates& at,
                                         ElementSite& site) {
  const bool ordered = read.order != pallasgen::MemoryOrder::weak;
  const bool sized = std::none_of(node->shape.begin(), node->shape.end(), [](int64_t size) { return size < 0; });
  if (ordered && sized && loading_ != node.get()) {
    const std::optional<Source> once = load_once(node);
    return once ? element_of_source(*once, node, at, site) : nullptr;
  }
  TypedPtr mask;
  if (read.mask) {
    mask = element(read.mask, broadcast_at(read.mask->shape, node->shape, at), site);
    if (!mask) return nullptr;
  }
  std::optional<Coordinates> inner = read.whole ? at : indexed(read.index, at, site, range_of(read.ref, mask));
  if (!inner) return nullptr;
  std::optional<program::MemoryOrder> order;
  if (ordered) order = order_of(read.order);
  const TypedPtr value = element_at(read.ref, *inner, node->span, site, order);
  if (!value || !mask) return value;
  const TypedPtr other =
      read.other ? element(read.other, broadcast_at(read.other->shape, node->shape, at), site) : zero_of(node->dtype);
  if (!other) return nullptr;
  return make_typed(node->span, node->dtype, {}, Apply{Op::where, {mask, value, other}, {}});
}

TypedPtr ElementLowering::element_at(int index, const Coordinates& at, Span span, ElementSite& site,
                                     std::optional<program::MemoryOrder> order) {
  const Ref& ref = draft_.ref(index);
  const Source& source = refs_.at(index);
  if (source.home == Home::scalar) return bind_scalar(source.id, span, site);
  if (source.home == Home::tile) {
    Binding binding{};
    binding.kind = SlotKind::shared;
    binding.field = source.id;
    binding.index = in_tile(at);
    return bind(std::move(binding), source.name, span, ref.dtype, site);
  }
  return element_in_array(index, place_of(index, at, site), span, site, order);
}

TypedPtr ElementLowering::element_in_array(int index, const ArrayPlace& place, Span span, ElementSite& site,
                                           std::optional<program::MemoryOrder> order) {
  const Ref& ref = draft_.ref(index);
  Binding binding{};
  binding.kind = SlotKind::global;
  binding.ref = index;
  binding.index = place.index;
  binding.may_leave = place.may_leave;
  binding.order = order;
  if (ref.fill) binding.outside = typed_constant(ref.dtype, *ref.fill);
  const bool leaves = std::find(place.may_leave.begin(), place.may_leave.end(), true) != place.may_leave.end();
  if (!leaves) binding.outside = nullptr;
  const TypedPtr value = bind(std::move(binding), ref.name, span, ref.dtype, site);
  if (!place.inside) return value;
  return make_typed(
      span, ref.dtype, {},
      Apply{
          Op::where, {place.inside, value, ref.fill ? typed_constant(ref.dtype, *ref.fill) : zero_of(ref.dtype)}, {}});
}

// What lies outside the array is in the slot as it is to be read.
TypedPtr ElementLowering::element_in_slot(const Source& source, const Coordinates& at, const TypedPtr& node,
                                          ElementSite& site) {
  const std::vector<Number> sizes = sizes_of(node);
  TypedPtr offset = index_constant(0);
  for (size_t d = 0; d < at.size(); ++d)
    offset = index_apply(Op::add, multiply(std::move(offset), to_index(sizes[d])), at[d]);
  Binding binding{};
  binding.kind = SlotKind::shared;
  binding.ring = source.id;
  binding.field = draft_.plan.rings[static_cast<size_t>(source.id)].operands[static_cast<size_t>(source.member)].field;
  binding.index = {offset};
  return bind(std::move(binding), source.name, node->span, node->dtype, site);
}

}  // namespace pallasgen
