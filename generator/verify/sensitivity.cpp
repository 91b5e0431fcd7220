#include "sensitivity.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace pallasgen {

namespace {

using Outputs = std::optional<std::map<std::string, Array>>;

constexpr uint64_t kMoves = 4;

Outputs outputs_of(const Kernel& kernel, const Arguments& arguments) {
  Diagnostics running;  // what is wrong with the run has been said of the run in the kernel's own dtypes
  return interpret(kernel, arguments, {.in_f64 = true}, running);
}

// The same in f64, each float moved by a random part of its last place.
Arguments moved(const Arguments& arguments, uint64_t seed) {
  Arguments result = arguments;
  for (auto& [name, array] : result.arrays) {
    if (!info(array.dtype).is_float) continue;
    const double half_unit = unit_of(array.dtype == DType::f64 ? DType::f64 : DType::f32) / 2;
    const Array parts = seeded_array(DType::f64, array.shape, seed, name + " moved");
    array = in_f64(array);
    for (int64_t i = 0; i < array.size(); ++i) array.set(i, array.at(i) * (1 + half_unit * parts.at(i)));
  }
  return result;
}

// Each element of `most` becomes as large as the distance of the two arrays there, less a part `rounding` of `here`.
void widen(std::vector<double>& most, const Array& here, const Array& there, double rounding = 0) {
  for (int64_t i = 0; i < here.size(); ++i) {
    const double distance = std::fabs(there.at(i) - here.at(i)) - rounding * std::fabs(here.at(i));
    if (std::isfinite(distance)) most[static_cast<size_t>(i)] = std::max(most[static_cast<size_t>(i)], distance);
  }
}

}  // namespace

Array in_f64(const Array& array) {
  if (!info(array.dtype).is_float) return array;
  Array wide = Array::zeros(DType::f64, array.shape);
  for (int64_t i = 0; i < array.size(); ++i) wide.set(i, array.at(i));
  return wide;
}

std::map<std::string, std::vector<double>> sensitivities(const Kernel& kernel, const Arguments& arguments,
                                                         const std::map<std::string, Array>& interpreted) {
  Arguments wide = arguments;
  for (auto& [name, array] : wide.arrays) array = in_f64(array);
  std::map<std::string, std::vector<double>> result;
  const Outputs here = outputs_of(kernel, wide);
  if (!here) return result;
  for (const auto& [name, array] : *here) {
    result[name].resize(static_cast<size_t>(array.size()));
    const auto own = interpreted.find(name);
    if (own != interpreted.end() && info(own->second.dtype).is_float)
      widen(result[name], array, own->second, unit_of(own->second.dtype));
  }
  for (uint64_t seed = 0; seed < kMoves; ++seed) {
    const Outputs there = outputs_of(kernel, moved(arguments, seed));
    if (!there) return {};
    for (const auto& [name, array] : *here) widen(result[name], array, there->at(name));
  }
  return result;
}

}  // namespace pallasgen
