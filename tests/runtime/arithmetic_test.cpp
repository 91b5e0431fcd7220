#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <pallasgen/arithmetic.cuh>
#include <pallasgen/random.cuh>

using namespace pallasgen;

TEST_CASE("arithmetic: 8-bit integers wrap, all pairs") {
  int wrong = 0;
  for (int a = -128; a < 128; ++a) {
    for (int b = -128; b < 128; ++b) {
      const auto x = static_cast<int8_t>(a), y = static_cast<int8_t>(b);
      wrong += wrap_add(x, y) != static_cast<int8_t>(a + b);
      wrong += wrap_subtract(x, y) != static_cast<int8_t>(a - b);
      wrong += wrap_multiply(x, y) != static_cast<int8_t>(a * b);
      const auto u = static_cast<uint8_t>(a), v = static_cast<uint8_t>(b);
      wrong += wrap_add(u, v) != static_cast<uint8_t>(u + v);
      wrong += wrap_subtract(u, v) != static_cast<uint8_t>(u - v);
      wrong += wrap_multiply(u, v) != static_cast<uint8_t>(u * v);
      if (b == 0) continue;
      const double exact = static_cast<double>(a) / b;
      wrong += ceil_divide(a, b) != static_cast<int>(std::ceil(exact));
    }
    const auto x = static_cast<int8_t>(a);
    wrong += wrap_negate(x) != static_cast<int8_t>(-a);
    wrong += wrap_abs(x) != static_cast<int8_t>(a < 0 ? -a : a);
    wrong += sign(x) != (a > 0) - (a < 0);
    int8_t product = 1;
    for (int n = 0; n < 20; ++n) {
      wrong += power(x, static_cast<int8_t>(n)) != product;
      product = static_cast<int8_t>(product * a);
    }
  }
  CHECK(wrong == 0);
  CHECK(wrap_multiply(INT64_MIN, INT64_C(-1)) == INT64_MIN);
  CHECK(wrap_add(INT32_MAX, 1) == INT32_MIN);
}

TEST_CASE("arithmetic: shifts by any amount") {
  for (int by = 0; by < 40; ++by) {
    const auto wide = [by](int64_t a) { return by < 32 ? static_cast<int32_t>(a << by) : 0; };
    CHECK(shift_left(5, by) == wide(5));
    CHECK(shift_left(-3, by) == wide(-3));
    CHECK(shift_right(-100, by) == static_cast<int32_t>(INT64_C(-100) >> by));
    CHECK(shift_right(100, by) == static_cast<int32_t>(INT64_C(100) >> by));
    CHECK(shift_right(UINT32_C(0xf0000000), static_cast<uint32_t>(by)) ==
          static_cast<uint32_t>(UINT64_C(0xf0000000) >> by));
  }
  CHECK(shift_left(int8_t(1), int8_t(7)) == int8_t(-128));
  CHECK(shift_left(int8_t(1), int8_t(8)) == 0);
}

TEST_CASE("arithmetic: float remainders have the sign of the divisor") {
  const double inf = std::numeric_limits<double>::infinity();
  for (double a : {-7.5, -6.0, -0.25, 0.0, 0.25, 3.0, 1e300}) {
    for (double b : {-3.0, -0.5, 0.1, 2.0, 1e-3}) {
      const double rest = float_modulo(a, b), quotient = float_quotient(a, b);
      CHECK((rest == 0 || (rest < 0) == (b < 0)));
      CHECK(std::fabs(rest) <= std::fabs(b));
      if (std::fabs(a) < 100) {
        CHECK(quotient == std::rint(quotient));
        CHECK(quotient * b + rest == doctest::Approx(a));
      }
    }
  }
  CHECK(float_modulo(-1.0f, 3.0f) == 2.0f);
  CHECK(float_quotient(-1.0f, 3.0f) == -1.0f);
  // Arguments for which the quotient's division rounds to just below a whole number.
  CHECK(float_quotient(-39546.0546875f, 22.337547302246094f) == -1771.0f);
  CHECK(float_quotient(722017.75f, 23.973323822021484f) == 30117.0f);
  CHECK(float_quotient(146765406044.6172, -2689.7075814746845) == -54565563.0);
  CHECK(std::signbit(float_modulo(4.0f, -2.0f)));
  CHECK(std::isnan(float_modulo(1.0, 0.0)));
  CHECK(float_quotient(1.0, 0.0) == inf);
  CHECK(std::isnan(float_modulo(inf, 2.0)));
}

TEST_CASE("arithmetic: sign and bits") {
  CHECK(sign(-2.5f) == -1.0f);
  CHECK(std::signbit(sign(-0.0f)));
  CHECK(std::isnan(sign(std::nanf(""))));
  CHECK(bitcast<uint32_t>(1.0f) == 0x3f800000u);
  CHECK(bitcast<float>(0x40490fdb) == doctest::Approx(3.14159274));
}

// The known answers that come with Random123 (kat_vectors, philox4x32 with 10 rounds).
TEST_CASE("arithmetic: random bits are Philox 4x32-10") {
  const uint64_t ones = ~UINT64_C(0);
  const uint32_t of_zeros[] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
  const uint32_t of_ones[] = {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd};
  for (uint64_t i = 0; i < 4; ++i) {
    CHECK(random_bits(0, 0, 0, i) == of_zeros[i]);
    CHECK(random_bits(ones, ones, ones, i) == of_ones[i]);
    CHECK(random_bits(0, ones, 0, 4 + i) == of_zeros[i]);  // the counter wraps
  }
}
