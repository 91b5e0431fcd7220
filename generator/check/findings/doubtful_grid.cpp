// Warnings about grids that do not fit the arrays whose blocks they count; only the sizes of a launch decide.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "check/aliases.h"
#include "findings/findings.h"
#include "kernel/programs.h"

namespace pallasgen {

namespace {

constexpr int64_t kMostLaunchPoints = 4096, kMostBlocks = 1 << 16;

const Symbol* symbol_of(const TypedPtr& expr, SymbolKind kind) {
  const Symbol* symbol = expr ? expr->as<Symbol>() : nullptr;
  return symbol && symbol->kind == kind ? symbol : nullptr;
}

// The dim that a size such as `M` or `cdiv(M, bm)` counts along; null for other sizes.
const Symbol* counted_dim(const TypedPtr& size) {
  const Apply* divided = size->applies(Op::cdiv);
  return symbol_of(divided ? divided->args[0] : size, SymbolKind::dim);
}

void report_other_dim(Context& context, const Axis& axis, const Symbol& counted, const Ref& ref, const BlockDim& dim,
                      const TypedPtr& extent) {
  const Symbol* other = symbol_of(extent, SymbolKind::dim);
  const std::string wanted = to_string(extent);
  Diagnostic& out = context.diagnostics.warning(
      kAxisDim, dim.index->span.source ? dim.index->span : ref.index_map_span,
      fmt::format(
          "the axis '{}' goes over {}, and its blocks of '{}' lie along {}: where {} is smaller some lie outside, "
          "where it is larger some elements have no program",
          axis.name, counted.name, ref.name, wanted, wanted));
  out.note(
      axis.span,
      fmt::format("size the axis by {}{}", wanted,
                  other ? fmt::format(", or write {} in both places, if they are always equal", counted.name) : ""));
}

bool is_counted(const Kernel& kernel, int dim) {
  return std::any_of(kernel.axes.begin(), kernel.axes.end(), [&](const Axis& axis) {
    const Symbol* counted = counted_dim(axis.size);
    return counted && counted->id == dim;
  });
}

// Warns about axes that are sized by one dim and index another. An input may be longer than the grid covers, so that
// its rest is not read, unless another axis covers its dim: then the two are likely mixed up.
void check_axis_dims(Context& context) {
  const Kernel& kernel = context.kernel;
  for (const Ref& ref : kernel.refs) {
    if (ref.role == RefRole::scratch) continue;
    for (size_t i = 0; i < ref.block.size(); ++i) {
      const Symbol* symbol = symbol_of(ref.block[i].index, SymbolKind::axis);
      if (!symbol) continue;
      const Axis& axis = kernel.axes[symbol->id];
      const Symbol* counted = counted_dim(axis.size);
      bool mixed = false, same = false;
      walk(ref.array_shape[i], [&](const Typed& node) {
        const Symbol* dim = node.as<Symbol>();
        if (!dim || dim->kind != SymbolKind::dim) return;
        mixed = mixed || ref.role == RefRole::output || is_counted(kernel, dim->id);
        same = same || (counted && dim->id == counted->id);
      });
      if (counted && mixed && !same) report_other_dim(context, axis, *counted, ref, ref.block[i], ref.array_shape[i]);
    }
  }
}

// The dim and the constant of a `size` that divides one by the other, such as `cdiv(M, bm)`; none for other sizes.
struct Counted {
  const Symbol* dim;
  int64_t block;
};
std::optional<Counted> counted_by(const TypedPtr& size, Op op) {
  const Apply* divided = size->applies(op);
  const Symbol* dim = divided ? symbol_of(divided->args[0], SymbolKind::dim) : nullptr;
  const std::optional<int64_t> block = dim ? constant_value(divided->args[1]) : std::nullopt;
  return block ? std::optional(Counted{dim, *block}) : std::nullopt;
}

// The axis of an index such as `m * bm` or `bm * m` with the block's size `bm`; null for other indices.
const Symbol* axis_in_elements(const BlockDim& dim) {
  const Apply* product = dim.kind == BlockKind::blocked && dim.size > 1 ? dim.index->applies(Op::multiply) : nullptr;
  if (!product) return nullptr;
  for (const size_t i : {0, 1}) {
    const Symbol* axis = symbol_of(product->args[i], SymbolKind::axis);
    if (axis && constant_value(product->args[1 - i]) == dim.size) return axis;
  }
  return nullptr;
}

// Warns about an axis that counts blocks and is multiplied by their size: that is the first element of the block, as in
// CUDA and Triton, but an index map gives the block's number.
void check_element_indices(Context& context) {
  const Kernel& kernel = context.kernel;
  for (const Ref& ref : kernel.refs) {
    if (ref.role == RefRole::scratch) continue;
    for (const BlockDim& dim : ref.block) {
      const Symbol* axis = dim.index ? axis_in_elements(dim) : nullptr;
      const std::optional<Counted> counted =
          axis ? counted_by(kernel.axes[axis->id].size, Op::cdiv) : std::optional<Counted>();
      if (!counted || counted->block != dim.size) continue;
      context.diagnostics
          .warning(kElementIndex, dim.index->span.source ? dim.index->span : ref.index_map_span,
                   fmt::format("the index map of '{}' gives the number of a block, and {} is that of an element: block "
                               "{} begins at element {} * {}",
                               ref.name, to_string(dim.index), to_string(dim.index), to_string(dim.index), dim.size))
          .note(fmt::format("write {}, or begin the block at an element, by element({}) in `block`", axis->name,
                            dim.size));
    }
  }
}

bool is_unreached_candidate(const Ref& ref) {
  return ref.role == RefRole::output && !is_view(ref) && !ref.init && !ref.alias_of;
}

// True if unreached blocks of an output will show that the axis is too short.
bool counts_for_output(const Kernel& kernel, int axis) {
  return std::any_of(kernel.refs.begin(), kernel.refs.end(), [&](const Ref& ref) {
    return is_unreached_candidate(ref) && std::any_of(ref.block.begin(), ref.block.end(), [&](const BlockDim& dim) {
             const Symbol* symbol = symbol_of(dim.index, SymbolKind::axis);
             return symbol && symbol->id == axis;
           });
  });
}

std::string rounded_up(const Symbol& dim, int64_t block) {
  return fmt::format("size the axis by cdiv({0}, {1}), or declare {0}: {{multiple_of: {1}}}", dim.name, block);
}

// Warns about inputs along an axis of `K // bk`: the end of a K that is no multiple of bk is not read.
void check_unread(Context& context) {
  const Kernel& kernel = context.kernel;
  for (const Ref& ref : kernel.refs) {
    for (size_t i = 0; i < ref.block.size() && ref.role == RefRole::input; ++i) {
      const BlockDim& dim = ref.block[i];
      const Symbol* symbol = symbol_of(dim.index, SymbolKind::axis);
      const Symbol* extent = symbol_of(ref.array_shape[i], SymbolKind::dim);
      if (!symbol || !extent || dim.kind != BlockKind::blocked || counts_for_output(kernel, symbol->id)) continue;
      const Axis& axis = kernel.axes[symbol->id];
      const std::optional<Counted> counted = counted_by(axis.size, Op::floor_divide);
      if (!counted || counted->block != dim.size || counted->dim->id != extent->id ||
          std::max<int64_t>(kernel.dims[extent->id].multiple_of, 1) % dim.size == 0)
        continue;
      context.diagnostics
          .warning(kUnreachedBlock, dim.index->span.source ? dim.index->span : ref.index_map_span,
                   fmt::format("the axis '{0}' has {1} of the blocks of '{2}': no program reads the rest of {3}, where "
                               "it is no multiple of {4}",
                               axis.name, to_string(axis.size), ref.name, extent->name, dim.size))
          .note(axis.span, rounded_up(*extent, dim.size));
    }
  }
}

// A small launch, whose dims give each array two blocks along each dim; the second one hangs over the end.
class SmallLaunch {
 public:
  explicit SmallLaunch(const Kernel& kernel) : kernel_(kernel) {
    for (const Dim& dim : kernel.dims) sizes_.push_back(size_of(dim));
  }

