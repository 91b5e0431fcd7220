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
    if (node->as<Constant>() || node->as<Symbol>()) return node;
    if (node->as<LocalUse>() || node->as<RefRead>()) return leaf(node, dims);
    if (const CallFunction* call = node->as<CallFunction>()) {
      std::vector<TypedPtr> args;
      if (!write_all(node, call->args, dims, args)) return nullptr;
      return scalar(node, CallFunction{call->function, std::move(args)});
    }
    return apply(node, *node->as<Apply>(), dims);
  }

 private:
  TypedPtr scalar(const TypedPtr& node, Typed::Node content) {
    return make_typed(node->span, node->dtype, {}, std::move(content));
  }

  bool write_all(const TypedPtr& node, const std::vector<TypedPtr>& operands, const std::vector<int>& dims,
                 std::vector<TypedPtr>& written) {
    for (const TypedPtr& operand : operands) {
      TypedPtr result = write(operand, operand_dims(broadcast_map(operand->shape, node->shape), dims));
      if (!result) return false;
      written.push_back(std::move(result));
    }
    return true;
  }

  // The loop's dims along which dims of an operand run, for those of the result.
  static std::vector<int> operand_dims(const IndexMap& map, const std::vector<int>& dims) {
    std::vector<int> mapped;
    for (const int from : map.result_dims()) mapped.push_back(from < 0 ? -1 : dims[static_cast<size_t>(from)]);
    return mapped;
  }

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

  TypedPtr leaf(const TypedPtr& node, const std::vector<int>& dims) {
    return write(context_.leaf(node, dims), node, dims);
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

  TypedPtr refuse(const TypedPtr& node, const std::string& what) {
    context_.draft.refuse(kPlanBody, node->span, what + " is not planned yet")
        .note(
            "planned are elementwise operations, casts, random bits, iota, full, broadcasting and transposes of "
            "values");
    return nullptr;
  }

  TypedPtr apply(const TypedPtr& node, const Apply& apply, const std::vector<int>& dims) {
    const OpAttributes& attributes = apply.attributes;
    if (context_.reduction && takes_lines(apply)) return write(context_.reduction(node), node, dims);
    const std::optional<IndexMap> map = index_map(*node);
    if (map && map->is_dimwise() && map->takes_all()) return write(apply.args[0], operand_dims(*map, dims));
    switch (apply.op) {
      case Op::iota:
        return scalar(node, Apply{Op::cast, {index_along(node, dims[attributes.axes.at(0)])}, {}});
      case Op::random_bits:
        return random_bits(node, apply, dims);
      case Op::valid:
        if (!context_.inside) break;
        return valid(node, attributes.ref, dims);
      default:
        break;
    }
    const OpGroup group = operation(apply.op).group;
    if (group != OpGroup::elementwise && group != OpGroup::cast && group != OpGroup::scalars)
      return refuse(node, fmt::format("'{}'", operation(apply.op).name));
    std::vector<TypedPtr> args;
    if (!write_all(node, apply.args, dims, args)) return nullptr;
    return scalar(node, Apply{apply.op, std::move(args), attributes});
  }

  TypedPtr index_along(const TypedPtr& node, int dim) {
    return dim < 0 ? index_constant(0) : bind(context_.coordinate(dim), node, DType::index);
  }

  TypedPtr random_bits(const TypedPtr& node, const Apply& apply, const std::vector<int>& dims) {
    std::vector<TypedPtr> args;
    if (!write_all(node, apply.args, dims, args)) return nullptr;
    Coordinates at;
    for (int dim : dims) at.push_back(index_along(node, dim));
    args.push_back(row_major_place(node->shape, at));
    return scalar(node, Apply{apply.op, std::move(args), {}});
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
