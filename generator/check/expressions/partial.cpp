#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "expression/index_map.h"
#include "expressions/calls.h"

namespace pallasgen {

namespace {

// The ref of which a value is a view or cast, and the ref's dim along which the value's axis runs; -1 if it may be
// several.
struct View {
  int ref = -1;
  int dim = -1;
  std::optional<IndexSlice> slice;  // part of that dim, unless it is whole
};

std::optional<View> view_of(const Context& context, const TypedPtr& value, int64_t axis);

std::optional<View> view_of_items(const std::vector<IndexItem>& items, int64_t axis, int& dim,
                                  std::optional<IndexSlice>& slice) {
  int64_t result = 0;
  dim = 0;
  for (const IndexItem& item : items) {
    const bool takes = !std::holds_alternative<IndexNewAxis>(item), gives = !std::holds_alternative<IndexInteger>(item);
    if (gives && result == axis) {
      if (!takes || std::holds_alternative<IndexGather>(item)) return std::nullopt;
      slice = std::get<IndexSlice>(item);
      return View{};
    }
    dim += takes;
    result += gives;
  }
  return std::nullopt;
}

std::optional<View> view_of(const Context& context, const TypedPtr& value, int64_t axis) {
  if (const RefRead* read = value->as<RefRead>()) {
    if (read->mask || read->other) return std::nullopt;
    View out;
    std::optional<IndexSlice> slice;
    if (!view_of_items(read->index, axis, out.dim, slice)) return std::nullopt;
    out.ref = read->ref;
    out.slice = slice;
    return out;
  }
  if (const LocalUse* local = value->as<LocalUse>()) {
    if (local->id < 0 || local->id >= static_cast<int>(context.values_of_locals.size())) return std::nullopt;
    const TypedPtr* bound = context.values_of_locals[local->id].as<TypedPtr>();
    return bound && *bound && (*bound)->shape == value->shape ? view_of(context, *bound, axis) : std::nullopt;
  }
  const Apply* node = value->as<Apply>();
  if (!node || node->args.empty()) return std::nullopt;
  if (operation(node->op).group == OpGroup::cast) return view_of(context, node->args[0], axis);
  if (node->op == Op::slice) {
    int dim = 0;
    std::optional<IndexSlice> slice;
    if (!view_of_items(node->attributes.items, axis, dim, slice)) return std::nullopt;
    std::optional<View> out = view_of(context, node->args[0], dim);
    if (out && slice && (slice->size != node->args[0]->shape[dim] || constant_value(slice->start) != 0)) {
      if (out->slice && constant_value(out->slice->start) != 0) return out;
      out->slice = slice;
    }
    return out;
  }
  const std::optional<IndexMap> map = index_map(*value);
  if (!map || map->operand.empty()) return std::nullopt;  // a computed operand is the author's responsibility
  if (const int own = map->operand_dim(static_cast<size_t>(axis)); own >= 0)
    return view_of(context, node->args[0], own);
  std::optional<View> any = map->is_dimwise() ? std::nullopt : view_of(context, node->args[0], 0);
  if (any) any->dim = -1;
  return any;
}

// True if a block of the ref may hang over the end of its array along a dim, so that some of the first `used` elements
// of the block lie outside.
bool may_be_partial(const Kernel& kernel, const BlockDim& dim, const TypedPtr& extent, int64_t used) {
  const SymbolFacts facts = kernel.facts();
  switch (dim.kind) {
    case BlockKind::whole:
    case BlockKind::squeezed:
      return false;
    case BlockKind::bounded_slice: {
      const Bounds size = bounds(dim.slice_size, facts);
      if (!size.minimum || *size.minimum < used) return true;
      const Bounds start = bounds(dim.index, facts), array = bounds(extent, facts);
      return !(start.minimum && *start.minimum >= 0 && start.maximum && array.minimum &&
               *start.maximum + used <= *array.minimum);
    }
    case BlockKind::element: {
      const Bounds start = bounds(dim.index, facts), array = bounds(extent, facts);
      return !(start.minimum && *start.minimum >= dim.low && start.maximum && array.minimum &&
               *start.maximum - dim.low + used <= *array.minimum);
    }
    case BlockKind::blocked: {
      const Bounds array = bounds(extent, facts), index = bounds(dim.index, facts);
      if (array.minimum && index.maximum && index.minimum && *index.minimum >= 0) {
        int64_t end = 0;
        const bool fits =
            !__builtin_mul_overflow(*index.maximum, dim.size, &end) && !__builtin_add_overflow(end, used, &end);
        if (fits && end <= *array.minimum) return false;
      }
      // The last block that reaches inside holds extent % size elements, or all: both are multiples of the gcd.
      return used > std::gcd(multiple_of(extent, facts), dim.size);
    }
  }
  return true;
}

int array_dim(const Ref& ref, int dim) {
  for (size_t i = 0; i < ref.block.size(); ++i) {
    if (ref.block[i].kind == BlockKind::squeezed) continue;
    if (dim-- == 0) return static_cast<int>(i);
  }
  return -1;
}

bool is_zero(const Scalar& value) {
  if (const int64_t* integer = std::get_if<int64_t>(&value)) return *integer == 0;
  const double* number = std::get_if<double>(&value);
  return number && *number == 0;
}

bool is_finite(const Scalar& value) {
  const double* number = std::get_if<double>(&value);
  return !number || std::isfinite(*number);
}

}  // namespace

void check_partial(Context& context, const TypedPtr& operand, int64_t axis, Span span, Diagnostics& diagnostics,
                   PartialRule rule) {
  const bool scales = rule == PartialRule::scale;
  const std::optional<View> view = view_of(context, operand, axis);
  if (!view) return;
  const Ref& ref = context.kernel.refs[view->ref];
  if (ref.role == RefRole::scratch || (ref.fill && (scales ? is_finite(*ref.fill) : is_zero(*ref.fill)))) return;
  for (size_t i = 0; i < ref.shape.size(); ++i) {
    if (view->dim >= 0 && view->dim != static_cast<int>(i)) continue;
    const int dim = array_dim(ref, static_cast<int>(i));
    if (dim < 0) continue;
    int64_t used = ref.block[dim].size;
    if (view->slice) {
      const std::optional<int64_t> start = constant_value(view->slice->start);
      if (start && view->slice->size > 0) used = *start + (view->slice->size - 1) * view->slice->step + 1;
    }
    if (!may_be_partial(context.kernel, ref.block[dim], ref.array_shape[dim], used)) continue;
    const std::string extent = to_string(ref.array_shape[dim]), size = to_string(ref.block[dim].size_expr);
    Diagnostic& out = diagnostics.error(kDotPartialContraction, span,
                                        fmt::format("dot {} axis {} of '{}', whose block of {} may hang "
                                                    "over the end of {}: what it reads there is {}",
                                                    scales ? "scales by" : "contracts over", i, ref.name, size, extent,
                                                    !ref.fill ? "unspecified"
                                                    : scales  ? "not finite"
                                                              : "not 0"));
    out.note(ref.span, scales ? fmt::format("give '{}' fill: 1", ref.name)
                              : fmt::format("give '{0}' fill: 0, or multiply where(valid({0}), {0}, 0)", ref.name));
    if (ref.array_shape[dim]->as<Symbol>() && ref.block[dim].kind == BlockKind::blocked) {
      out.note(ref.block[dim].span, fmt::format("or declare {}: {{multiple_of: {}}}, so that every block is whole",
                                                extent, ref.block[dim].size));
    }
    return;
  }
}

}  // namespace pallasgen
