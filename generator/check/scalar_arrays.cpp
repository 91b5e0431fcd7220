#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "typer.h"

namespace pallasgen {

TypedPtr Typer::num_sms(Span span) {
  if (!place_.dims || context_.extents) {
    return fail(kNameKind, span, fmt::format("'num_sms' is known only at launch, and {} cannot use it", place_.what));
  }
  return make_typed(span, DType::index, {}, Symbol{SymbolKind::num_sms, 0, "num_sms"});
}

TypedPtr Typer::ticket_call(const CallExpr& node, Span span) {
  if (!bind(node, span, "ticket", {}, 0)) return nullptr;
  if (!place_.refs || place_.axes == 0)
    return fail(kNameKind, span, fmt::format("a ticket is drawn by a running program; {} has none", place_.what));
  return make_typed(span, DType::index, {}, Symbol{SymbolKind::ticket, 0, "ticket()"});
}

namespace {

// Whether the entries are slices, or fewer than the array has dims.
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

// The value with dims of size 1 behind its own.
TypedPtr with_dims_behind(const TypedPtr& value, size_t dims) {
  if (dims == 0) return value;
  Shape shape = value->shape;
  shape.resize(shape.size() + dims, 1);
  return make_typed(value->span, value->dtype, std::move(shape), Apply{Op::reshape, {value}, {}});
}

}  // namespace

// An extent of an array of scalars as far as it is known: in the reference dims are.
int64_t Typer::extent_of(const TypedPtr& extent) const {
  const auto known = [&](const Symbol& symbol) -> std::optional<int64_t> {
    if (!context_.extents || symbol.kind != SymbolKind::dim) return std::nullopt;
    const auto found = context_.extents->find(symbol.name);
    return found == context_.extents->end() ? std::nullopt : std::optional(found->second);
  };
  return evaluate_index(extent, known).value_or(-1);
}

// lens[ds(i * 4, 4)], table[b, pages]: an element for each of an array of indices, of which there is one per dim of the
// array of scalars; they broadcast together.
TypedPtr Typer::part_of_scalars(int scalar, const std::vector<IndexItem>& items, const Shape& result, Span span) {
  const KernelScalar& array = context_.kernel.scalars[scalar];
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
  if (!arrays.empty() && !broadcast(span, "index of " + array.name, arrays, joint)) return nullptr;
  // As in NumPy: the dims of arrays of indices stand where the first stood, in front where they are not neighbours.
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
      OpAttributes along;
      along.axes = {0};
      TypedPtr index = make_typed(span, dtype, {slice->size}, Apply{Op::iota, {}, along});
      if (slice->step != 1) index = operate(span, Op::multiply, {index, index_constant(slice->step)});
      if (index && constant_value(slice->start) != 0)
        index = operate(span, Op::add, {cast(slice->start, dtype, span), index});
      if (!index) return nullptr;
      indices.push_back(with_dims_behind(index, result.size() - at - 1));
    }
    dim += std::holds_alternative<IndexSlice>(item) || std::holds_alternative<IndexNewAxis>(item);
  }
  OpAttributes attributes;
  attributes.scalar = scalar;
  attributes.name = array.name;
  return make_typed(span, array.dtype, result, Apply{Op::element, std::move(indices), std::move(attributes)});
}

