#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <pallasgen/math.cuh>
#include <utility>

using namespace pallasgen;

namespace {

template <class I>
void check_saturation() {
  constexpr auto low = std::numeric_limits<I>::min(), high = std::numeric_limits<I>::max();
  for (auto inf : {std::numeric_limits<float>::infinity(), 1e30f}) {
    CHECK(cast<I>(inf) == high);
    CHECK(cast<I>(-inf) == low);
    CHECK(cast<I>(static_cast<double>(inf)) == high);
    CHECK(cast<I>(-static_cast<double>(inf)) == low);
  }
  CHECK(cast<I>(std::nanf("")) == 0);
  CHECK(cast<I>(std::nan("")) == 0);
  CHECK(cast<I>(3.99f) == 3);
  CHECK(cast<I>(static_cast<float>(high) * 0.5f) == static_cast<I>(static_cast<float>(high) * 0.5f));
  // The double next to each end that is still inside, and the end itself.
  const double end = std::ldexp(1.0, std::numeric_limits<I>::digits);
  const volatile double at_run_time = end;  // the compiler's own conversion saturates
  CHECK(cast<I>(double(at_run_time)) == high);
  CHECK(cast<I>(std::nextafter(end, 0.0)) == static_cast<I>(std::nextafter(end, 0.0)));
  CHECK(cast<I>(static_cast<double>(low)) == low);
  CHECK(cast<I>(-0.5f) == 0);
  if (std::numeric_limits<I>::is_signed) {
    CHECK(cast<I>(-3.99) == static_cast<I>(-3));
    CHECK(cast<I>(std::nextafter(-end, 0.0)) == static_cast<I>(std::nextafter(-end, 0.0)));
  } else {
    CHECK(cast<I>(-1.0f) == 0);
  }
}

}  // namespace

TEST_CASE("math: floats to integers are cut off and saturate, NaN is 0") {
  check_saturation<int8_t>();
  check_saturation<int16_t>();
  check_saturation<int32_t>();
  check_saturation<int64_t>();
  check_saturation<uint8_t>();
  check_saturation<uint16_t>();
  check_saturation<uint32_t>();
  check_saturation<uint64_t>();
}

TEST_CASE("math: tf32 has 10 bits after the point, to nearest even, by instruction and by bits") {
  const float inf = std::numeric_limits<float>::infinity(), most = std::numeric_limits<float>::max();
  const float ulp = std::ldexp(1.0f, -10), least = std::ldexp(1.0f, -149);
  const std::pair<float, float> pairs[] = {{1.0f, 1.0f},
                                           {1.0f + ulp, 1.0f + ulp},
                                           {1.0f + ulp / 2, 1.0f},
                                           {1.0f + 3 * ulp / 2, 1.0f + 2 * ulp},
                                           {1.0f + ulp / 2 + ulp / 4096, 1.0f + ulp},
                                           {-1.0f - 3 * ulp / 2, -1.0f - 2 * ulp},
                                           {4096 * least, 0.0f},
                                           {4097 * least, 8192 * least},
                                           {-4096 * least, -0.0f},
                                           {most, inf},
                                           {inf, inf},
                                           {-inf, -inf}};
  for (const auto& [x, rounded] : pairs) {
    CAPTURE(x);
    CHECK(bitcast<uint32_t>(round_to_tf32(x)) == bitcast<uint32_t>(rounded));
    CHECK(bitcast<uint32_t>(tf32_by_bits(x)) == bitcast<uint32_t>(rounded));
  }
  for (const uint32_t bits : {0x7fffffffU, 0xffffffffU, 0x7f800001U}) {
    CHECK(std::isnan(round_to_tf32(bitcast<float>(bits))));
    CHECK(std::isnan(tf32_by_bits(bitcast<float>(bits))));
  }
}

TEST_CASE("math: casts between floats round to nearest even") {
  CHECK(to_float(cast<bf16>(1.00390625f)) == 1.0f);       // half way, to even
  CHECK(to_float(cast<bf16>(1.01171875f)) == 1.015625f);  // half way, to even
  CHECK(to_float(cast<f16>(65519.0f)) == 65504.0f);
  CHECK(std::isinf(to_float(cast<f16>(65520.0f))));
  // Rounded once from double: through float this would round twice, at a tie.
  const double x = 1.0 + std::ldexp(1.0, -8) + std::ldexp(1.0, -40);
  CHECK(to_float(cast<bf16>(x)) == 1.0078125f);
  CHECK(cast<double>(cast<bf16>(1.5f)) == 1.5);
  CHECK(to_float(cast<f16>(cast<bf16>(3.0f))) == 3.0f);
  CHECK(to_float(cast<bf16>(16842753)) == 16908288.0f);  // 2^24 + 2^16 + 1, rounded once
  CHECK(cast<int8_t>(cast<bf16>(300.0f)) == 127);
}

TEST_CASE("math: integers wrap, bool is not zero") {
  CHECK(cast<int8_t>(300) == 44);
  CHECK(cast<uint8_t>(-1) == 255);
  CHECK(cast<int32_t>(INT64_C(0x100000002)) == 2);
  CHECK(cast<bool>(0.5f));
  CHECK(cast<bool>(std::nanf("")));
  CHECK(!cast<bool>(-0.0f));
  CHECK(cast<bool>(256));
  CHECK(cast<float>(true) == 1.0f);
  CHECK(cast<int>(true) == 1);
  CHECK(to_float(cast<bf16>(true)) == 1.0f);
}

TEST_CASE("math: maximum and minimum keep NaN") {
  const float nan = std::nanf("");
  CHECK(maximum(1.0f, 2.0f) == 2.0f);
  CHECK(minimum(1.0f, 2.0f) == 1.0f);
  CHECK(std::isnan(maximum(nan, 1.0f)));
  CHECK(std::isnan(maximum(1.0f, nan)));
  CHECK(std::isnan(minimum(nan, 1.0f)));
  CHECK(std::isnan(minimum(1.0f, nan)));
  CHECK(std::isnan(clamp(nan, 0.0f, 1.0f)));
  CHECK(clamp(5, 0, 3) == 3);
  CHECK(clamp(-5, 0, 3) == 0);
  CHECK(std::isnan(to_float(maximum(cast<bf16>(1.0f), cast<bf16>(nan)))));
  CHECK(std::isnan(to_float(maximum(cast<f16>(nan), cast<f16>(1.0f)))));
  CHECK(to_float(minimum(cast<f16>(-2.0f), cast<f16>(1.0f))) == -2.0f);
}

TEST_CASE("math: integer division rounds down") {
  for (int a = -17; a <= 17; ++a) {
    for (int b : {-5, -3, -1, 1, 2, 7}) {
      CHECK(floor_divide(a, b) == static_cast<int>(std::floor(static_cast<double>(a) / b)));
      CHECK(floor_modulo(a, b) == a - b * floor_divide(a, b));
    }
  }
  CHECK(floor_divide(UINT32_C(4000000000), UINT32_C(7)) == 571428571u);
  CHECK(floor_modulo(UINT32_C(4000000000), UINT32_C(7)) == 3u);
  static_assert(floor_modulo(-33, 32) == 31 && floor_modulo(-32, 32) == 0 &&
                floor_modulo(INT64_MIN + 5, INT64_C(64)) == 5);
  static_assert(ceil_div(0, 128) == 0 && ceil_div(1, 128) == 1 && ceil_div(128, 128) == 1 && ceil_div(129, 128) == 2);
  static_assert(ceil_div(INT64_MAX, 2) == INT64_C(1) << 62);
}
