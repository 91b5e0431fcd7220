#include <fmt/format.h>

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

// offsets[g]: an element of an array of scalars, an index value where integer scalars are.
TypedPtr Typer::element(int scalar, const std::vector<ExprPtr>& entries, Span span) {
  const KernelScalar& array = context_.kernel.scalars[scalar];
  if (entries.size() != array.shape->size()) {
    return fail(kIndexRank, span,
                fmt::format("'{}' has {} dimension{}, and one element needs as many indices, not {}", array.name,
                            array.shape->size(), array.shape->size() == 1 ? "" : "s", entries.size()));
  }
  std::vector<TypedPtr> indices;
  for (size_t dim = 0; dim < entries.size(); ++dim) {
    const ExprPtr& entry = entries[dim];
    if (entry->as<SliceExpr>() || entry->as<EllipsisLiteral>() || entry->as<NoneLiteral>()) {
      error(kOperandDType, entry->span, fmt::format("'{}' is read one element at a time", array.name))
          .note("an array that is read by slices is an input with space: gmem");
      return nullptr;
    }
    const TypedPtr index = value(entry);
    if (!index) return nullptr;
    if (!index->shape.empty() || (index->dtype != DType::index && !info(index->dtype).is_integer)) {
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
  }
  OpAttributes attributes;
  attributes.scalar = scalar;
  attributes.name = array.name;
  const bool as_index = place_.integers_are_index && info(array.dtype).is_integer;
  return make_typed(span, as_index ? DType::index : array.dtype, {},
                    Apply{Op::element, std::move(indices), std::move(attributes)});
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
