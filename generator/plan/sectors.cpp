#include "sectors.h"

#include <algorithm>
#include <set>

namespace pallasgen {

namespace {

constexpr int64_t kSectorBits = 32 * 8;
constexpr int kLanes = 32;

// Elements from one index of a dim to the next.
std::optional<std::vector<int64_t>> strides_of(const Example& example, const Ref& ref) {
  std::vector<int64_t> strides(ref.array_shape.size(), 1);
  for (size_t dim = strides.size(); dim-- > 0;) {
    if (dim + 1 < strides.size()) {
      const std::optional<int64_t> extent = example.value(ref.array_shape[dim + 1]);
      if (!extent) return std::nullopt;
      strides[dim] = strides[dim + 1] * *extent;
    }
    if (dim < ref.strides.size() && ref.strides[dim]) {
      const std::optional<int64_t> stride = example.value(ref.strides[dim]);
      if (!stride) return std::nullopt;
      strides[dim] = *stride;
    }
  }
  return strides;
}

// Of accesses that begin at these elements, `elements` in a row each.
Sectors of_places(const std::set<int64_t>& places, int64_t elements, DType dtype) {
  const int64_t bits = info(dtype).bits;
  std::set<int64_t> touched;
  for (const int64_t place : places) {
    for (int64_t at = place * bits / kSectorBits; at <= ((place + elements) * bits - 1) / kSectorBits; ++at)
      touched.insert(at);
  }
  const int64_t wanted = static_cast<int64_t>(places.size()) * elements * bits;
  return {static_cast<int64_t>(touched.size()), (wanted + kSectorBits - 1) / kSectorBits};
}

}  // namespace

std::optional<Sectors> sectors_of(const Plan& plan, const Example& example, int ref, const std::vector<TypedPtr>& index,
                                  const std::vector<Example::Values>& lanes) {
  const Ref& of = plan.kernel->refs[static_cast<size_t>(ref)];
  const std::optional<std::vector<int64_t>> strides = strides_of(example, of);
  if (!strides || strides->size() != index.size()) return std::nullopt;
  std::set<int64_t> places;
  for (const Example::Values& lane : lanes) {
    int64_t place = 0;
    for (size_t dim = 0; dim < index.size(); ++dim) {
      const std::optional<int64_t> at = example.value(index[dim], lane);
      if (!at) return std::nullopt;
      place += *at * (*strides)[dim];
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
  std::set<int64_t> places;
  for (int lane = 0; lane < std::min<int64_t>(kLanes, threads(layout)); ++lane) {
    const std::optional<std::vector<int64_t>> element = element_of(layout, lane, 0);
    if (!element) continue;
    int64_t place = 0;
    for (size_t dim = 0; dim < strides->size(); ++dim) {
      const int along = access.dims[dim].fragment_dim;
      const std::optional<int64_t> offset = access.dims[dim].offset ? example.value(access.dims[dim].offset) : 0;
      place += (offset.value_or(0) + (along < 0 ? 0 : (*element)[static_cast<size_t>(along)])) * (*strides)[dim];
    }
    places.insert(place);
  }
  return of_places(places, access.vector.value, of.dtype);
}

}  // namespace pallasgen
