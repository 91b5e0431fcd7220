#include "rounding.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace pallasgen;

namespace {

// Returns numbers between 0.5 and 2 of either sign, rounded by `round` to the bits of bf16.
Array rounded(int64_t size, double (*round)(double)) {
  Array array = Array::zeros(DType::bf16, {size});
  for (int64_t i = 0; i < size; ++i) {
    const double value = std::ldexp(1.0 + std::fmod(0.754877 * static_cast<double>(i), 1.0), i % 2 == 0 ? -1 : 0);
    const double unit = std::ldexp(1.0, std::ilogb(value) - 7);
    array.set(i, round(value / unit) * unit * (i % 3 == 0 ? -1 : 1));
  }
  return array;
}

}  // namespace

TEST_CASE("truncation is seen in the mean of many elements") {
  const Array want = rounded(1000, std::nearbyint);
  CHECK(rounding_bias(want, want) == "");
  const std::string said = rounding_bias(rounded(1000, std::trunc), want);
  CHECK(said.find("1000 elements of bf16 are 0.5") == 0);
  CHECK(said.find("nearer to zero") != std::string::npos);
  CHECK(rounding_bias(rounded(1000, std::ceil), want).find("further from zero") != std::string::npos);
}

TEST_CASE("few elements, wide ones and errors to both sides say nothing") {
  CHECK(rounding_bias(rounded(255, std::trunc), rounded(255, std::nearbyint)) == "");
  Array wide = Array::zeros(DType::f32, {1000}), other = wide;
  for (int64_t i = 0; i < 1000; ++i) other.set(i, 1.0), wide.set(i, 1.0 + 0x1p-23);
  CHECK(rounding_bias(wide, other) == "");
  const Array want = rounded(1000, std::nearbyint);
  Array got = want;
  for (int64_t i = 0; i < 1000; ++i) got.set(i, want.at(i) * (1.0 + (i % 2 == 0 ? 1 : -1) * 0x1p-7));
  CHECK(rounding_bias(got, want) == "");
}
