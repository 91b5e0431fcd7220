#include "fragments/values.h"

#include <fmt/format.h>

#include "expression/index_map.h"
#include "plan/rules.h"
#include "program/index_terms.h"
#include "proofs/element_indexing.h"
#include "questions/rows.h"

namespace pallasgen {

namespace {

class ElementWriter {
 public:
  ElementWriter(ElementContext& context, ElementValue& out) : context_(context), out_(out) {}

  TypedPtr write(const TypedPtr& node, const std::vector<int>& dims) {
    if (node->as<LocalUse>() || node->as<RefRead>()) return write(context_.leaf(node, dims), node, dims);
    const Apply* apply = node->as<Apply>();
    if (apply && context_.reduction && takes_lines(*apply)) return write(context_.reduction(node), node, dims);
    if (apply && context_.inside && apply->op == Op::valid) return valid(node, apply->attributes.ref, dims);
    const ElementOperands operands{[&](const TypedPtr& operand, const IndexMap& map) {
                                     if (!map.is_dimwise() || !map.takes_all()) return refuse(node);
                                     std::vector<int> along;
                                     for (const int from : map.result_dims())
                                       along.push_back(from < 0 ? -1 : dims[static_cast<size_t>(from)]);
                                     return write(operand, along);
                                   },
                                   [&](size_t dim) { return index_along(node, dims[dim]); }};
    const std::optional<TypedPtr> made = element_by_operands(node, operands);
    return made ? *made : refuse(node);
  }

 private:
  TypedPtr bind(const BoundLeaf& bound, const TypedPtr& node, DType dtype) {
    for (size_t i = 0; i < out_.bindings.size(); ++i) {
      const program::Binding& other = out_.bindings[i];
      if (other.kind == bound.binding.kind && other.fragment == bound.binding.fragment &&
          other.scalar == bound.binding.scalar && other.dim == bound.binding.dim &&
          other.field == bound.binding.field) {
        return make_typed(node->span, dtype, {}, LocalUse{static_cast<int>(i), bound.name});
      }
    }
    out_.bindings.push_back(bound.binding);
    return make_typed(node->span, dtype, {}, LocalUse{static_cast<int>(out_.bindings.size()) - 1, bound.name});
  }

  TypedPtr write(const std::optional<Leaf>& found, const TypedPtr& node, const std::vector<int>& dims) {
    if (!found) return nullptr;
    if (const TypedPtr* inlined = std::get_if<TypedPtr>(&*found)) return write(*inlined, dims);
    BoundLeaf bound = std::get<BoundLeaf>(*found);
    if (bound.binding.kind == program::SlotKind::shared) {
      for (int dim : dims) bound.binding.index.push_back(index_along(node, dim));
    }
    return bind(bound, node, node->dtype);
  }

  TypedPtr refuse(const TypedPtr& node) {
    const Apply* apply = node->as<Apply>();
    context_.draft
        .refuse(kPlanBody, node->span,
                fmt::format("'{}' is not planned yet", apply ? operation(apply->op).name : to_string(node)))
        .note(
            "planned are elementwise operations, casts, random bits, iota, full, broadcasting and transposes of "
            "values");
    return nullptr;
  }

  TypedPtr index_along(const TypedPtr& node, int dim) {
    return dim < 0 ? index_constant(0) : bind(context_.coordinate(dim), node, DType::index);
  }

  // Writes the condition with variables, then replaces these by the loop's coordinates.
  TypedPtr valid(const TypedPtr& node, int ref, const std::vector<int>& dims) {
    std::vector<TypedPtr> at;
    for (int dim : dims) at.push_back(dim < 0 ? index_constant(0) : variable(fmt::format("at {}", dim)));
    return substitute(context_.inside(ref, at), [&](const Symbol& symbol) -> TypedPtr {
      for (int dim : dims) {
        if (dim >= 0 && symbol.kind == SymbolKind::loop && symbol.name == fmt::format("at {}", dim))
          return index_along(node, dim);
      }
      return nullptr;
    });
  }

  ElementContext& context_;
  ElementValue& out_;
};

}  // namespace

std::optional<ElementValue> element_value(const TypedPtr& value, const std::vector<int>& dims,
                                          ElementContext& context) {
  ElementValue out;
  out.value = ElementWriter(context, out).write(value, dims);
  if (!out.value) return std::nullopt;
  return out;
}

}  // namespace pallasgen
