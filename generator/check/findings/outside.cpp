#include <fmt/format.h>

#include "findings/findings.h"
#include "kernel/programs.h"

namespace pallasgen {

namespace {

constexpr int64_t kMostCertainPoints = 16384;

// The note with the range in which an entry of the index map stays inside.
std::string remedy(const BlockDim& dim, int64_t extent) {
  if (dim.kind == BlockKind::element) return fmt::format("offsets from 0 to {} touch the array", extent + dim.low - 1);
  if (dim.kind == BlockKind::blocked || dim.kind == BlockKind::whole)
    return fmt::format("the array has {} blocks: 0 to {}", (extent + dim.size - 1) / dim.size, (extent - 1) / dim.size);
  return fmt::format("0 to {} are inside", extent - 1);
}

}  // namespace

// Reports a block that lies wholly outside its array in every launch.
void check_outside(Context& context) {
  const Kernel& kernel = context.kernel;
  const std::optional<GridSample> sample = certain_grid(kernel, kMostCertainPoints);
  if (!sample) return;
  for (const Ref& ref : kernel.refs) {
    if (ref.role == RefRole::scratch) continue;
    bool found = false;
    for_each_point(*sample, [&](const GridPoint& point) {
      if (exists(kernel, point) != true) return true;
      const std::optional<BlockRange> range = block_at(kernel, ref, point);
      if (!range) return true;
      for (size_t dim = 0; dim < range->size() && !found; ++dim) {
        const std::optional<int64_t> extent = value_at(kernel, ref.array_shape[dim], point);
        const Extent& covered = (*range)[dim];
        if (extent == 0 || covered.begin == covered.end) continue;
        const bool before = covered.end <= 0, after = extent && covered.begin >= *extent;
        if (!before && !after) continue;
        found = true;
        const Span span = ref.block[dim].index->span.source ? ref.block[dim].index->span : ref.index_map_span;
        const std::string place =
            kernel.axes.empty() ? "the program" : fmt::format("grid point ({})", fmt::join(point, ", "));
        Diagnostic& out = context.diagnostics.error(
            kBlockOutside, span,
            fmt::format("at {}, the block {} lies wholly outside '{}', which {} along axis {}", place,
                        block_text(ref, *range), ref.name,
                        extent ? fmt::format("has {} elements", *extent) : "begins at 0", dim));
        if (extent) out.note(remedy(ref.block[dim], *extent));
      }
      return !found;
    });
  }
}

}  // namespace pallasgen
