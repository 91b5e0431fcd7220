#include "model/thread_accesses.h"

#include <algorithm>
#include <cmath>

namespace pallasgen {

namespace {

constexpr double kWidest = 16;  // bytes of a lane's widest access

double bytes_of(const Ref& ref) { return info(ref.dtype).bits / 8.0; }

// Combines the places into one number, which differs if they differ.
int64_t combined(const std::vector<int64_t>& places) {
  int64_t sum = 0;
  for (const int64_t place : places) sum = sum * 8191 + place;
  return sum;
}

double ratio(const Sectors& sectors) {
  return static_cast<double>(sectors.touched) / static_cast<double>(std::max<int64_t>(1, sectors.needed));
}

}  // namespace

std::vector<std::vector<int64_t>> AccessCounter::places_of(const ElementAccess& access, const std::vector<Lane>& lanes,
                                                           bool& by_data) const {
  std::vector<std::vector<int64_t>> places;
  for (const Lane& lane : lanes) {
    places.emplace_back();
    for (const TypedPtr& dim : access.index)
      places.back().push_back(places_.index(dim, access.bindings, lane, by_data));
  }
  return places;
}

double AccessCounter::repeats_of(const std::vector<TypedPtr>& offsets) const {
  return loops_.repeats_of([&]() -> std::optional<int64_t> {
    std::vector<int64_t> places;
    for (const TypedPtr& offset : offsets) {
      const std::optional<int64_t> place = offset ? example_.value(offset, known_) : 0;
      if (!place) return std::nullopt;
      places.push_back(*place);
    }
    return combined(places);
  });
}

std::optional<AccessCounter::Elements> AccessCounter::elements(const ElementAccess& access, double running) const {
  const Ref& ref = plan_.kernel->refs[static_cast<size_t>(access.ref)];
  const double bytes = bytes_of(ref);
  bool by_data = false;
  std::optional<Sectors> sectors = sectors_of(plan_, example_, access.ref, places_of(access, access.lanes, by_data));
  if (!sectors) return std::nullopt;
  double run = kWidest / bytes;  // elements that one access could take
  if (by_data) {                 // other lanes, at consecutive elements of a dim, may still find neighbours
    run = 1;
    double fewest = static_cast<double>(sectors->places);
    for (size_t dim = 0; dim < access.dims; ++dim) {
      bool ignored = false;
      const auto along = sectors_of(plan_, example_, access.ref, places_of(access, access.walk(dim), ignored));
      if (!along || along->places < 2) continue;
      const double each = static_cast<double>(along->touched) / static_cast<double>(along->places);
      fewest = std::min(fewest, std::ceil(each * static_cast<double>(sectors->places)));
      if (along->touched <= along->needed + 1) run = std::max(1.0, kWidest / bytes);
    }
    sectors->needed = std::max(sectors->needed, static_cast<int64_t>(fewest));
  }
  Elements found{{access.ref, access.reads, AccessBy::element, bytes, running},
                 static_cast<double>(sectors->places) / static_cast<double>(access.lanes.size())};
  // One access serves all lanes that want the same element.
  const bool single = access.atomic || sectors->places * 2 < static_cast<int64_t>(access.lanes.size());
  found.access.needed = single ? running : running / run;
  found.access.of_warp = *sectors;
  found.access.repeats = loops_.repeats_of([&]() -> std::optional<int64_t> {
    bool ignored = false;
    return combined(places_of(access, {access.lanes.front()}, ignored).front());
  });
  return found;
}

ThreadAccess AccessCounter::block(const program::Access& access, const ValueLayout& layout, bool reads, bool atomic,
                                  double bytes) const {
  const Ref& ref = plan_.kernel->refs[static_cast<size_t>(access.ref)];
  const double each = static_cast<double>(std::max<int64_t>(1, access.vector.value)) * bytes_of(ref);
  ThreadAccess found{access.ref, reads, AccessBy::block, each, bytes / each};
  found.needed = atomic ? found.accesses : bytes / kWidest;
  const std::optional<Sectors> sectors = sectors_of(plan_, example_, access, layout);
  if (sectors) found.of_warp = *sectors;
  std::vector<TypedPtr> offsets;
  for (const program::AccessDim& dim : access.dims) offsets.push_back(dim.offset);
  found.repeats = repeats_of(offsets);
  found.moved = {bytes, bytes * (sectors ? ratio(*sectors) : 1)};
  return found;
}

ThreadAccess AccessCounter::copy(int ref, double each, double bytes) const {
  ThreadAccess found{ref, true, each > 0 ? AccessBy::copy : AccessBy::unit, each};
  if (each > 0) found.accesses = bytes / each, found.needed = bytes / kWidest;
  found.moved = {bytes, bytes};
  return found;
}

ThreadAccess AccessCounter::store(const program::TensorStore& store, double bytes) const {
  ThreadAccess found{plan_.stores[static_cast<size_t>(store.store)].ref, false, AccessBy::unit};
  found.repeats = repeats_of(store.coordinates);
  found.moved = {bytes, bytes};
  return found;
}

}  // namespace pallasgen
