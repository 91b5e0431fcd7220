#include <algorithm>
#include <numeric>

#include "parts.h"

namespace pallasgen {

namespace {

constexpr int kGroupWarps = 4;
// The source of a part all of whose indices but 0 lie outside the shape, whatever dim it was a part of.
constexpr int kOutside = -3;
constexpr int64_t kFar = int64_t{1} << 40;

// True if `slow`, the next slower part of the same holder, continues where `fast` ends.
bool continues(const TracedPart& slow, const TracedPart& fast, const std::vector<int64_t>& extents) {
  const bool reaches_end = fast.source >= 0 && fast.stride * fast.size >= extents[fast.source];
  if (slow.source == kOutside && reaches_end) return true;
  if (slow.source != fast.source) return false;
  return slow.source < 0 || slow.stride == fast.stride * fast.size;
}

// Merges the parts of one holder that form one run; both lists go from the slowest to the fastest.
std::vector<TracedPart> merged(std::vector<TracedPart> parts, const std::vector<int64_t>& extents) {
  std::vector<TracedPart> fastest_first;
  std::reverse(parts.begin(), parts.end());
  for (TracedPart part : parts) {
    if (part.size == 1) continue;
    if (part.source >= 0 && part.stride >= extents[part.source]) part = {part.holder, kOutside, 0, part.size};
    if (!fastest_first.empty() && continues(part, fastest_first.back(), extents))
      fastest_first.back().size *= part.size;
    else
      fastest_first.push_back(part);
  }
  std::reverse(fastest_first.begin(), fastest_first.end());
  return fastest_first;
}

// Cuts one part into a slower and a faster one of `fast` indices.
void cut(std::vector<TracedPart>& parts, size_t at, int64_t fast) {
  TracedPart slow = parts[at];
  slow.size /= fast;
  slow.stride *= fast;
  parts[at].size = fast;
  parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(at), slow);
}

// Makes every four neighbouring warps a warpgroup if all warps form whole warpgroups and no part straddles them.
void name_warpgroups(std::vector<TracedPart>& warps) {
  const int64_t all = std::accumulate(warps.begin(), warps.end(), int64_t{1},
                                      [](int64_t product, const TracedPart& part) { return product * part.size; });
  if (all % kGroupWarps != 0) return;
  int64_t below = 1;
  for (size_t i = warps.size(); i-- > 0;) {
    if (below == kGroupWarps) {
      for (size_t slow = 0; slow <= i; ++slow) warps[slow].holder = Holder::warpgroup;
      return;
    }
    if (below * warps[i].size > kGroupWarps) {
      const int64_t rest = kGroupWarps / below;
      if (kGroupWarps % below != 0 || warps[i].size % rest != 0) return;
      cut(warps, i, rest);
      for (size_t slow = 0; slow <= i; ++slow) warps[slow].holder = Holder::warpgroup;
      return;
    }
    below *= warps[i].size;
  }
}

std::vector<TracedPart> merged_by_holder(const std::vector<TracedPart>& parts, const std::vector<int64_t>& extents) {
  std::vector<TracedPart> all;
  for (Holder holder : {Holder::reg, Holder::lane}) {
    std::vector<TracedPart> own;
    std::copy_if(parts.begin(), parts.end(), std::back_inserter(own),
                 [&](const TracedPart& part) { return part.holder == holder; });
    own = merged(std::move(own), extents);
    all.insert(all.end(), own.begin(), own.end());
  }
  std::vector<TracedPart> warps;
  for (Holder holder : {Holder::warpgroup, Holder::warp}) {
    for (TracedPart part : parts) {
      if (part.holder != holder) continue;
      part.holder = Holder::warp;
      warps.push_back(part);
    }
  }
  warps = merged(std::move(warps), extents);
  name_warpgroups(warps);
  all.insert(all.end(), warps.begin(), warps.end());
  return all;
}

// Converts parts of a flat shape to parts of its dims; null if a part crosses the end of a dim.
std::optional<std::vector<TracedPart>> unflattened(std::vector<TracedPart> parts, const std::vector<int64_t>& shape) {
  int64_t inner = 1;  // elements of one index of dim d
  for (size_t d = shape.size(); d-- > 0;) {
    const int64_t end = inner * shape[d];
    const bool outermost = std::all_of(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(d),
                                       [](int64_t size) { return size == 1; });
    for (size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].source != 0 || parts[i].stride >= end || parts[i].stride * parts[i].size <= end || outermost)
        continue;
      if (end % parts[i].stride != 0 || parts[i].size % (end / parts[i].stride) != 0) return std::nullopt;
      cut(parts, i, end / parts[i].stride);
    }
    inner = end;
    if (outermost) break;
  }
  for (TracedPart& part : parts) {
    if (part.source != 0) continue;
    int64_t below = 1;
    size_t d = shape.size() - 1;
    const auto first = std::find_if(shape.begin(), shape.end() - 1, [](int64_t size) { return size > 1; });
    for (; d > static_cast<size_t>(first - shape.begin()) && part.stride >= below * shape[d]; --d) below *= shape[d];
    part.source = static_cast<int>(d);
    part.stride /= below;
  }
  return parts;
}