  // The dims as text: "M = 17, N = 33".
  std::string text() const {
    std::string out;
    for (size_t i = 0; i < sizes_.size(); ++i)
      out += fmt::format("{}{} = {}", i == 0 ? "" : ", ", kernel_.dims[i].name, sizes_[i]);
    return out;
  }

  // None if the value depends on scalars or data.
  std::optional<int64_t> value(const TypedPtr& expr, const GridPoint& point) const {
    return value_at(kernel_, expr, point, [&](const Symbol& symbol) -> std::optional<int64_t> {
      return symbol.kind == SymbolKind::dim ? std::optional(sizes_[symbol.id]) : std::nullopt;
    });
  }

  // All points that are not skipped; none if they are too many or unknown. A program without steps, which runs its
  // guards of the first and the last step, is a point with -1 for its sequential axes.
  std::optional<std::vector<GridPoint>> points() const {
    std::vector<GridPoint> out;
    GridPoint point(kernel_.axes.size(), -1);
    int64_t budget = kMostLaunchPoints;
    return add_points(0, point, budget, out) ? std::optional(std::move(out)) : std::nullopt;
  }

 private:
  int64_t size_of(const Dim& dim) const {
    int64_t block = 1;
    for (const Ref& ref : kernel_.refs) {
      for (size_t i = 0; i < ref.block.size() && ref.role != RefRole::scratch; ++i) {
        const Symbol* extent = symbol_of(ref.array_shape[i], SymbolKind::dim);
        if (extent && extent->name == dim.name) block = std::max(block, ref.block[i].size);
      }
    }
    const int64_t unit = std::max<int64_t>(dim.multiple_of, 1);
    const auto rounded = [&](int64_t size) { return (size + unit - 1) / unit * unit; };
    const int64_t size = rounded(std::max(block + 1, dim.min));
    return dim.max ? std::min(size, *dim.max / unit * unit) : size;
  }

