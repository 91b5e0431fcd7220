#include "rounding.h"

#include <fmt/format.h>

#include <cmath>

namespace pallasgen {

namespace {

constexpr int64_t kFewest = 256;  // elements; the mean of errors of a unit each is then within 1/16, a quarter of kMost
constexpr double kMost = 0.25;
constexpr double kLeast = 0x1p-6;  // smaller elements may be subnormal

// The number of fraction bits; 0 for dtypes that are not checked.
int fraction_bits(DType dtype) {
  switch (dtype) {
    case DType::f16:
      return 10;
    case DType::bf16:
      return 7;
    case DType::f8e4m3:
      return 3;
    case DType::f8e5m2:
      return 2;
    default:
      return 0;
  }
}

}  // namespace

std::string rounding_bias(const Array& got, const Array& want) {
  const int bits = fraction_bits(want.dtype);
  if (bits == 0) return "";
  double moved = 0;
  int64_t elements = 0;
  for (int64_t i = 0; i < want.size(); ++i) {
    const double a = got.at(i), b = want.at(i);
    if (!std::isfinite(a) || !std::isfinite(b) || std::abs(b) < kLeast) continue;
    ++elements;
    moved += (std::abs(a) - std::abs(b)) / std::ldexp(1.0, std::ilogb(b) - bits);
  }
  if (elements < kFewest || std::abs(moved) <= kMost * static_cast<double>(elements)) return "";
  return fmt::format("{} elements of {} are {:.2f} units of the last place {} zero in the mean", elements,
                     name_of(want.dtype), std::abs(moved) / static_cast<double>(elements),
                     moved < 0 ? "nearer to" : "further from");
}

}  // namespace pallasgen
