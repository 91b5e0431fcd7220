#include "layout/reduce.h"

#include <map>

#include "layout/derive.h"
#include "parts.h"
#include "price.h"

namespace pallasgen {

namespace {

// The index of one holder without the digits of its partial parts.
int64_t without_partial(const std::vector<TracedPart>& parts, const std::vector<Holder>& holders, int64_t index) {
  int64_t kept = 0, weight = 1;
  for (size_t h = holders.size(); h-- > 0;) {
    for (size_t i = parts.size(); i-- > 0;) {
      if (parts[i].holder != holders[h]) continue;
      if (parts[i].source != kPartial) {
        kept += index % parts[i].size * weight;
        weight *= parts[i].size;
      }
      index /= parts[i].size;
    }
  }
  return kept;
}

std::vector<int> lane_masks(const std::vector<TracedPart>& parts) {
  std::vector<int> masks;
  int64_t bit = 1;
  for (size_t i = parts.size(); i-- > 0;) {
    if (parts[i].holder != Holder::lane) continue;
    for (int64_t size = parts[i].size; size > 1; size /= 2, bit *= 2) {
      if (parts[i].source == kPartial) masks.insert(masks.begin(), static_cast<int>(bit));
    }
  }
  return masks;
}

}  // namespace

Reduction reduce_partial(const ValueLayout& layout, int64_t element_bytes) {
  const std::vector<TracedPart> parts = traced_parts(layout);
  int64_t lanes = 1, across_warps = 1, across_groups = 1;
  for (const TracedPart& part : parts) {
    if (part.holder == Holder::lane) lanes *= part.size;
    if (part.source != kPartial) continue;
    if (part.holder == Holder::warp) across_warps *= part.size;
    if (part.holder == Holder::warpgroup) across_groups *= part.size;
  }
  Reduction reduction;
  reduction.result = full_layout(layout);
  const int64_t before = registers_per_thread(layout), after = registers_per_thread(reduction.result);
  for (int64_t reg = 0; reg < before; ++reg)
    reduction.fold.push_back(static_cast<int>(without_partial(parts, {Holder::reg}, reg)));
  reduction.masks = lane_masks(parts);
  const int64_t warps = (threads(layout) + lanes - 1) / lanes, across = across_warps * across_groups;
  reduction.within_warpgroups = across_groups == 1;
  if (across > 1) {
    const std::vector<Holder> holders = {Holder::warpgroup, Holder::warp};
    std::map<int64_t, std::vector<int>> together;
    for (int64_t warp = 0; warp < warps; ++warp)
      together[without_partial(parts, holders, warp)].push_back(static_cast<int>(warp));
    for (int64_t warp = 0; warp < warps; ++warp)
      reduction.warps.push_back(together[without_partial(parts, holders, warp)]);
    reduction.shared_bytes = across * element_bytes;
    for (int64_t size : layout.shape) reduction.shared_bytes *= size;
  }
  const int64_t words = price::words_of(element_bytes);
  const int64_t shuffles = static_cast<int64_t>(reduction.masks.size()) * after * words;
  const int64_t accesses = across > 1 ? after * words * (1 + across) : 0;
  const int64_t sums =
      before - after + static_cast<int64_t>(reduction.masks.size()) * after + (across > 1 ? after * (across - 1) : 0);
  reduction.price.instructions = sums + shuffles + accesses + (across > 1 ? 1 : 0);
  reduction.price.cycles = price::issue(sums, warps) + (shuffles + accesses) * warps +
                           static_cast<int64_t>(reduction.masks.size()) * price::kShuffleLatency +
                           (across > 1 ? 2 * price::kSharedLatency + price::kSyncLatency : 0);
  return reduction;
}

std::optional<Reduction> reduce_layout(const ValueLayout& layout, int axis, int64_t element_bytes) {
  const auto parts = addends_layout(layout, axis);
  if (!parts) return std::nullopt;
  return reduce_partial(*parts, element_bytes);
}

}  // namespace pallasgen