  bool add_points(size_t axis, GridPoint& point, int64_t& budget, std::vector<GridPoint>& out) const {
    if (axis == kernel_.axes.size()) {
      const std::optional<int64_t> skipped = kernel_.skip ? value(kernel_.skip, point) : 0;
      if (skipped == 0) out.push_back(point);
      return skipped && --budget >= 0;
    }
    const std::optional<int64_t> size = value(kernel_.axes[axis].size, point);
    if (!size || *size > budget) return false;
    if (*size == 0 && kernel_.axes[axis].sequential) return add_points(kernel_.axes.size(), point, budget, out);
    for (int64_t i = 0; i < *size; ++i) {
      point[axis] = i;
      if (!add_points(axis + 1, point, budget, out)) return false;
    }
    point[axis] = -1;
    return true;
  }

  const Kernel& kernel_;
  std::vector<int64_t> sizes_;
};

// The number of blocks of an output along each dim; none if its blocks are not in rows.
std::optional<std::vector<int64_t>> block_counts(const Ref& ref, const SmallLaunch& launch) {
  std::vector<int64_t> counts;
  int64_t all = 1;
  for (size_t i = 0; i < ref.block.size(); ++i) {
    const BlockDim& dim = ref.block[i];
    const std::optional<int64_t> extent = launch.value(ref.array_shape[i], {});
    const bool in_rows = dim.kind == BlockKind::blocked || dim.kind == BlockKind::squeezed;
    if (!extent || *extent < 1 || dim.size < 1 || !in_rows) return std::nullopt;
    counts.push_back((*extent + dim.size - 1) / dim.size);
    if (counts.back() > kMostBlocks / all) return std::nullopt;
    all *= counts.back();
  }
  return counts;
}

// The first block that no point has; none if there is no such block, or if it depends on data.
std::optional<std::vector<int64_t>> block_without_program(const Ref& ref, const std::vector<int64_t>& counts,
                                                          const SmallLaunch& launch,
                                                          const std::vector<GridPoint>& points) {
  std::vector<bool> reached(std::accumulate(counts.begin(), counts.end(), int64_t{1}, std::multiplies<>()));
  for (const GridPoint& point : points) {
    int64_t block = 0;
    bool inside = true;
    for (size_t i = 0; i < counts.size(); ++i) {
      const std::optional<int64_t> index = launch.value(ref.block[i].index, point);
      if (!index && std::find(point.begin(), point.end(), -1) == point.end()) return std::nullopt;
      inside = inside && index && *index >= 0 && *index < counts[i];
      block = block * counts[i] + index.value_or(0);
    }
    if (inside) reached[block] = true;
  }
  const auto left = std::find(reached.begin(), reached.end(), false);
  if (left == reached.end()) return std::nullopt;
  std::vector<int64_t> block(counts.size());
  int64_t rest = left - reached.begin();
  for (size_t i = counts.size(); i-- > 0; rest /= counts[i]) block[i] = rest % counts[i];
  return block;
}

// Warns about blocks of outputs that no program writes, if a small launch has one.
void check_unreached(Context& context) {
  const Kernel& kernel = context.kernel;
  const SmallLaunch launch(kernel);
  std::optional<std::vector<GridPoint>> points;
  for (const Ref& ref : kernel.refs) {
    if (!is_unreached_candidate(ref)) continue;
    const auto counts = block_counts(ref, launch);
    if (!counts || counts->empty()) continue;
    if (!points) points = launch.points();
    if (!points || points->empty()) return;
    const auto block = block_without_program(ref, *counts, launch, *points);
    if (!block) continue;
    const std::string where = launch.text();
    Diagnostic& out = context.diagnostics.warning(
        kUnreachedBlock, ref.index_map_span.source ? ref.index_map_span : ref.span,
        fmt::format("no program writes block [{}] of '{}'{}: its elements stay undefined", fmt::join(*block, ", "),
                    ref.name, where.empty() ? "" : fmt::format(", for instance where {}", where)));
    out.note(ref.span, fmt::format("'{}' has [{}] blocks there; each is wanted from a point of the grid, or the output "
                                   "gets `init`",
                                   ref.name, fmt::join(*counts, ", ")));
    for (const BlockDim& dim : ref.block) {
      const Symbol* symbol = symbol_of(dim.index, SymbolKind::axis);
      if (!symbol) continue;
      const Axis& axis = kernel.axes[symbol->id];
      const std::optional<Counted> counted = counted_by(axis.size, Op::floor_divide);
      if (counted && counted->block == dim.size) out.note(axis.span, rounded_up(*counted->dim, dim.size));
    }
  }
}

}  // namespace

void check_doubtful_grid(Context& context) {
  check_axis_dims(context);
  check_element_indices(context);
  check_unread(context);
  check_unreached(context);
}

}  // namespace pallasgen
