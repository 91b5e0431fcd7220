#include "formats.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "values.h"

using namespace pallasgen;
using namespace pallasgen::interpreter;

namespace {

constexpr DType kSmallFloats[] = {DType::f16, DType::bf16, DType::f8e4m3, DType::f8e5m2, DType::f8e8m0, DType::f4e2m1};

uint32_t patterns(DType dtype) { return 1u << info(dtype).bits; }

// All finite values of a dtype in ascending order, without the negative zero.
std::vector<double> finite_values(DType dtype) {
  std::vector<double> values;
  for (uint32_t bits = 0; bits < patterns(dtype); ++bits) {
    const double value = static_cast<double>(decode_float(bits, dtype));
    if (std::isfinite(value) && !(value == 0 && std::signbit(value))) values.push_back(value);
  }
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace

TEST_CASE("every bit pattern of a small float decodes, encodes back, and is its own rounding") {
  for (DType dtype : kSmallFloats) {
    CAPTURE(name_of(dtype));
    for (uint32_t bits = 0; bits < patterns(dtype); ++bits) {
      const float value = decode_float(bits, dtype);
      if (std::isnan(value)) {
        CHECK(std::isnan(decode_float(encode_float(value, dtype), dtype)));
        continue;
      }
      if (encode_float(value, dtype) != bits)
        FAIL_CHECK("bits " << bits << " come back as " << encode_float(value, dtype));
      const double rounded = round_to(static_cast<double>(value), dtype);
      const bool saturated = std::isinf(value) && info(dtype).bits == 8;
      if (!saturated && rounded != static_cast<double>(value)) FAIL_CHECK("bits " << bits << " round to " << rounded);
    }
  }
}

TEST_CASE("rounding takes the nearer neighbour, the even one in the middle") {
  for (DType dtype : kSmallFloats) {
    if (dtype == DType::f8e8m0) continue;
    CAPTURE(name_of(dtype));
    const std::vector<double> values = finite_values(dtype);
    for (size_t i = 0; i + 1 < values.size(); ++i) {
      const double low = values[i], high = values[i + 1], middle = low / 2 + high / 2;
      const double even = encode_float(static_cast<float>(low), dtype) % 2 == 0 ? low : high;
      if (round_to(middle, dtype) != even) FAIL_CHECK("the middle of " << low << " and " << high);
      if (round_to(std::nextafter(middle, low), dtype) != low)
        FAIL_CHECK("just below the middle of " << low << ", " << high);
      if (round_to(std::nextafter(middle, high), dtype) != high)
        FAIL_CHECK("just above the middle of " << low << ", " << high);
    }
  }
}

TEST_CASE("the fast roundings of f16 and bf16 agree with the general one") {
  uint32_t bits = 1;
  for (int i = 0; i < 400000; ++i, bits = bits * 1664525 + 1013904223) {
    const float value = std::bit_cast<float>(bits);
    if (std::isnan(value)) {
      CHECK(std::isnan(round_to_f16(value)));
      CHECK(std::isnan(round_to_bf16(value)));
      continue;
    }
    const float half = static_cast<float>(round_to(static_cast<double>(value), DType::f16));
    const float brain = static_cast<float>(round_to(static_cast<double>(value), DType::bf16));
    if (round_to_f16(value) != half) FAIL_CHECK("f16 of " << value);
    if (round_to_bf16(value) != brain) FAIL_CHECK("bf16 of " << value);
    if (std::signbit(round_to_f16(value)) != std::signbit(value)) FAIL_CHECK("sign of " << value);
  }
}

TEST_CASE("past the largest value: infinity, or the largest itself") {
  CHECK(round_to(65519.99, DType::f16) == 65504);
  CHECK(round_to(65520, DType::f16) == kInfinity);
  CHECK(round_to_f16(65519.99f) == 65504);
  CHECK(round_to_f16(-65520) == -kInfinity);
  CHECK(round_to(3.3961775e38, DType::bf16) == 0x1.fep127);
  CHECK(round_to(3.3961776e38, DType::bf16) == kInfinity);
  CHECK(round_to(1e9, DType::f8e4m3) == 448);
  CHECK(round_to(-kInfinity, DType::f8e4m3) == -448);
  CHECK(round_to(kInfinity, DType::f8e5m2) == 57344);
  CHECK(round_to(7, DType::f4e2m1) == 6);
  CHECK(round_to(std::nan(""), DType::f4e2m1) == 6);
  CHECK(std::isnan(round_to(std::nan(""), DType::f8e4m3)));
  CHECK(round_to(1e39, DType::f32) == kInfinity);
}

TEST_CASE("f8e8m0 holds powers of two") {
  CHECK(round_to(1.49, DType::f8e8m0) == 1);
  CHECK(round_to(1.5, DType::f8e8m0) == 2);
  CHECK(round_to(0, DType::f8e8m0) == 0x1p-127);
  CHECK(round_to(1e300, DType::f8e8m0) == 0x1p127);
  CHECK(std::isnan(round_to(-1, DType::f8e8m0)));
  CHECK(encode_float(1, DType::f8e8m0) == 127);
}

TEST_CASE("sticky doubles round like the integer they stand for") {
  // 2^63 + 2^39 is a tie of f32 (units of 2^40); one more is above it, and is lost in a double that rounds to even.
  const uint64_t tie = (uint64_t{1} << 63) + (uint64_t{1} << 39);
  CHECK(static_cast<float>(sticky_double(tie)) == 0x1p63f);
  CHECK(static_cast<float>(sticky_double(tie + 1)) == 0x1p63f + 0x1p40f);
  CHECK(sticky_double(int64_t{-5}) == -5);
  CHECK(sticky_double(std::numeric_limits<int64_t>::min()) == -0x1p63);
  const int64_t odd = (int64_t{1} << 53) + 1;
  CHECK(sticky_double(odd) == 0x1p53 + 2);  // to the odd neighbour
  CHECK(sticky_double((int64_t{1} << 54) + 1) == 0x1p54 + 4);
}

TEST_CASE("what is undefined") {
  CHECK(std::isnan(undefined_float(DType::bf16)));
  CHECK(undefined_integer(DType::i8) == -128);
  CHECK(undefined_integer(DType::i4) == -8);
  CHECK(undefined_integer(DType::u32) == 0);
  CHECK(undefined_integer(DType::i64) == std::numeric_limits<int64_t>::min());
  CHECK(integers(undefined_value(DType::i16, {2})) == std::vector<int64_t>{-32768, -32768});
}