// The element, counted row by row, that register `reg` of a thread holds; -1 in the padding.
int64_t element_at(const ValueLayout& layout, const std::vector<TracedPart>& parts, int64_t thread, int64_t reg) {
  int64_t lanes = 1, warps = 1;
  for (const TracedPart& part : parts) {
    if (part.holder == Holder::lane) lanes *= part.size;
    if (part.holder == Holder::warp) warps *= part.size;
  }
  int64_t rest[] = {reg, thread % lanes, thread / lanes % warps, thread / (lanes * warps)};
  constexpr Holder kHolders[] = {Holder::reg, Holder::lane, Holder::warp, Holder::warpgroup};
  int64_t linear = 0, size = 1;
  const auto coordinate = [&](int source) {
    int64_t at = 0;
    for (size_t h = 0; h < 4; ++h) {
      int64_t index = rest[h];
      for (size_t i = parts.size(); i-- > 0;) {
        if (parts[i].holder != kHolders[h]) continue;
        if (parts[i].source == source) at += index % parts[i].size * parts[i].stride;
        index /= parts[i].size;
      }
    }
    return at;
  };
  for (const int64_t extent : layout.shape) size *= extent;
  if (layout.flat) return coordinate(0) < size ? coordinate(0) : -1;
  for (size_t d = 0; d < layout.shape.size(); ++d) {
    const int64_t at = coordinate(static_cast<int>(d));
    if (at >= layout.shape[d]) return -1;
    linear = linear * layout.shape[d] + at;
  }
  return linear;
}

// True if some sample threads and registers hold different elements, which distinguishes most layouts cheaply.
bool hold_others(const ValueLayout& a, const ValueLayout& b, int64_t threads, int64_t registers) {
  const std::vector<TracedPart> of_a = traced_parts(a), of_b = traced_parts(b);
  const auto differ = [&](int64_t thread, int64_t reg) {
    return element_at(a, of_a, thread, reg) != element_at(b, of_b, thread, reg);
  };
  return (threads > 1 && differ(1, 0)) || (registers > 1 && differ(0, 1)) || differ(threads - 1, registers - 1) ||
         differ(threads / 2, 0) || differ(0, registers / 2);
}

}  // namespace

ValueLayout canonical(const ValueLayout& layout) {
  const int64_t total = std::accumulate(layout.shape.begin(), layout.shape.end(), int64_t{1}, std::multiplies<>());
  std::vector<int64_t> extents = layout.flat ? std::vector<int64_t>{total} : layout.shape;
  std::vector<TracedPart> parts = merged_by_holder(traced_parts(layout), extents);
  bool flat = layout.flat;
  if (flat && !layout.shape.empty()) {
    if (auto of_dims = unflattened(parts, layout.shape)) {
      flat = false;
      extents = layout.shape;
      parts = merged_by_holder(*of_dims, extents);
    }
  } else if (flat && std::none_of(parts.begin(), parts.end(),
                                  [](const TracedPart& part) { return part.source == kOutside || part.source >= 0; })) {
    flat = false;
    extents.clear();
  }
  for (TracedPart& part : parts) {
    if (part.source == kOutside) part = {part.holder, 0, kFar, part.size};
  }
  ValueLayout result = layout_of_parts(layout.name, extents, parts);
  result.shape = layout.shape;
  result.flat = flat;
  return result;
}

bool ValueLayout::operator==(const ValueLayout& other) const {
  if (shape != other.shape) return false;
  const auto same_part = [](const LayoutPart& a, const LayoutPart& b) {
    return a.holder == b.holder && a.dim == b.dim && a.size == b.size;
  };
  const auto same_parts = [&](const ValueLayout& a, const ValueLayout& b) {
    return a.flat == b.flat && a.tilings == b.tilings &&
           std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(), b.parts.end(), same_part);
  };
  if (same_parts(*this, other)) return true;
  // Most layouts that differ have different numbers of registers or threads.
  const auto count = [](const ValueLayout& layout, bool registers) {
    int64_t product = 1;
    for (const LayoutPart& part : layout.parts) product *= (part.holder == Holder::reg) == registers ? part.size : 1;
    return product;
  };
  const int64_t registers = count(*this, true), all = count(*this, false);
  if (registers != count(other, true) || all != count(other, false) || hold_others(*this, other, all, registers))
    return false;
  return same_parts(canonical(*this), canonical(other));
}

}  // namespace pallasgen
