#include "boxes.h"

#include <algorithm>

#include "check/inside.h"

namespace pallasgen::schedule {

namespace {

TypedPtr first_of(const BlockDim& block) {
  const TypedPtr index = block.index ? block.index : index_constant(0);
  switch (block.kind) {
    case BlockKind::whole:
      return index_constant(0);
    case BlockKind::blocked:
      return index_apply(Op::multiply, index, block.size_expr ? block.size_expr : index_constant(block.size));
    case BlockKind::element:
      return index_apply(Op::subtract, index, index_constant(block.low));
    default:
      return index;
  }
}

TypedPtr mask_both(TypedPtr a, TypedPtr b, Shape shape, Span span) {
  return a ? apply(span, Op::logical_and, DType::boolean, std::move(shape), {std::move(a), std::move(b)}) : b;
}

// An index value as one of i64. Where it names scalars, each part is one, for a scalar has its own dtype in a value.
TypedPtr in_i64(const Kernel& kernel, const TypedPtr& index) {
  const auto as = [&](const TypedPtr& value) {
    return make_typed(index->span, DType::i64, {}, Apply{Op::cast, {value}, {}});
  };
  bool of_scalars = false;
  walk(index, [&](const Typed& node) {
    const auto* symbol = node.as<Symbol>();
    of_scalars = of_scalars || (symbol && symbol->kind == SymbolKind::scalar) || node.applies(Op::element);
  });
  if (index->dtype != DType::index && !of_scalars) return index;
  if (!of_scalars) return as(index);
  if (const auto* symbol = index->as<Symbol>()) {
    const DType own = kernel.scalars[static_cast<size_t>(symbol->id)].dtype;
    const TypedPtr scalar = make_typed(index->span, own, {}, *symbol);
    return own == DType::i64 || own == DType::boolean ? scalar : as(scalar);
  }
  const auto* node = index->as<Apply>();
  if (!node) return as(index);
  if (node->op == Op::element) {  // of an array of scalars
    const auto array = std::find_if(kernel.scalars.begin(), kernel.scalars.end(),
                                    [&](const KernelScalar& scalar) { return scalar.name == node->attributes.name; });
    const DType own = array == kernel.scalars.end() ? index->dtype : array->dtype;
    return as(make_typed(index->span, own, {}, *node));
  }
  std::vector<TypedPtr> args;
  for (const TypedPtr& arg : node->args) args.push_back(in_i64(kernel, arg));
  const DType dtype = index->dtype == DType::index ? DType::i64 : index->dtype;
  return make_typed(index->span, dtype, {}, Apply{node->op, std::move(args), node->attributes});
}

}  // namespace

tile::Box box_of(const Kernel& kernel, int id) {
  const Ref& ref = kernel.refs[static_cast<size_t>(id)];
  tile::Box box{id, {}};
  for (size_t d = 0; d < ref.block.size(); ++d) {
    const BlockDim& block = ref.block[d];
    tile::BoxDim dim;
    dim.first = simplify(first_of(block));
    const bool dropped = block.kind == BlockKind::squeezed;
    if (!dropped) dim.size = block.size;
    if (!dropped) dim.size_text = block.size_expr;
    // A dim that is whole may have an extent that the launch decides: all of it is inside.
    dim.may_leave = block.size >= 0 && !stays_inside(kernel, dim.first, block.size, ref.array_shape[d], kernel.facts());
    if (block.kind == BlockKind::bounded_slice) dim.limit = block.slice_size;
    box.dims.push_back(std::move(dim));
  }
  return box;
}

TypedPtr mask_of(const Kernel& kernel, int id, Span span) {
  const Ref& ref = kernel.refs[static_cast<size_t>(id)];
  const tile::Box box = box_of(kernel, id);
  TypedPtr mask;
  int64_t axis = 0;
  for (size_t d = 0; d < box.dims.size(); ++d) {
    const tile::BoxDim& dim = box.dims[d];
    const TypedPtr& extent = ref.array_shape[d];
    TypedPtr inner;
    Shape shape;
    if (dim.size) {
      shape = ref.shape;
      OpAttributes attributes;
      attributes.axes = {axis++};
      inner = make_typed(span, DType::i64, shape, Apply{Op::iota, {}, attributes});
    }
    const auto wide = [&](const TypedPtr& index) { return inner ? in_i64(kernel, index) : index; };
    const TypedPtr at = inner ? apply(span, Op::add, DType::i64, shape, {wide(dim.first), inner}) : dim.first;
    const auto test = [&](Op op, TypedPtr a, const TypedPtr& b) {
      TypedPtr condition = apply(span, op, DType::boolean, shape, {std::move(a), wide(b)});
      mask = mask_both(mask, std::move(condition), ref.shape, span);
    };
    if (dim.may_leave && !at_least_zero(dim.first, kernel.facts())) test(Op::greater_equal, at, index_constant(0));
    if (dim.may_leave) test(Op::less, at, extent);
    if (dim.limit) test(Op::less, inner, dim.limit);
  }
  if (!mask) mask = make_typed(span, DType::boolean, {}, Constant{true, {}});
  if (mask->shape == ref.shape) return mask;
  return make_typed(span, DType::boolean, ref.shape, Apply{Op::broadcast_to, {mask}, {}});
}

}  // namespace pallasgen::schedule
