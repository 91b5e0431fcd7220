#include "model/sectors.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "layout/warps.h"

namespace pallasgen {

namespace {

constexpr int64_t kSectorBits = 32 * 8;

// Returns the strides of the array in elements.
std::optional<std::vector<int64_t>> strides_of(const Example& example, const Ref& ref) {
  std::vector<int64_t> strides(ref.array_shape.size(), 1);
  for (size_t dim = strides.size(); dim-- > 0;) {
    if (dim + 1 < strides.size()) {
      const std::optional<int64_t> extent = example.value(ref.array_shape[dim + 1]);
      if (!extent) return std::nullopt;
      if (__builtin_mul_overflow(strides[dim + 1], *extent, &strides[dim])) return std::nullopt;
    }
    if (dim < ref.strides.size() && ref.strides[dim]) {
      const std::optional<int64_t> stride = example.value(ref.strides[dim]);
      if (!stride) return std::nullopt;
      strides[dim] = *stride;
    }
  }
  return strides;
}

// Adds a * b to a place in an array; false if the place in bits would overflow.
bool add_product(int64_t a, int64_t b, int64_t& place) {
  int64_t product = 0;
  return !__builtin_mul_overflow(a, b, &product) && !__builtin_add_overflow(place, product, &place) &&
         std::abs(place) < INT64_MAX / (2 * kSectorBits);
}

// Counts the sectors of accesses that begin at these elements and have `elements` in a row each.
Sectors of_places(const std::set<int64_t>& places, int64_t elements, DType dtype) {
  const int64_t bits = info(dtype).bits;
  std::set<int64_t> touched;
  for (const int64_t place : places) {
    for (int64_t at = place * bits / kSectorBits; at <= ((place + elements) * bits - 1) / kSectorBits; ++at)
      touched.insert(at);
  }
  const int64_t wanted = static_cast<int64_t>(places.size()) * elements * bits;
  return {static_cast<int64_t>(touched.size()), (wanted + kSectorBits - 1) / kSectorBits,
          static_cast<int64_t>(places.size())};
}

}  // namespace

std::optional<Sectors> sectors_of(const Plan& plan, const Example& example, int ref,
                                  const std::vector<std::vector<int64_t>>& of_lanes) {
  const Ref& of = plan.kernel->refs[static_cast<size_t>(ref)];
  const std::optional<std::vector<int64_t>> strides = strides_of(example, of);
  if (!strides) return std::nullopt;
  std::set<int64_t> places;
  for (const std::vector<int64_t>& index : of_lanes) {
    int64_t place = 0;
    if (index.size() != strides->size()) return std::nullopt;
    for (size_t dim = 0; dim < index.size(); ++dim) {
      if (!add_product(index[dim], (*strides)[dim], place)) return std::nullopt;
    }
    places.insert(place);
  }
  return of_places(places, 1, of.dtype);
}

std::optional<Sectors> sectors_of(const Plan& plan, const Example& example, const program::Access& access,
                                  const ValueLayout& layout) {
  const Ref& of = plan.kernel->refs[static_cast<size_t>(access.ref)];
  const std::optional<std::vector<int64_t>> strides = strides_of(example, of);
  if (!strides || strides->size() != access.dims.size()) return std::nullopt;
  // A thread's consecutive single elements come from the same sectors.
  const int64_t in_a_row = access.vector.value > 1 ? 1 : std::max(1, 128 / info(of.dtype).bits);
  std::vector<int64_t> offsets;
  for (const auto& dim : access.dims) offsets.push_back(dim.offset ? example.value(dim.offset).value_or(0) : 0);
  const int64_t lanes = std::min<int64_t>(kWarp, threads(layout));
  const int64_t registers = std::min(registers_per_thread(layout), in_a_row);
  std::set<int64_t> places;
  for (int lane = 0; lane < lanes; ++lane) {
    for (int reg = 0; reg < registers; ++reg) {
      const std::optional<std::vector<int64_t>> element = element_of(layout, lane, reg);
      if (!element) continue;
      int64_t place = 0;
      for (size_t dim = 0; dim < strides->size(); ++dim) {
        const int along = access.dims[dim].fragment_dim;
        const int64_t at = offsets[dim] + (along < 0 ? 0 : (*element)[static_cast<size_t>(along)]);
        if (!add_product(at, (*strides)[dim], place)) return std::nullopt;
      }
      places.insert(place);
    }
  }
  return of_places(places, access.vector.value, of.dtype);
}

}  // namespace pallasgen
