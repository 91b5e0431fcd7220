#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <pallasgen/approximate.cuh>
#include <pallasgen/arithmetic.cuh>
#include <pallasgen/trigonometry.cuh>
#include <random>
#include <vector>

using namespace pallasgen;

namespace {

float float_of(uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

// Returns the distance in units in the last place of the float nearest to `want`; subnormals have the smallest unit.
double ulps(float got, double want) {
  int exponent;
  std::frexp(std::max(std::fabs(want), 0x1p-126), &exponent);
  return std::fabs(got - want) / std::ldexp(1.0, exponent - 24);
}

struct Worst {
  double sine = 0, cosine = 0, tangent = 0;
};

// glibc's functions of doubles are exact to less than one unit in their own last place, for every argument.
void take(Worst& worst, float x) {
  const double exact = x;
  worst.sine = std::max(worst.sine, ulps(sine(x), std::sin(exact)));
  worst.cosine = std::max(worst.cosine, ulps(cosine(x), std::cos(exact)));
  worst.tangent = std::max(worst.tangent, ulps(tangent(x), std::tan(exact)));
}

// Over all floats: 1.577, 1.585 and 3.781.
void within(const Worst& worst) {
  CHECK(worst.sine > 0.5);  // or nothing was measured
  CHECK(worst.sine < 1.6);
  CHECK(worst.cosine < 1.6);
  CHECK(worst.tangent < 3.8);
}

}  // namespace

TEST_CASE("trigonometry: floats of all sizes are within the documented bounds") {
  Worst worst;
  for (uint32_t bits = 0; bits < 0x7f800000; bits += 2003) {
    take(worst, float_of(bits));
    take(worst, -float_of(bits));
  }
  within(worst);
}

TEST_CASE("trigonometry: the floats nearest to multiples of pi/2, where one of each pair is near 0") {
  Worst worst;
  std::mt19937_64 random(1);
  for (int i = 0; i < 200000; ++i) {
    const int bits = 1 + static_cast<int>(random() % 63);
    const auto near = static_cast<float>(static_cast<double>(random() >> (64 - bits)) * 1.5707963267948966);
    take(worst, near);
    take(worst, std::nextafterf(near, 0.0f));
  }
  // Arguments on both sides of the change of the reduction.
  for (float x = 65000.0f; x < 66000.0f; x = std::nextafterf(x, 1e30f)) take(worst, x);
  within(worst);
}

TEST_CASE("trigonometry: zeros, infinities and NaN") {
  CHECK(std::signbit(sine(-0.0f)));
  CHECK(std::signbit(tangent(-0.0f)));
  CHECK(cosine(-0.0f) == 1.0f);
  CHECK(sine(1e-40f) == 1e-40f);
  for (const float x : {INFINITY, -INFINITY, NAN}) {
    CHECK(std::isnan(sine(x)));
    CHECK(std::isnan(cosine(x)));
    CHECK(std::isnan(tangent(x)));
    CHECK(std::isnan(sine(static_cast<double>(x))));
  }
}

TEST_CASE("trigonometry: doubles against the C library, also where the reduction needs all its bits") {
  const auto close = [](double got, double want, double units) {
    const double unit = std::nextafter(std::fabs(want), INFINITY) - std::fabs(want);
    CHECK(std::fabs(got - want) <= (units + 1) * unit);  // the library's own error is below 1
  };
  std::vector<double> arguments = {std::numeric_limits<double>::max(), 0x1p20, -0x1p20, 1e5};
  std::mt19937_64 random(2);
  for (int i = 0; i < 100000; ++i) {
    const uint64_t bits = random() % 0x7ff0000000000000;
    double x;
    std::memcpy(&x, &bits, sizeof x);
    arguments.push_back(x);
    const int length = 1 + static_cast<int>(random() % 63);
    arguments.push_back(-static_cast<double>(random() >> (64 - length)) * 1.5707963267948966);
  }
  // The double nearest to a multiple of pi/2, to 60 bits below it: compared with 1500 bits of precision, the library is
  // 7 units off.
  close(cosine(0x1.6ac5b262ca1ffp+849), -4.6871659242546276111e-19, 2.5);
  for (const double x : arguments) {
    CAPTURE(x);
    close(sine(x), std::sin(x), 2.5);
    close(cosine(x), std::cos(x), 2.5);
    close(tangent(x), std::tan(x), 4);
  }
}

TEST_CASE("rsqrt: a quotient and a root, each rounded, over the two binades that all others repeat") {
  double worst = 0;
  for (uint32_t bits = 0x3f800000; bits < 0x40800000; ++bits) {
    const float x = float_of(bits);
    worst = std::max(worst, ulps(1.0f / std::sqrt(x), 1 / std::sqrt(static_cast<double>(x))));
  }
  CHECK(worst > 1.49);
  CHECK(worst < 1.5);
}

TEST_CASE(
    "logistic: within the documented bound at every exponent, whichever neighbour of the power the GPU's expf gives") {
  double worst = 0;
  const auto take = [&](float x) {
    const double power = std::exp(-std::fabs(static_cast<double>(x)));
    const double want = (x < 0 ? power : 1) / (1 + power);
    const auto nearest = static_cast<float>(power);
    for (const float p : {std::nextafterf(nearest, 0.0f), nearest, std::min(std::nextafterf(nearest, 2.0f), 1.0f)})
      worst = std::max(worst, ulps(logistic_of(x, p), want));
  };
  for (uint32_t bits = 0; bits < 0x7f800000; bits += 4001) {
    take(float_of(bits));
    take(-float_of(bits));
  }
  for (float x = 0; x < 110; x += 0x1p-12f) take(-x);  // down to the smallest subnormal and beyond
  CHECK(worst > 4);
  CHECK(worst < 4.5);
  CHECK(logistic(-100.0f) == static_cast<float>(std::exp(-100.0)));
  CHECK(logistic(-740.0) == doctest::Approx(std::exp(-740.0)));
  CHECK(logistic(-INFINITY) == 0);
  CHECK(logistic(INFINITY) == 1);
  CHECK(std::isnan(logistic(NAN)));
}

TEST_CASE("approximations: within the documented bounds, and coarse enough to try a tolerance") {
  double exp2 = 0, exp = 0, tanh = 0, logistic = 0, divide = 0, erf = 0, rsqrt = 0;
  const auto relative = [](float got, double want) { return std::fabs(got - want) / std::fabs(want); };
  for (float x = -80.0f; x < 80.0f; x += 0.001f) {
    const double exact = x;
    exp2 = std::max(exp2, relative(fast_exp2(x), std::exp2(exact)));
    exp = std::max(exp, relative(fast_exp(x), std::exp(exact)) / (0x1p-22 + std::fabs(exact) * 0x1p-23));
    if (std::fabs(x) > 1e-4) tanh = std::max(tanh, relative(fast_tanh(x), std::tanh(exact)));
    const double bound = 0x1p-21 + std::max(-exact, 0.0) * 0x1p-23;
    logistic = std::max(logistic, relative(fast_logistic(x), 1 / (1 + std::exp(-exact))) / bound);
    erf = std::max(erf, std::fabs(fast_erf(x / 16) - std::erf(exact / 16)));
    divide = std::max(divide, relative(fast_divide(3.0f, x), 3.0 / exact));
    if (x > 0) rsqrt = std::max(rsqrt, relative(fast_rsqrt(x), 1 / std::sqrt(exact)));
  }
  CHECK(exp2 <= 0x1p-22);
  CHECK(exp2 > 0x1p-23);
  CHECK(exp <= 1);
  CHECK(rsqrt <= 0x1p-22);
  CHECK(rsqrt > 0x1p-23);
  CHECK(std::isinf(fast_rsqrt(0.0f)));
  CHECK(fast_rsqrt(INFINITY) == 0);
  CHECK(std::isnan(fast_rsqrt(-1.0f)));
  CHECK(tanh <= 0x1p-11);
  CHECK(tanh > 0x1p-12);
  CHECK(logistic <= 1);
  CHECK(divide <= 0x1p-22);
  CHECK(divide > 0x1p-24);
  CHECK(erf <= 0x1p-21);
  CHECK(fast_erf(-0.0f) == 0);
  CHECK(std::signbit(fast_erf(-0.0f)));
  CHECK(fast_erf(-INFINITY) == -1);
  CHECK(std::isnan(fast_erf(NAN)));
  CHECK(fast_exp(-INFINITY) == 0);
  CHECK(std::isinf(fast_exp(INFINITY)));
  CHECK(fast_logistic(-INFINITY) == 0);
  CHECK(fast_logistic(INFINITY) == 1);
  CHECK(fast_tanh(INFINITY) == 1);
  CHECK(std::isnan(fast_exp(NAN)));
  CHECK(fast_exp2(-127.0f) == 0);  // subnormal: flushed
}