// offsets[g]: an element of an array of scalars, an index value where integer scalars are.
TypedPtr Typer::element(int scalar, const std::vector<ExprPtr>& entries, Span span) {
  const KernelScalar& array = context_.kernel.scalars[scalar];
  if (place_.refs && takes_part(entries, array.shape->size())) {
    Shape extents, result;
    for (const TypedPtr& extent : *array.shape) extents.push_back(extent_of(extent));
    bool whole = false;
    const auto part = items(entries, span, array.name, extents, result, whole);
    return part && sized(result, span, array.name) ? part_of_scalars(scalar, *part, result, span) : nullptr;
  }
  if (entries.size() != array.shape->size()) {
    return fail(kIndexRank, span,
                fmt::format("'{}' has {} dimension{}, and one element needs as many indices, not {}", array.name,
                            array.shape->size(), array.shape->size() == 1 ? "" : "s", entries.size()));
  }
  std::vector<TypedPtr> indices, arrays;
  std::vector<IndexItem> gathered;
  for (size_t dim = 0; dim < entries.size(); ++dim) {
    const ExprPtr& entry = entries[dim];
    if (entry->as<SliceExpr>() || entry->as<EllipsisLiteral>() || entry->as<NoneLiteral>()) {
      error(kOperandDType, entry->span, fmt::format("{} reads '{}' one element at a time", place_.what, array.name))
          .note("the body reads slices of it too");
      return nullptr;
    }
    const TypedPtr index = value(entry);
    if (!index) return nullptr;
    const bool many = place_.refs && !index->shape.empty();
    if (many) arrays.push_back(index);
    if ((!index->shape.empty() && !many) || (index->dtype != DType::index && !info(index->dtype).is_integer)) {
      return fail(kOperandDType, entry->span,
                  fmt::format("an index of '{}' must be an integer, not {}", array.name, describe(index)));
    }
    const SymbolFacts facts = context_.kernel.facts();
    const Bounds range = index->dtype == DType::index ? bounds(index, facts) : Bounds{};
    const Bounds extent = bounds((*array.shape)[dim], facts);
    if ((range.maximum && *range.maximum < 0) ||
        (range.minimum && extent.maximum && *range.minimum >= *extent.maximum)) {
      return fail(kIndexRange, entry->span,
                  fmt::format("index {} of '{}' always lies outside its {} elements", to_string(index), array.name,
                              to_string((*array.shape)[dim])));
    }
    indices.push_back(index);
    gathered.push_back(many ? IndexItem{IndexGather{index}} : IndexItem{IndexInteger{index}});
  }
  if (!arrays.empty()) {
    Shape joint;
    if (!broadcast(span, "index of " + array.name, arrays, joint)) return nullptr;
    return part_of_scalars(scalar, gathered, joint, span);
  }
  OpAttributes attributes;
  attributes.scalar = scalar;
  attributes.name = array.name;
  const bool as_index = place_.integers_are_index && info(array.dtype).is_integer;
  return make_typed(span, as_index ? DType::index : array.dtype, {},
                    Apply{Op::element, std::move(indices), std::move(attributes)});
}

// In guards, integer scalars are index values that take the dtype of what they meet. An operation that needs a dtype,
// where they meet nothing, sees the one that the spec gives them.
TypedPtr Typer::with_own_dtype(const TypedPtr& value) {
  if (!value || value->dtype != DType::index) return value;
  std::optional<DType> own;
  bool one = true;
  const std::function<void(const TypedPtr&)> find = [&](const TypedPtr& expr) {
    if (expr->dtype != DType::index) return;
    const Apply* apply = expr->as<Apply>();
    const Symbol* symbol = expr->as<Symbol>();
    int scalar = -1;
    if (symbol && symbol->kind == SymbolKind::scalar) scalar = symbol->id;
    if (apply && apply->op == Op::element) scalar = apply->attributes.scalar;
    if (scalar >= 0) {
      const DType dtype = context_.kernel.scalars[static_cast<size_t>(scalar)].dtype;
      one = one && own.value_or(dtype) == dtype;
      own = dtype;
    } else if (apply && apply->op != Op::searchsorted) {
      for (const TypedPtr& arg : apply->args) find(arg);
    }
  };
  find(value);
  return own && one ? coerce(value, *own) : value;
}

TypedPtr Typer::searchsorted_call(const CallExpr& node, Span span) {
  const std::optional<Bound> args = bind(node, span, "searchsorted", {"scalars", "x", "side"}, 2);
  if (!args) return nullptr;
  const Value first = evaluate((*args)[0]);
  const TypedPtr wanted = value((*args)[1]);
  if (first.poisoned() || !wanted) return nullptr;
  const ScalarArrayName* name = first.as<ScalarArrayName>();
  const KernelScalar* array = name ? &context_.kernel.scalars[name->scalar] : nullptr;
  if (!array || array->shape->size() != 1 || !info(array->dtype).is_integer) {
    error(kNameKind, (*args)[0]->span,
          fmt::format("searchsorted looks into an array of integer scalars of one dimension, not into {}",
                      to_string(*(*args)[0])))
        .note("scalars: {offsets: \"i32[G+1]\"}");
    return nullptr;
  }
  if (!wanted->shape.empty() || (wanted->dtype != DType::index && !info(wanted->dtype).is_integer)) {
    return fail(kOperandDType, (*args)[1]->span,
                fmt::format("searchsorted looks for an integer, not for {}", describe(wanted)));
  }
  OpAttributes attributes;
  attributes.scalar = name->scalar;
  attributes.name = array->name;
  if ((*args)[2]) {
    const NameExpr* side = (*args)[2]->as<NameExpr>();
    if (!side || (side->name != "left" && side->name != "right"))
      return fail(kArguments, (*args)[2]->span, "'side' of searchsorted is left or right");
    attributes.left = side->name == "left";
  }
  return make_typed(span, DType::index, {}, Apply{Op::searchsorted, {wanted}, std::move(attributes)});
}

}  // namespace pallasgen
