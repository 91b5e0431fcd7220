#include "expressions/subscripts.h"

#include <fmt/format.h>

#include <algorithm>

#include "expressions/calls.h"
#include "expressions/evaluate.h"
#include "expressions/operators.h"

namespace pallasgen {

namespace {

std::string extents_text(int64_t extent) { return extent < 0 ? "" : fmt::format("{}", extent); }

// True for NumPy's name of a new axis.
bool is_called_new_axis(const ExprPtr& item) {
  const auto* attribute = item->as<AttributeExpr>();
  const auto* name = item->as<NameExpr>();
  return (attribute && attribute->name == "newaxis") || (name && name->name == "newaxis");
}
bool takes_dimension(const ExprPtr& item) { return !item->as<NoneLiteral>() && !item->as<EllipsisLiteral>(); }

// Inserts the dims of arrays of indices, if there are any, into the result's shape. As in NumPy, the arrays broadcast
// together, integers next to them count as arrays, and the dims are at the place of the first one, or come first if
// slices or new axes separate them.
bool gathered_shape(TypingContext& in, const IndexItems& index, Span span, const std::string& name, Shape& result) {
  std::vector<TypedPtr> arrays;
  int first = -1, last = -1, count = 0;
  for (size_t i = 0; i < index.size(); ++i) {
    const bool slices = std::holds_alternative<IndexSlice>(index[i]) || std::holds_alternative<IndexNewAxis>(index[i]);
    if (slices) continue;
    if (first < 0) first = static_cast<int>(i);
    last = static_cast<int>(i);
    ++count;
    if (const IndexGather* gather = std::get_if<IndexGather>(&index[i])) arrays.push_back(gather->indices);
  }
  if (arrays.empty()) return true;
  Shape joint;
  if (!broadcast(in, span, "index of " + name, arrays, joint)) return false;
  const bool neighbours = last - first + 1 == count;
  result = neighbours ? Shape{} : joint;
  for (size_t i = 0; i < index.size(); ++i) {
    if (neighbours && static_cast<int>(i) == first) result.insert(result.end(), joint.begin(), joint.end());
    if (const IndexSlice* slice = std::get_if<IndexSlice>(&index[i])) result.push_back(slice->size);
    if (std::holds_alternative<IndexNewAxis>(index[i])) result.push_back(1);
  }
  return true;
}

// The entry of the ref for `item` of a view whose dim is `outer` of the ref.
std::optional<IndexItem> compose(TypingContext& in, const IndexSlice& outer, const IndexItem& item, Span span) {
  const auto shifted = [&](const TypedPtr& index) {
    const TypedPtr scaled =
        outer.step == 1 ? index : operate(in, span, Op::multiply, {index, index_constant(outer.step)});
    return constant_value(outer.start) == 0 ? scaled : operate(in, span, Op::add, {outer.start, scaled});
  };
  if (const IndexSlice* slice = std::get_if<IndexSlice>(&item)) {
    const TypedPtr start = shifted(slice->start);
    if (!start) return std::nullopt;
    return IndexSlice{start, slice->size, slice->step * outer.step, slice->size_text};
  }
  const IndexInteger* integer = std::get_if<IndexInteger>(&item);
  const TypedPtr index = shifted(integer ? integer->value : std::get<IndexGather>(item).indices);
  if (!index) return std::nullopt;
  if (integer) return IndexInteger{index};
  return IndexGather{index};
}

// Reports an index that counts from the end of a dim whose size is known only at launch.
std::nullopt_t counts_from_end(TypingContext& in, Span span, const std::string& name) {
  in.error(kRuntimeShape, span, "the extent of '{}' is known only at launch, and nothing counts from its end", name)
      .note("use ds(start, n) with a start made of dims: ds(N - 4, 4)");
  return std::nullopt;
}

std::optional<IndexItem> slice_item(TypingContext& in, const SliceExpr& slice, Span span, const std::string& name,
                                    int64_t extent, Shape& result) {
  const auto number = [&](const ExprPtr& expr, int64_t absent, std::string_view what, std::string_view remedy) {
    return expr ? constant_integer(in, expr, what, remedy) : std::optional<int64_t>(absent);
  };
  constexpr std::string_view kStart = "ds(start, n) takes n elements from any start";
  constexpr std::string_view kEnd =
      "a slice has a constant size: to leave out what is behind an end, take all and mask it: "
      "where(iota(i32, [n], 0) < end, x, 0)";
  const std::optional<int64_t> start = number(slice.start, 0, "the start of a slice", kStart);
  const std::optional<int64_t> stop = number(slice.stop, extent, "the end of a slice", kEnd);
  const std::optional<int64_t> step = number(slice.step, 1, "the step of a slice", "");
  if (!start || !stop || !step) return std::nullopt;
  if (extent < 0) {  // a runtime size: only the whole, or a part counted from the start
    if (!slice.stop && *start == 0 && *step == 1) {
      result.push_back(-1);
      return IndexSlice{index_constant(0), -1, 1};
    }
    if (!slice.stop || *start < 0 || *stop < 0) return counts_from_end(in, span, name);
  }
  const int64_t from = *start < 0 ? *start + extent : *start, to = *stop < 0 ? *stop + extent : *stop;
  if (*step < 1) {
    Diagnostic& out = in.error(kIndexRange, span, "the step {} of a slice of '{}' must be at least 1", *step, name);
    if (*step == -1 && !slice.start && !slice.stop && extent > 0)
      out.note(
          fmt::format("the index {} - iota(i32, [{}], 0) takes all {} in reverse order", extent - 1, extent, extent));
    return std::nullopt;
  }
  if (from < 0 || (extent >= 0 && to > extent) || from > to) {
    in.error(kIndexRange, span, "the slice {}:{} of '{}' lies outside its {} elements", *start, *stop, name, extent);
    return std::nullopt;
  }
  const int64_t size = (to - from + *step - 1) / *step;
  result.push_back(size);
  return IndexSlice{index_constant(from), size, *step};
}

std::optional<IndexItem> ds_item(TypingContext& in, const CallExpr& call, Span span, const std::string& name,
                                 int64_t extent, Shape& result) {
  const std::optional<Bound> args = bind_arguments(in, call, span, "ds");
  if (!args) return std::nullopt;
  TypedPtr start = value_of(in, (*args)[0]);
  const std::optional<int64_t> size = constant_integer(in, (*args)[1], "the size of ds");
  if (!start || !size) return std::nullopt;
  if (!start->shape.empty() || (start->dtype != DType::index && !info(start->dtype).is_integer)) {
    in.error(kOperandDType, (*args)[0]->span, "the start of ds must be an integer, not {}", describe(start));
    return std::nullopt;
  }
  Bounds range;
  if (start->dtype == DType::index) range = bounds(start, in.context.kernel.facts());
  const bool past = extent >= 0 && (*size > extent || (range.minimum && *range.minimum > extent - *size));
  if (*size < 0 || past || (range.maximum && *range.maximum < 0)) {
    in.error(kIndexRange, span, "ds({}, {}) of '{}' lies outside its {} elements", to_string(start), *size, name,
             extents_text(extent));
    return std::nullopt;
  }
  result.push_back(*size);
  TypedPtr size_text = value_of(in, (*args)[1]);
  if (!size_text || size_text->dtype != DType::index || !size_text->as<Constant>()) size_text = nullptr;
  return IndexSlice{start, *size, 1, size_text};
}

std::optional<IndexItem> index_item(TypingContext& in, const ExprPtr& expr, const std::string& name, int64_t extent,
                                    Shape& result) {
  if (const SliceExpr* range = expr->as<SliceExpr>()) return slice_item(in, *range, expr->span, name, extent, result);
  if (const CallExpr* call = expr->as<CallExpr>()) {
    const NameExpr* callee = call->callee->as<NameExpr>();
    if (callee && callee->name == "ds") return ds_item(in, *call, expr->span, name, extent, result);
  }
  const TypedPtr value = value_of(in, expr);
  if (!value) return std::nullopt;
  if (value->dtype != DType::index && !info(value->dtype).is_integer) {
    Diagnostic& out =
        in.error(kOperandDType, expr->span, "an index of '{}' must be an integer, not {}", name, describe(value));
    if (value->dtype == DType::boolean)
      out.note(fmt::format("a shape does not depend on data: where({}, …, 0) has 0 in place of the others",
                           to_string(*expr)));
    return std::nullopt;
  }
  if (!value->shape.empty()) {
    const TypedPtr indices = settled(in, value, "an index");
    if (!indices) return std::nullopt;
    result.insert(result.end(), indices->shape.begin(), indices->shape.end());
    return IndexGather{indices};
  }
  TypedPtr index = value;
  if (const std::optional<int64_t> constant = constant_value(value)) {
    const int64_t counted = *constant < 0 && extent >= 0 ? *constant + extent : *constant;
    if (counted < 0 && extent < 0) return counts_from_end(in, expr->span, name);
    if (counted < 0 || (extent >= 0 && counted >= extent)) {
      in.error(kIndexRange, expr->span, "index {} of '{}' lies outside its {} elements", *constant, name, extent)
          .note(fmt::format("0 to {} are inside", extent - 1));
      return std::nullopt;
    }
    if (*constant < 0) index = index_constant(counted);
  } else if (value->dtype == DType::index) {
    const Bounds range = bounds(value, in.context.kernel.facts());
    if ((extent >= 0 && range.minimum && *range.minimum >= extent) || (range.maximum && *range.maximum < 0)) {
      in.error(kIndexRange, expr->span, "index {} of '{}' always lies outside its {} elements", to_string(value), name,
               extents_text(extent));
      return std::nullopt;
    }
  }
  return IndexInteger{index};
}

Value view_of(TypingContext& in, const AttributeExpr& at, const std::vector<ExprPtr>& entries, Span span) {
  const Value base = evaluate(in, at.base);
  if (base.poisoned()) return {Poison{}, span};
  const RefName* ref = base.as<RefName>();
  if (!ref) {
    return {in.fail(kNameKind, at.base->span, "'.at' makes a view of a ref, not of {}", describe(base)), span};
  }
  RefName out{ref->ref, true, {}, {}};
  bool whole = false;
  std::optional<IndexItems> index = ref_items(in, *ref, entries, span, out.shape, whole);
  if (!index) return {Poison{}, span};
  out.items = std::move(*index);
  return {std::move(out), span};
}

}  // namespace

Value subscript_value(TypingContext& in, const SubscriptExpr& node, Span span) {
  if (const AttributeExpr* attribute = node.base->as<AttributeExpr>(); attribute && attribute->name == "at") {
    return view_of(in, *attribute, node.items, span);
  }
  const Value base = evaluate(in, node.base);
  if (base.poisoned()) return {Poison{}, span};
  Shape result;
  bool whole = false;
  if (const RefName* ref = base.as<RefName>()) {
    std::optional<IndexItems> index = ref_items(in, *ref, node.items, span, result, whole);
    if (!index || !sized(in, result, span, in.context.kernel.refs[ref->ref].name)) return {Poison{}, span};
    RefRead read;
    read.ref = ref->ref;
    read.index = std::move(*index);
    read.whole = whole;
    read.name = in.context.kernel.refs[ref->ref].name;
    return {make_typed(span, in.context.kernel.refs[ref->ref].dtype, std::move(result), std::move(read)), span};
  }
  if (const ScalarArrayName* scalars = base.as<ScalarArrayName>())
    return {element_value(in, scalars->scalar, node.items, span), span};
  const TypedPtr array = read(in, base);
  if (!array) return {Poison{}, span};
  const std::string name = to_string(array);
  std::optional<IndexItems> index = index_items(in, node.items, span, name, array->shape, result, whole);
  if (!index) return {Poison{}, span};
  if (whole) return {array, span};
  OpAttributes attributes;
  attributes.items = std::move(*index);
  return {apply(span, Op::slice, array->dtype, std::move(result), {array}, std::move(attributes)), span};
}

std::optional<IndexItems> ref_items(TypingContext& in, const RefName& ref, const std::vector<ExprPtr>& entries,
                                    Span span, Shape& result, bool& whole) {
  const std::string& name = in.context.kernel.refs[ref.ref].name;
  if (!ref.view) return index_items(in, entries, span, name, shape_of_ref(in.context, ref.ref), result, whole);
  std::optional<IndexItems> inner = index_items(in, entries, span, name + ".at[…]", ref.shape, result, whole);
  if (!inner) return std::nullopt;
  const bool plain = std::none_of(ref.items.begin(), ref.items.end(), [](const IndexItem& item) {
    return std::holds_alternative<IndexGather>(item) || std::holds_alternative<IndexNewAxis>(item);
  });
  if (!plain) {  // dims of the view that are no slices of the ref can only be taken whole
    if (whole) {
      whole = false;
      return ref.items;
    }
    in.error(kArguments, span, "a part of a view of '{}' that gathers or has a new axis", name)
        .note("index the ref itself, or read the view whole and index the value");
    return std::nullopt;
  }
  // Each entry of the inner index goes to the next dim that the view kept.
  IndexItems out;
  size_t at = 0;
  const auto drop = [&] {
    while (at < ref.items.size() && !std::holds_alternative<IndexSlice>(ref.items[at])) out.push_back(ref.items[at++]);
  };
  whole = true;
  for (const IndexItem& item : *inner) {
    if (std::holds_alternative<IndexNewAxis>(item)) {
      out.push_back(item);
      continue;
    }
    drop();
    const IndexSlice outer = std::get<IndexSlice>(ref.items[at++]);
    std::optional<IndexItem> both = compose(in, outer, item, span);
    if (!both) return std::nullopt;
    out.push_back(std::move(*both));
  }
  drop();
  const Shape& shape = shape_of_ref(in.context, ref.ref);
  for (size_t dim = 0; dim < out.size(); ++dim) {
    const IndexSlice* slice = std::get_if<IndexSlice>(&out[dim]);
    whole = whole && out.size() == shape.size() && slice && slice->size == shape[dim] && slice->step == 1;
  }
  return out;
}

bool sized(TypingContext& in, const Shape& shape, Span span, const std::string& name) {
  if (std::find(shape.begin(), shape.end(), -1) == shape.end()) return true;
  in.error(kRuntimeShape, span, "a dim of '{}' is taken whole, and its extent is known only at launch", name)
      .note("take a part of constant size: ds(start, 128)");
  return false;
}

std::optional<IndexItems> index_items(TypingContext& in, const std::vector<ExprPtr>& entries, Span span,
                                      const std::string& name, const Shape& shape, Shape& result, bool& whole) {
  const size_t taken = std::count_if(entries.begin(), entries.end(), takes_dimension);
  const size_t ellipses = std::count_if(entries.begin(), entries.end(),
                                        [](const auto& item) { return item->template as<EllipsisLiteral>(); });
  if (taken > shape.size() || ellipses > 1) {
    const std::string what = ellipses > 1 ? "more than one '...'" : fmt::format("{} indices", taken);
    Diagnostic& error = in.error(kIndexRank, span, "{} on '{}', which has {} dimension{} {}", what, name, shape.size(),
                                 shape.size() == 1 ? "" : "s", shape_text(shape));
    if (std::any_of(entries.begin(), entries.end(), is_called_new_axis)) error.note("a new axis is written None");
    return std::nullopt;
  }
  IndexItems out;
  bool good = true, all_whole = true;
  size_t dim = 0;
  const auto full = [&] {
    out.push_back(IndexSlice{index_constant(0), shape[dim], 1});
    result.push_back(shape[dim++]);
  };
  for (const ExprPtr& entry : entries) {
    if (entry->as<EllipsisLiteral>()) {
      for (size_t skipped = shape.size() - taken; skipped > 0; --skipped) full();
      continue;
    }
    if (entry->as<NoneLiteral>()) {
      out.push_back(IndexNewAxis{});
      result.push_back(1);
      all_whole = false;
      continue;
    }
    const size_t before = result.size();
    std::optional<IndexItem> one = index_item(in, entry, name, shape[dim], result);
    good = good && one;
    if (one) {
      const IndexSlice* slice = std::get_if<IndexSlice>(&*one);
      all_whole =
          all_whole && slice && slice->step == 1 && slice->size == shape[dim] && constant_value(slice->start) == 0;
      out.push_back(std::move(*one));
    } else {
      result.resize(before);
    }
    ++dim;
  }
  while (dim < shape.size()) full();
  if (!good || !gathered_shape(in, out, span, name, result)) return std::nullopt;
  whole = all_whole;
  return out;
}

}  // namespace pallasgen
