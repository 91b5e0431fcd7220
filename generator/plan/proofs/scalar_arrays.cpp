#include "proofs/scalar_arrays.h"

#include <fmt/format.h>

#include "check/inside.h"
#include "program/index_terms.h"

namespace pallasgen {

namespace {

// Compares an index, which may be an array of indices, with an index expression.
TypedPtr compared(Op op, const TypedPtr& index, const TypedPtr& with) {
  TypedPtr left = index, right = with;
  if (index->dtype != DType::index) {
    left = make_typed(index->span, DType::i64, index->shape, Apply{Op::cast, {index}, {}});
    right = make_typed(index->span, DType::i64, {}, Apply{Op::cast, {with}, {}});
  }
  return apply(index->span, op, DType::boolean, index->shape, {std::move(left), std::move(right)});
}

TypedPtr zero_like(const Typed& element) {
  return element.dtype == DType::index ? index_constant(0) : zero_of(element.dtype);
}

}  // namespace

TypedPtr with_guarded_elements(const Kernel& kernel, const TypedPtr& expr, std::set<int>& guarded) {
  const SymbolFacts facts = kernel.facts();
  return rewrite(expr, [&](const TypedPtr& node) -> TypedPtr {
    const Apply* element = node->applies(Op::element);
    if (!element) return nullptr;
    Apply own = *element;
    const std::vector<TypedPtr>& extents = *kernel.scalars[static_cast<size_t>(own.attributes.scalar)].shape;
    TypedPtr inside;
    for (size_t dim = 0; dim < own.args.size(); ++dim) {
      TypedPtr& index = own.args[dim];
      const bool is_scalar_index = index->dtype == DType::index && index->shape.empty();
      const bool from_zero = is_scalar_index && at_least_zero(index, facts);
      const bool is_inside = from_zero && stays_inside(kernel, index, 1, extents[dim], facts);
      index = with_guarded_elements(kernel, index, guarded);
      if (is_inside) continue;
      for (const Op op : {Op::greater_equal, Op::less}) {
        if (op == Op::greater_equal && from_zero) continue;
        TypedPtr holds = compared(op, index, op == Op::less ? extents[dim] : index_constant(0));
        inside = inside ? apply(node->span, Op::logical_and, DType::boolean, node->shape, {inside, holds}) : holds;
      }
    }
    const TypedPtr value = make_typed(node->span, node->dtype, node->shape, std::move(own));
    if (!inside) return value;
    guarded.insert(element->attributes.scalar);
    return apply(node->span, Op::where, node->dtype, node->shape, {inside, value, zero_like(*node)});
  });
}

std::string fault_of_scalar_array(const Kernel& kernel, int scalar) {
  return fmt::format("oob: an index of '{}' is outside", kernel.scalars[static_cast<size_t>(scalar)].name);
}

}  // namespace pallasgen
