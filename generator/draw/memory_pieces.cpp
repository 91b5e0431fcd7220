#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "memory_map.h"

namespace pallasgen {

namespace {

// The number of blocks of equal size in a field, one after the other; 1 if it is one block.
int64_t slots_of(const Plan& plan, int field) {
  for (const RingPlan& ring : plan.rings)
    for (const RingOperand& operand : ring.operands)
      if (operand.field == field) return ring.slots.value;
  for (const StorePlan& store : plan.stores)
    if (store.field == field) return std::max<int64_t>(1, store.groups.value * store.buffers.value);
  return 1;
}

// Fields in order of their places; fields of one overlay share a place.
std::vector<std::vector<int>> fields_by_place(const SharedMemory& shared) {
  std::vector<std::vector<int>> places;
  std::map<int, size_t> overlays;
  for (size_t i = 0; i < shared.fields.size(); ++i) {
    const int overlay = shared.fields[i].overlay;
    const auto known = overlay < 0 ? overlays.end() : overlays.find(overlay);
    if (known != overlays.end()) {
      places[known->second].push_back(static_cast<int>(i));
      continue;
    }
    if (overlay >= 0) overlays[overlay] = places.size();
    places.push_back({static_cast<int>(i)});
  }
  std::stable_sort(places.begin(), places.end(), [&](const std::vector<int>& a, const std::vector<int>& b) {
    return shared.fields[static_cast<size_t>(a.front())].offset < shared.fields[static_cast<size_t>(b.front())].offset;
  });
  return places;
}

void add_field(const Plan& plan, int field, int lane, int lanes, std::vector<MemoryPiece>& pieces) {
  const SharedField& shared = plan.shared.fields[static_cast<size_t>(field)];
  int64_t slots = slots_of(plan, field);
  if (slots < 1 || shared.bytes % slots != 0) slots = 1;
  const MemoryKind kind = shared.is_barrier ? MemoryKind::barrier : slots > 1 ? MemoryKind::slot : MemoryKind::field;
  const std::string& name = shared.is_barrier || shared.purpose.empty() ? shared.name : shared.purpose;
  for (int64_t slot = 0; slot < slots; ++slot) {
    const int64_t begin = shared.offset + slot * (shared.bytes / slots);
    pieces.push_back({kind, begin, begin + shared.bytes / slots, field, slots > 1 ? static_cast<int>(slot) : -1, lane,
                      lanes, field_tone(plan, field), slots > 1 ? fmt::format("{} {}", name, slot) : name});
  }
}

}  // namespace

Tone field_tone(const Plan& plan, int field) {
  int n = 0;
  for (int i = 0; i < static_cast<int>(plan.shared.fields.size()); ++i) {
    const bool barrier = plan.shared.fields[static_cast<size_t>(i)].is_barrier;
    if (i == field) return barrier ? Tone::grey : nth_tone(n);
    n += barrier ? 0 : 1;
  }
  return Tone::grey;
}

Tone ring_tone(const Plan& plan, int ring) {
  return field_tone(plan, plan.rings[static_cast<size_t>(ring)].operands.front().field);
}

std::vector<MemoryPiece> memory_pieces(const Plan& plan) {
  const SharedMemory& shared = plan.shared;
  std::vector<MemoryPiece> pieces;
  int64_t at = 0;
  for (const std::vector<int>& place : fields_by_place(shared)) {
    const int64_t offset = shared.fields[static_cast<size_t>(place.front())].offset;
    if (offset > at) pieces.push_back({MemoryKind::hole, at, offset, -1, -1, 0, 1, Tone::grey, "hole"});
    at = std::max(at, offset);
    int lane = 0;
    for (const int field : place) {
      add_field(plan, field, lane++, static_cast<int>(place.size()), pieces);
      at = std::max(at, offset + shared.fields[static_cast<size_t>(field)].bytes);
    }
  }
  if (shared.total > at) pieces.push_back({MemoryKind::padding, at, shared.total, -1, -1, 0, 1, Tone::grey, "padding"});
  if (shared.limit > shared.total)
    pieces.push_back({MemoryKind::free, shared.total, shared.limit, -1, -1, 0, 1, Tone::grey, "free"});
  return pieces;
}

}  // namespace pallasgen
