#include "layout/derive.h"

#include <algorithm>
#include <numeric>

#include "layout/warps.h"
#include "parts.h"

namespace pallasgen {

namespace {

bool has_axis(const ValueLayout& layout, int axis) {
  return !layout.flat && axis >= 0 && axis < static_cast<int>(layout.shape.size());
}

// The layout as parts of its dims, if it has such a form.
ValueLayout by_dims(const ValueLayout& layout) { return layout.flat ? canonical(layout) : layout; }

// Removes the dim: its registers are dropped, its other holders become `instead`. Warpgroups with neighbouring columns,
// whose warps do not share the dim, each continue the others' reduction and so all have its result.
std::optional<ValueLayout> without_axis(const ValueLayout& given, int axis, int instead) {
  const ValueLayout layout = by_dims(given);
  if (!has_axis(layout, axis)) return std::nullopt;
  std::vector<TracedPart> kept;
  const std::vector<TracedPart> parts = traced_parts(layout);
  const bool in_turn = std::none_of(parts.begin(), parts.end(), [&](const TracedPart& part) {
    return part.source == axis && part.holder == Holder::warp && part.size > 1;
  });
  for (TracedPart part : parts) {
    if (part.source == axis) {
      const bool replicated = in_turn && part.holder == Holder::warpgroup;
      if (part.holder != Holder::reg && part.size > 1)
        kept.push_back({part.holder, replicated ? kReplicated : instead, 0, part.size});
      continue;
    }
    if (part.source > axis) --part.source;
    kept.push_back(part);
  }
  std::vector<int64_t> shape = layout.shape;
  shape.erase(shape.begin() + axis);
  return layout_of_parts(layout.name, std::move(shape), kept);
}

int64_t product(const std::vector<int64_t>& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<>());
}

}  // namespace

std::optional<ValueLayout> slice_layout(const ValueLayout& layout, int axis) {
  return without_axis(layout, axis, kReplicated);
}

std::optional<ValueLayout> folded_layout(const ValueLayout& layout, int axis) {
  return without_axis(layout, axis, kPartial);
}

std::optional<ValueLayout> broadcast_layout(const ValueLayout& given, int axis, int64_t size) {
  const ValueLayout layout = by_dims(given);
  if (layout.flat || axis < 0 || axis > static_cast<int>(layout.shape.size()) || size < 1) return std::nullopt;
  std::vector<TracedPart> parts = traced_parts(layout);
  for (TracedPart& part : parts) part.source += part.source >= axis ? 1 : 0;
  parts.insert(parts.begin(), {Holder::reg, axis, 1, size});
  std::vector<int64_t> shape = layout.shape;
  shape.insert(shape.begin() + axis, size);
  return layout_of_parts(layout.name, std::move(shape), parts);
}

std::optional<ValueLayout> transpose_layout(const ValueLayout& given, const std::vector<int>& order) {
  const ValueLayout layout = by_dims(given);
  if (layout.flat || order.size() != layout.shape.size()) return std::nullopt;
  std::vector<int64_t> shape(order.size());
  std::vector<int> place(order.size(), -1);
  for (size_t d = 0; d < order.size(); ++d) {
    if (order[d] < 0 || order[d] >= static_cast<int>(order.size()) || place[order[d]] >= 0) return std::nullopt;
    place[order[d]] = static_cast<int>(d);
    shape[d] = layout.shape[order[d]];
  }
  std::vector<TracedPart> parts = traced_parts(layout);
  for (TracedPart& part : parts) {
    if (part.source >= 0) part.source = place[part.source];
  }
  return layout_of_parts(layout.name, std::move(shape), parts);
}

