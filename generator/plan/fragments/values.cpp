#include "fragments/values.h"

#include <fmt/format.h>

#include <algorithm>

#include "infer/edges.h"
#include "plan/rules.h"
#include "program/index_terms.h"
#include "proofs/element_indexing.h"

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
      TypedPtr result = write(operand, operand_dims(operand->shape, node->shape, dims));
      if (!result) return false;
      written.push_back(std::move(result));
    }
    return true;
  }

  // Trailing dims of operand and result align; a dim of size 1 that is stretched runs along none.
  static std::vector<int> operand_dims(const Shape& operand, const Shape& result, const std::vector<int>& dims) {
    std::vector<int> mapped(operand.size());
    for (size_t i = 0; i < operand.size(); ++i) {
      const size_t j = i + result.size() - operand.size();
      mapped[i] = operand[i] == 1 && result[j] != 1 ? -1 : dims[j];
    }
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
    switch (apply.op) {
      case Op::expand_dims: {
        std::vector<int> inner;
        for (size_t i = 0; i < dims.size(); ++i) {
          if (std::find(attributes.axes.begin(), attributes.axes.end(), static_cast<int64_t>(i)) ==
              attributes.axes.end())
            inner.push_back(dims[i]);
        }
        return write(apply.args[0], inner);
      }
      case Op::squeeze: {
        std::vector<int> inner = dims;
        std::vector<int64_t> axes = attributes.axes;
        std::sort(axes.begin(), axes.end());
        for (int64_t axis : axes) inner.insert(inner.begin() + axis, -1);
        return write(apply.args[0], inner);
      }
      case Op::transpose: {
        std::vector<int> inner(dims.size());
        for (size_t i = 0; i < dims.size(); ++i)
          inner[attributes.axes.empty() ? dims.size() - 1 - i : attributes.axes[i]] = dims[i];
        return write(apply.args[0], inner);
      }
      case Op::broadcast_to:
        return write(apply.args[0], operand_dims(apply.args[0]->shape, node->shape, dims));
      case Op::full:
        return write(apply.args.back(), {});
      case Op::iota:
        return scalar(node, Apply{Op::cast, {index_along(node, dims[attributes.axes.at(0)])}, {}});
      case Op::random_bits:
        return random_bits(node, apply, dims);
      case Op::valid:
        if (!context_.inside) break;
        return valid(node, attributes.ref, dims);
      case Op::reshape:
        return reshape(node, apply, dims);
      case Op::slice:
        if (picked_column(apply) && context_.reduction) return write(context_.reduction(node), node, dims);
        return slice(node, apply, dims);
      default:
        break;
    }
    const OpGroup group = operation(apply.op).group;
    if (group == OpGroup::reduce && context_.reduction) return write(context_.reduction(node), node, dims);
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

  // A reshape may add and drop dims of size 1, which moves no element.
  TypedPtr reshape(const TypedPtr& node, const Apply& apply, const std::vector<int>& dims) {
    const Shape& from = apply.args[0]->shape;
    std::vector<int> kept;
    Shape kept_shape;
    for (size_t i = 0; i < dims.size(); ++i) {
      if (node->shape[i] != 1) kept.push_back(dims[i]), kept_shape.push_back(node->shape[i]);
    }
    std::vector<int> inner;
    Shape from_kept;
    for (int64_t size : from) {
      if (size != 1) from_kept.push_back(size);
    }
    if (from_kept != kept_shape) return refuse(node, "a reshape that moves elements");
    size_t next = 0;
    for (int64_t size : from) inner.push_back(size == 1 ? -1 : kept[next++]);
    return write(apply.args[0], inner);
  }

  TypedPtr slice(const TypedPtr& node, const Apply& apply, const std::vector<int>& dims) {
    const Shape& from = apply.args[0]->shape;
    std::vector<int> inner;
    size_t result = 0;
    for (const IndexItem& item : apply.attributes.items) {
      const size_t dim = inner.size();
      if (std::holds_alternative<IndexNewAxis>(item)) {
        ++result;
      } else if (const IndexInteger* integer = std::get_if<IndexInteger>(&item)) {
        if (dim >= from.size() || from[dim] != 1 || constant_value(integer->value) != 0)
          return refuse(node, "a part of a value");
        inner.push_back(-1);
      } else if (const IndexSlice* part = std::get_if<IndexSlice>(&item)) {
        if (dim >= from.size() || part->size != from[dim] || part->step != 1) return refuse(node, "a part of a value");
        inner.push_back(dims[result++]);
      } else {
        return refuse(node, "a gather from a value");
      }
    }
    return write(apply.args[0], inner);
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

std::vector<int> broadcast_dims(const Shape& shape, const Shape& block) {
  std::vector<int> dims(shape.size());
  for (size_t i = 0; i < shape.size(); ++i) {
    const size_t j = i + block.size() - shape.size();
    dims[i] = shape[i] == 1 && block[j] != 1 ? -1 : static_cast<int>(j);
  }
  return dims;
}

}  // namespace pallasgen
