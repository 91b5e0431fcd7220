#include <algorithm>

#include "layout_parts.h"

namespace pallasgen {

namespace {

// Dims after `axis` move up by one where it goes.
void drop_source(std::vector<TracedPart>& parts, int axis) {
  for (TracedPart& part : parts) {
    if (part.source > axis) --part.source;
  }
}

std::vector<int64_t> without(std::vector<int64_t> shape, int axis) {
  shape.erase(shape.begin() + axis);
  return shape;
}

bool has_axis(const ValueLayout& layout, int axis) {
  return !layout.flat && axis >= 0 && axis < static_cast<int>(layout.shape.size());
}

}  // namespace

std::optional<Reduced> reduce_layout(const ValueLayout& layout, int axis) {
  if (!has_axis(layout, axis)) return std::nullopt;
  Reduced reduced;
  std::vector<TracedPart> kept;
  for (TracedPart part : traced_parts(layout)) {
    if (part.source != axis || part.size == 1) {
      if (part.source != axis) kept.push_back(part);
      continue;
    }
    if (part.holder == Holder::reg) {
      reduced.folded_registers *= part.size;
      continue;
    }
    if (std::find(reduced.across.begin(), reduced.across.end(), part.holder) == reduced.across.end())
      reduced.across.push_back(part.holder);
    if (part.holder == Holder::lane) reduced.across_lanes *= part.size;
    kept.push_back({part.holder, -1, 0, part.size});
  }
  drop_source(kept, axis);
  reduced.layout = layout_of_parts(layout.name, without(layout.shape, axis), kept);
  return reduced;
}

std::optional<ValueLayout> slice_layout(const ValueLayout& layout, int axis) {
  std::optional<Reduced> reduced = reduce_layout(layout, axis);
  if (!reduced) return std::nullopt;
  return std::move(reduced->layout);
}

std::optional<ValueLayout> window_layout(const ValueLayout& layout, int axis, int64_t start, int64_t size) {
  if (!has_axis(layout, axis) || size <= 0 || start < 0 || start + size > layout.shape[axis]) return std::nullopt;
  std::vector<TracedPart> parts = traced_parts(layout);
  // The window must be a range of the outermost part along the axis, and that part must be registers.
  TracedPart* outer = nullptr;
  for (TracedPart& part : parts) {
    if (part.source == axis && part.size > 1 && (!outer || part.stride > outer->stride)) outer = &part;
  }
  if (!outer) return size == layout.shape[axis] ? std::optional(layout) : std::nullopt;
  const bool whole = size == layout.shape[axis];
  if (!whole && (outer->holder != Holder::reg || start % outer->stride != 0 || size % outer->stride != 0))
    return std::nullopt;
  outer->size = (size + outer->stride - 1) / outer->stride;
  std::vector<int64_t> shape = layout.shape;
  shape[axis] = size;
  return layout_of_parts(layout.name, std::move(shape), parts);
}

std::optional<ValueLayout> transpose_layout(const ValueLayout& layout) {
  if (layout.flat || layout.shape.size() != 2) return std::nullopt;
  std::vector<TracedPart> parts = traced_parts(layout);
  for (TracedPart& part : parts) {
    if (part.source >= 0) part.source = 1 - part.source;
  }
  return layout_of_parts(layout.name, {layout.shape[1], layout.shape[0]}, parts);
}

}  // namespace pallasgen