std::optional<ValueLayout> reshape_layout(const ValueLayout& layout, const std::vector<int64_t>& shape) {
  const int64_t elements = product(layout.shape);
  if (product(shape) != elements) return std::nullopt;
  ValueLayout flat = canonical(layout);
  if (!flat.flat) {
    // Parts must fill all dims but the outermost, so that they count elements in row-major order.
    std::vector<TracedPart> parts = traced_parts(flat);
    int64_t inner = elements;
    bool outermost = true;
    for (size_t d = 0; d < flat.shape.size(); ++d) {
      inner /= flat.shape[d];
      int64_t filled = 1;
      for (TracedPart& part : parts) {
        if (part.source != static_cast<int>(d)) continue;
        if (part.stride < flat.shape[d]) filled *= part.size;
        part.stride *= inner;
      }
      if (!outermost && filled != flat.shape[d]) return std::nullopt;
      outermost = outermost && flat.shape[d] == 1;
    }
    for (TracedPart& part : parts) part.source = std::min(part.source, 0);
    flat = layout_of_parts(layout.name, {elements}, parts);
    flat.flat = true;
  }
  flat.shape = shape;
  return canonical(flat);
}

std::optional<ValueLayout> window_layout(const ValueLayout& given, int axis, int64_t start, int64_t size) {
  const ValueLayout layout = canonical(given);
  if (!has_axis(layout, axis) || size <= 0 || start < 0 || start + size > layout.shape[axis]) return std::nullopt;
  const int64_t asked = size;
  const std::vector<TracedPart> whole = traced_parts(layout);
  std::vector<size_t> along;  // the parts of the axis, the largest stride first
  for (size_t i = 0; i < whole.size(); ++i) {
    if (whole[i].source == axis && whole[i].size > 1 && whole[i].stride < layout.shape[axis]) along.push_back(i);
  }
  std::sort(along.begin(), along.end(), [&](size_t a, size_t b) { return whole[a].stride > whole[b].stride; });
  std::vector<TracedPart> parts = whole;
  int64_t left = layout.shape[axis];  // elements of the axis that the current part divides
  for (size_t i : along) {
    if (start == 0 && size == left) break;
    const int64_t stride = whole[i].stride;
    if (whole[i].holder != Holder::reg) return std::nullopt;
    const int64_t first = start / stride;
    if (start % stride == 0 && (size % stride == 0 || start + size == left)) {
      parts[i].size = (size + stride - 1) / stride;
      break;
    }
    if (first != (start + size - 1) / stride) return std::nullopt;
    parts[i].size = 1;
    start %= stride;
    left = std::min(left - first * stride, stride);
  }
  std::vector<int64_t> shape = layout.shape;
  shape[axis] = asked;
  return layout_of_parts(layout.name, std::move(shape), parts);
}

bool divides_rows(const ValueLayout& given) {
  const ValueLayout layout = by_dims(given);
  std::vector<TracedPart> groups;
  for (const TracedPart& part : traced_parts(layout)) {
    if (part.holder == Holder::warpgroup && part.size > 1) groups.push_back(part);
  }
  if (groups.empty()) return true;
  return groups.size() == 1 && groups[0].source == 0 && groups[0].size * groups[0].stride == layout.shape[0];
}

bool divides_rows_by_warps(const ValueLayout& given) {
  constexpr int64_t kRowsOfWarp = 16;  // PTX ISA 8.6, 9.7.15.5.2
  const ValueLayout layout = by_dims(given);
  std::vector<TracedPart> warps = traced_parts(layout);
  std::erase_if(warps, [](const TracedPart& part) { return part.holder != Holder::warp || part.size == 1; });
  return warps.size() == 1 && warps[0].source == 0 && warps[0].size == kWarpsOfGroup && warps[0].stride == kRowsOfWarp;
}

bool is_partial(const ValueLayout& layout) { return addends(layout) > 1; }

ValueLayout full_layout(const ValueLayout& layout) {
  ValueLayout full = layout;
  std::erase_if(full.parts, [](const LayoutPart& part) { return part.dim == kPartial && part.holder == Holder::reg; });
  for (LayoutPart& part : full.parts) {
    if (part.dim == kPartial) part.dim = kReplicated;
  }
  return full;
}

}  // namespace pallasgen
