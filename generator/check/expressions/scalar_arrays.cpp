#include <fmt/format.h>

#include <algorithm>

#include "expressions/calls.h"
#include "expressions/evaluate.h"
#include "expressions/operators.h"
#include "expressions/subscripts.h"

namespace pallasgen {

namespace {

// True if the entries select a part: they contain slices, or are fewer than the array's dims.
bool takes_part(const std::vector<ExprPtr>& entries, size_t rank) {
  return entries.size() < rank || std::any_of(
                                      entries.begin(), entries.end(),
                                      [](const ExprPtr& entry) {
                                        const CallExpr* call = entry->as<CallExpr>();
                                        const NameExpr* callee = call ? call->callee->as<NameExpr>() : nullptr;
                                        return entry->as<SliceExpr>() || entry->as<EllipsisLiteral>() ||
                                               entry->as<NoneLiteral>() || (callee && callee->name == "ds");
                                      });
}

// The value with dims of size 1 added after its own.
TypedPtr with_dims_behind(const TypedPtr& value, size_t dims) {
  if (dims == 0) return value;
  Shape shape = value->shape;
  shape.resize(shape.size() + dims, 1);
  return make_typed(value->span, value->dtype, std::move(shape), Apply{Op::reshape, {value}, {}});
}

OpAttributes of_scalar(const KernelScalar& array, int scalar) {
  OpAttributes out;
  out.scalar = scalar;
  out.name = array.name;
  return out;
}

// An extent of an array of scalars, or -1 if it is unknown; dims are known only in the reference.
int64_t extent_of(const Context& context, const TypedPtr& extent) {
  const auto known = [&](const Symbol& symbol) -> std::optional<int64_t> {
    if (!context.extents || symbol.kind != SymbolKind::dim) return std::nullopt;
    const auto found = context.extents->find(symbol.name);
    return found == context.extents->end() ? std::nullopt : std::optional(found->second);
  };
  return evaluate_index(extent, known).value_or(-1);
}

// lens[ds(i * 4, 4)], table[b, pages]: an element for each element of arrays of indices, one array per dim of the array
// of scalars, which broadcast together.
TypedPtr part_of_scalars(TypingContext& in, int scalar, const IndexItems& items, const Shape& result, Span span) {
  const KernelScalar& array = in.context.kernel.scalars[scalar];
  std::vector<TypedPtr> arrays;
  std::optional<size_t> first;
  size_t last = 0, count = 0, dims_before = 0, dims = 0;
  for (size_t i = 0; i < items.size(); ++i) {
    const bool slices = std::holds_alternative<IndexSlice>(items[i]) || std::holds_alternative<IndexNewAxis>(items[i]);
    dims += slices;
    if (slices) continue;
    if (!first) first = i, dims_before = dims;
    last = i;
    ++count;
    if (const IndexGather* gather = std::get_if<IndexGather>(&items[i])) arrays.push_back(gather->indices);
  }
  Shape joint;
  if (!arrays.empty() && !broadcast(in, span, "index of " + array.name, arrays, joint)) return nullptr;
  // As in NumPy, the dims of index arrays are at the place of the first one, or come first if these are separated.
  const size_t place = first && last - *first + 1 == count ? dims_before : 0;
  std::vector<TypedPtr> indices;
  size_t dim = 0;
  for (const IndexItem& item : items) {
    if (const IndexInteger* integer = std::get_if<IndexInteger>(&item)) indices.push_back(integer->value);
    if (const IndexGather* gather = std::get_if<IndexGather>(&item))
      indices.push_back(with_dims_behind(gather->indices, result.size() - place - joint.size()));
    if (const IndexSlice* slice = std::get_if<IndexSlice>(&item)) {
      const size_t at = dim < place ? dim : dim + joint.size();
      const bool wide = slice->start->dtype != DType::index && info(slice->start->dtype).bits >= 32 &&
                        slice->start->dtype != DType::i32;
      const DType dtype = wide ? DType::i64 : DType::i32;
      TypedPtr index = make_typed(span, dtype, {slice->size}, Apply{Op::iota, {}, along({0})});
      if (slice->step != 1) index = operate(in, span, Op::multiply, {index, index_constant(slice->step)});
      if (index && constant_value(slice->start) != 0)
        index = operate(in, span, Op::add, {cast(in, slice->start, dtype, span), index});
      if (!index) return nullptr;
      indices.push_back(with_dims_behind(index, result.size() - at - 1));
    }
    dim += std::holds_alternative<IndexSlice>(item) || std::holds_alternative<IndexNewAxis>(item);
  }
  return make_typed(span, array.dtype, result, Apply{Op::element, std::move(indices), of_scalar(array, scalar)});
}

}  // namespace

// offsets[g]: an element of an array of scalars, which is an index value in places where integer scalars are.
TypedPtr element_value(TypingContext& in, int scalar, const std::vector<ExprPtr>& entries, Span span) {
  const KernelScalar& array = in.context.kernel.scalars[scalar];
  if (in.place.refs && takes_part(entries, array.shape->size())) {
    Shape extents, result;
    for (const TypedPtr& extent : *array.shape) extents.push_back(extent_of(in.context, extent));
    bool whole = false;
    const auto part = index_items(in, entries, span, array.name, extents, result, whole);
    return part && sized(in, result, span, array.name) ? part_of_scalars(in, scalar, *part, result, span) : nullptr;
  }
  if (entries.size() != array.shape->size()) {
    return in.fail(kIndexRank, span, "'{}' has {} dimension{}, and one element needs as many indices, not {}",
                   array.name, array.shape->size(), array.shape->size() == 1 ? "" : "s", entries.size());
  }
  std::vector<TypedPtr> indices, arrays;
  IndexItems gathered;
  for (size_t dim = 0; dim < entries.size(); ++dim) {
    const ExprPtr& entry = entries[dim];
    if (entry->as<SliceExpr>() || entry->as<EllipsisLiteral>() || entry->as<NoneLiteral>()) {
      in.error(kOperandDType, entry->span, "{} reads '{}' one element at a time", in.place.what, array.name)
          .note("the body reads slices of it too");
      return nullptr;
    }
    const TypedPtr index = value_of(in, entry);
    if (!index) return nullptr;
    const bool many = in.place.refs && !index->shape.empty();
    if (many) arrays.push_back(index);
    if ((!index->shape.empty() && !many) || (index->dtype != DType::index && !info(index->dtype).is_integer)) {
      return in.fail(kOperandDType, entry->span, "an index of '{}' must be an integer, not {}", array.name,
                     describe(index));
    }
    const SymbolFacts facts = in.context.kernel.facts();
    const Bounds range = index->dtype == DType::index ? bounds(index, facts) : Bounds{};
    const Bounds extent = bounds((*array.shape)[dim], facts);
    if ((range.maximum && *range.maximum < 0) ||
        (range.minimum && extent.maximum && *range.minimum >= *extent.maximum)) {
      return in.fail(kIndexRange, entry->span, "index {} of '{}' always lies outside its {} elements", to_string(index),
                     array.name, to_string((*array.shape)[dim]));
    }
    indices.push_back(index);
    gathered.push_back(many ? IndexItem{IndexGather{index}} : IndexItem{IndexInteger{index}});
  }
  if (!arrays.empty()) {
    Shape joint;
    if (!broadcast(in, span, "index of " + array.name, arrays, joint)) return nullptr;
    return part_of_scalars(in, scalar, gathered, joint, span);
  }
  const bool as_index = in.place.integers_are_index && info(array.dtype).is_integer;
  return make_typed(span, as_index ? DType::index : array.dtype, {},
                    Apply{Op::element, std::move(indices), of_scalar(array, scalar)});
}

TypedPtr searchsorted_call(TypingContext& in, const CallExpr& node, Span span, const std::string& called) {
  const std::optional<Bound> args = bind_arguments(in, node, span, called);
  if (!args) return nullptr;
  const Value first = evaluate(in, (*args)[0]);
  const TypedPtr wanted = value_of(in, (*args)[1]);
  if (first.poisoned() || !wanted) return nullptr;
  const ScalarArrayName* name = first.as<ScalarArrayName>();
  const KernelScalar* array = name ? &in.context.kernel.scalars[name->scalar] : nullptr;
  if (!array || array->shape->size() != 1 || !info(array->dtype).is_integer) {
    in.error(kNameKind, (*args)[0]->span,
             "searchsorted looks into an array of integer scalars of one dimension, not into {}",
             to_string(*(*args)[0]))
        .note("scalars: {offsets: \"i32[G+1]\"}");
    return nullptr;
  }
  if (!wanted->shape.empty() || (wanted->dtype != DType::index && !info(wanted->dtype).is_integer)) {
    return in.fail(kOperandDType, (*args)[1]->span, "searchsorted looks for an integer, not for {}", describe(wanted));
  }
  OpAttributes attributes = of_scalar(*array, name->scalar);
  if ((*args)[2]) {
    const NameExpr* side = (*args)[2]->as<NameExpr>();
    if (!side || (side->name != "left" && side->name != "right"))
      return in.fail(kArguments, (*args)[2]->span, "'side' of searchsorted is left or right");
    attributes.left = side->name == "left";
  }
  return make_typed(span, DType::index, {}, Apply{Op::searchsorted, {wanted}, std::move(attributes)});
}

}  // namespace pallasgen
