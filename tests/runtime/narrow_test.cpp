#include <doctest/doctest.h>
#include <pallasgen/launch.h>

#include <cmath>
#include <pallasgen/narrow.cuh>
#include <vector>

#include "element_kernels.cuh"

using namespace pallasgen;

namespace {

template <class T>
T from_code(int code) {
  T x;
  x.__x = static_cast<decltype(x.__x)>(code);
  return x;
}

// Every value of a format converts to itself; values between two neighbours go to the nearer, the even one in a tie.
template <class T>
void check_rounding(int codes, float largest) {
  int wrong = 0;
  for (int code = 0; code < codes; ++code) {
    const float value = to_float(from_code<T>(code));
    if (std::isnan(value) || std::isinf(value)) continue;
    wrong += to_float(cast<T>(value)) != value;
    wrong += to_float(cast<T>(-value)) != -value;
    const float next = to_float(from_code<T>(code + 1));
    if (code + 1 == codes || std::isnan(next) || std::isinf(next)) continue;
    const float middle = (value + next) / 2;
    wrong += to_float(cast<T>(middle)) != (code % 2 == 0 ? value : next);
    wrong += to_float(cast<T>(std::nextafter(middle, 0.0f))) != value;
    wrong += to_float(cast<T>(std::nextafter(middle, INFINITY))) != next;
    wrong += to_float(cast<T>(static_cast<double>(middle) * (1 + 0x1p-40))) != next;  // rounds once
  }
  CHECK(wrong == 0);
  CHECK(to_float(cast<T>(1e9f)) == largest);
  CHECK(to_float(cast<T>(-1e9)) == -largest);
  CHECK(to_float(cast<T>(INFINITY)) == largest);
  CHECK(to_float(cast<T>(1000000)) == largest);
}

}  // namespace

TEST_CASE("narrow: floats of 8 and 4 bits round to nearest even and saturate") {
  check_rounding<f8e4m3>(0x80, 448);
  check_rounding<f8e5m2>(0x80, 57344);
  check_rounding<f4e2m1>(8, 6);
  CHECK(std::isnan(to_float(cast<f8e4m3>(NAN))));
  CHECK(std::isnan(to_float(cast<f8e5m2>(NAN))));
  CHECK(to_float(cast<f4e2m1>(NAN)) == 6);
  CHECK(is_nan(cast<f8e4m3>(NAN)));
  CHECK(to_float(maximum(cast<f8e4m3>(1.0f), cast<f8e4m3>(2.0f))) == 2);
  CHECK(cast<int8_t>(cast<f8e5m2>(-3.5f)) == -3);
  CHECK(cast<bool>(cast<f4e2m1>(0.5f)));
  CHECK(to_float(cast<bf16>(cast<f8e4m3>(0.3125f))) == 0.3125f);
}

TEST_CASE("narrow: f8e8m0 holds powers of two, ties go up") {
  for (int exponent = -127; exponent <= 127; ++exponent) {
    const double power = std::ldexp(1.0, exponent);
    CAPTURE(exponent);
    CHECK(cast<f8e8m0>(power).__x == exponent + 127);
    CHECK(to_float(cast<f8e8m0>(power)) == static_cast<float>(power));
    CHECK(cast<f8e8m0>(power * 1.49).__x == exponent + 127);
    CHECK(cast<f8e8m0>(power * 1.5).__x == std::min(exponent + 128, 254));
  }
  CHECK(cast<f8e8m0>(0.0f).__x == 0);
  CHECK(cast<f8e8m0>(-0.0f).__x == 0);
  CHECK(cast<f8e8m0>(INFINITY).__x == 254);
  CHECK(cast<f8e8m0>(-1.0f).__x == 255);
  CHECK(std::isnan(to_float(cast<f8e8m0>(NAN))));
}

TEST_CASE("narrow: f8e8m0 of a float is that of the same double, all signs, exponents and halves of fractions") {
  int wrong = 0;
  for (uint32_t top = 0; top < 1u << 16; ++top) {
    for (const uint32_t low : {0u, 1u, 0xffffu}) {
      const float x = bitcast<float>(top << 16 | low);
      wrong += cast<f8e8m0>(x).__x == cast<f8e8m0>(static_cast<double>(x)).__x ? 0 : 1;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("narrow: integers of 4 bits wrap, all pairs") {
  const auto wrapped = [](int x) { return ((x & 15) ^ 8) - 8; };
  int wrong = 0;
  for (int a = -8; a < 8; ++a) {
    for (int b = -8; b < 8; ++b) {
      wrong += wrap_add(i4(a), i4(b)) != wrapped(a + b);
      wrong += wrap_multiply(i4(a), i4(b)) != wrapped(a * b);
      wrong += wrap_subtract(u4(a), u4(b)) != ((a - b) & 15);
      wrong += maximum(i4(a), i4(b)) != (a > b ? a : b);
      wrong += shift_left(i4(a), i4(b)) != (b >= 0 && b < 4 ? wrapped(a << b) : 0);
      wrong += shift_right(i4(a), i4(b)) != (b >= 0 && b < 4 ? a >> b : a < 0 ? -1 : 0);
      if (b != 0) wrong += floor_divide(i4(a), i4(b)) != wrapped(static_cast<int>(std::floor(double(a) / b)));
      if (b != 0) wrong += floor_modulo(i4(a), i4(b)) != wrapped(a - static_cast<int>(std::floor(double(a) / b)) * b);
    }
    wrong += wrap_abs(i4(a)) != wrapped(std::abs(a));
    wrong += sign(i4(a)) != (a > 0) - (a < 0);
  }
  CHECK(wrong == 0);
  CHECK(floor_divide(i4(3), i4(0)) == -8);
  CHECK(cast<i4>(100.0f) == 7);
  CHECK(cast<i4>(-100.0f) == -8);
  CHECK(cast<u4>(15.9) == 15);
  CHECK(cast<float>(i4(-3)) == -3.0f);
  CHECK(cast<bf16>(u4(13)) == cast<bf16>(13.0f));
}

namespace {

// `outside`: the code of -1.
template <class T>
void check_shift_of_halves(int outside) {
  const int64_t M = 7, N = 9;
  std::vector<uint8_t> in((M * N + 1) / 2), out((M * N + 1) / 2 + 3, 0xab);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<uint8_t>(i * 37);
  REQUIRE(launch(elements::shift<T>, 1, 128, 0, nullptr, reinterpret_cast<const T*>(in.data()),
                 reinterpret_cast<T*>(out.data()), M, N, M, N, 0, 1) == cudaSuccess);
  const auto half = [](const std::vector<uint8_t>& bytes, int64_t i) { return bytes[i / 2] >> (i % 2 * 4) & 15; };
  int wrong = 0;
  for (int64_t i = 0; i < M * N; ++i) wrong += half(out, i) != (i % N == N - 1 ? outside : half(in, i + 1));
  CHECK(wrong == 0);
  CHECK(half(out, M * N) == 0xa);  // the other half of the last byte
  CHECK(out.back() == 0xab);
}

}  // namespace

TEST_CASE("narrow: elements of 4 bits share a byte, also those that two threads store") {
  check_shift_of_halves<i4x2>(15);
  check_shift_of_halves<u4x2>(15);
  check_shift_of_halves<f4e2m1x2>(10);  // 1 010
}
