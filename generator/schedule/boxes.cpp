#include "boxes.h"

#include <optional>

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

// As a value, the dtype of the scalar, or of the array of scalars, that the node is or takes an element of.
std::optional<DType> dtype_of_scalar(const Kernel& kernel, const Typed& node) {
  const auto* symbol = node.as<Symbol>();
  const Apply* element = node.applies(Op::element);
  const bool is_scalar = symbol && symbol->kind == SymbolKind::scalar;
  if (!is_scalar && !element) return std::nullopt;
  return kernel.scalars[static_cast<size_t>(is_scalar ? symbol->id : element->attributes.scalar)].dtype;
}

// An index value as one of i64. A scalar has a dtype of its own in a value, so expressions of scalars are converted
// part by part. Other values stay: operands of a comparison of floats, the operand of a cast.
TypedPtr in_i64(const Kernel& kernel, const TypedPtr& index) {
  bool of_scalars = false;
  walk(index, [&](const Typed& node) { of_scalars = of_scalars || dtype_of_scalar(kernel, node); });
  const bool is_index = index->dtype == DType::index;
  if (!is_index && (index->dtype != DType::boolean || !of_scalars)) return index;
  const auto wide = [&](const TypedPtr& value) {
    return make_typed(index->span, DType::i64, {}, Apply{Op::cast, {value}, {}});
  };
  if (!of_scalars) return wide(index);
  if (const std::optional<DType> own = dtype_of_scalar(kernel, *index)) {
    if (!is_index) return index;
    const TypedPtr scalar = make_typed(index->span, *own, {}, index->node);
    return *own == DType::i64 ? scalar : wide(scalar);
  }
  const auto* node = index->as<Apply>();
  if (!node) return is_index ? wide(index) : index;
  if (node->op == Op::cast) return is_index ? wide(node->args[0]) : index;
  std::vector<TypedPtr> args;
  for (const TypedPtr& arg : node->args) args.push_back(in_i64(kernel, arg));
  return make_typed(index->span, is_index ? DType::i64 : index->dtype, {},
                    Apply{node->op, std::move(args), node->attributes});
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
    // The launch may decide the extent of a whole dim; all of it is inside.
    dim.may_leave = block.size >= 0 && !stays_inside(kernel, dim.first, block.size, ref.array_shape[d], kernel.facts());
    if (block.kind == BlockKind::bounded_slice) dim.limit = block.slice_size;
    box.dims.push_back(std::move(dim));
  }
  return box;
}

bool gathers_in_place(const std::vector<IndexItem>& index) {
  size_t gathers = 0, slices_before = 0, slices = 0, first = index.size(), last = 0, arrays = 0;
  for (size_t d = 0; d < index.size(); ++d) {
    const auto* gather = std::get_if<IndexGather>(&index[d]);
    const bool slice = std::holds_alternative<IndexSlice>(index[d]);
    if (gather) ++gathers, slices_before = slices;
    if (gather && (gather->indices->shape.size() != 1 || gather->indices->shape[0] == 0)) return false;
    slices += slice ? 1 : 0;
    if (slice) continue;
    first = std::min(first, d);
    last = d;
    ++arrays;
  }
  const auto* rows = std::get_if<IndexSlice>(&index.back());
  const bool neighbours = last - first + 1 == arrays;
  return gathers == 1 && rows && rows->size > 1 && (neighbours || slices_before == 0);
}

// The spec's expression for the size of a vector that is a block; null if there is none.
static TypedPtr size_of_block(const Kernel& kernel, const TypedPtr& vector) {
  const auto* read = vector->as<RefRead>();
  if (!read || !read->whole) return nullptr;
  for (const BlockDim& dim : kernel.refs[static_cast<size_t>(read->ref)].block) {
    if (dim.kind != BlockKind::squeezed) return dim.size_expr;
  }
  return nullptr;
}

tile::BoxDim gathered_dim(const Kernel& kernel, const IndexGather& gather) {
  tile::BoxDim dim;
  dim.first = index_constant(0);
  dim.size = gather.indices->shape[0];
  dim.size_text = size_of_block(kernel, gather.indices);
  dim.each = gather.indices;
  return dim;
}

bool is_looked_up(const TypedPtr& indices) {
  bool simple = true;
  walk(indices, [&](const Typed& node) {
    const Apply* apply = node.as<Apply>();
    const OpGroup group = apply ? operation(apply->op).group : OpGroup::elementwise;
    simple = simple && (group == OpGroup::elementwise || group == OpGroup::cast) && !node.as<RefRead>() &&
             !node.as<CallFunction>();
  });
  return simple;
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
