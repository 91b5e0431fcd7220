// Computes elementwise functions in long double and compares a kernel's results with them: the witness of bounds.py.
//
//   bounds_witness DTYPE X Y    reads requests from stdin, one a line:
//
//     FUNCTION MODE BASE SLOPE FILE
//
// X, Y and FILE are arrays of the dtype, raw. MODE is the measure of an error and its limit:
//
//   units     BASE units in the last place of the dtype (where a dtype is narrower than f32, SLOPE more of f32)
//   size      the same, of the larger of the result and the argument
//   relative  BASE + SLOPE * abs(x) times the result; subnormal arguments and results may be 0
//   negative  the same, SLOPE where x < 0 alone
//   absolute  BASE
//
// The answer to each request is a line: FUNCTION, how many elements are beyond the bound, the largest error relative to
// its limit, and the x, y, kernel's result and right result at that error.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace {

using Real = long double;

struct Format {
  int bytes, bits, least, most;  // significant bits, exponents of the smallest and the largest normal number
  Real largest = INFINITY;       // the largest finite result of a format that saturates; infinity otherwise
};
const std::map<std::string, Format> kFormats = {{"f8e4m3", {1, 4, -6, 8, 448}}, {"f8e5m2", {1, 3, -14, 15, 57344}},
                                                {"f16", {2, 11, -14, 15}},      {"bf16", {2, 8, -126, 127}},
                                                {"f32", {4, 24, -126, 127}},    {"f64", {8, 53, -1022, 1023}}};

double decoded(const Format& format, uint64_t bits) {
  if (format.bytes == 8) return std::bit_cast<double>(bits);
  const int fraction_bits = format.bits - 1, exponent_bits = 8 * format.bytes - format.bits;
  const uint64_t fraction = bits & ((uint64_t{1} << fraction_bits) - 1);
  const int exponent = static_cast<int>(bits >> fraction_bits & ((1U << exponent_bits) - 1));
  // The format without infinities uses the last exponent for numbers and one NaN.
  const bool has_infinity = format.bytes > 1 || format.bits != 4;
  if (!has_infinity && (bits & 0x7f) == 0x7f) return NAN;
  double size = std::ldexp(static_cast<double>(fraction | uint64_t{exponent > 0} << fraction_bits),
                           std::max(exponent, 1) - 1 + format.least - fraction_bits);
  if (has_infinity && exponent == (1 << exponent_bits) - 1) size = fraction ? NAN : INFINITY;
  return bits >> (8 * format.bytes - 1) ? -size : size;
}

std::vector<double> values_of(const Format& format, const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::vector<double> values;
  for (size_t at = 0; at + static_cast<size_t>(format.bytes) <= text.size(); at += static_cast<size_t>(format.bytes)) {
    uint64_t bits = 0;
    for (int i = format.bytes - 1; i >= 0; --i)
      bits = bits << 8 | static_cast<uint8_t>(text[at + static_cast<size_t>(i)]);
    values.push_back(decoded(format, bits));
  }
  return values;
}

Real logistic(Real x) { return x < 0 ? expl(x) / (1 + expl(x)) : 1 / (1 + expl(-x)); }
Real sign(Real x) { return std::isnan(x) || x == 0 ? x : copysignl(1, x); }
Real smaller(Real x, Real y) {
  if (std::isnan(x) || std::isnan(y)) return NAN;
  return x < y || (x == y && std::signbit(x)) ? x : y;
}
Real larger(Real x, Real y) { return -smaller(-x, -y); }

using Function = std::function<Real(Real, Real)>;
const std::map<std::string, Function> kFunctions = {
    {"+", [](Real x, Real y) { return x + y; }},
    {"-", [](Real x, Real y) { return x - y; }},
    {"*", [](Real x, Real y) { return x * y; }},
    {"/", [](Real x, Real y) { return x / y; }},
    {"fma", [](Real x, Real y) { return fmal(x, y, x); }},
    {"sqrt", [](Real x, Real) { return sqrtl(x); }},
    {"rsqrt", [](Real x, Real) { return 1 / sqrtl(x); }},
    {"exp", [](Real x, Real) { return expl(x); }},
    {"exp2", [](Real x, Real) { return exp2l(x); }},
    {"expm1", [](Real x, Real) { return expm1l(x); }},
    {"log", [](Real x, Real) { return logl(x); }},
    {"log2", [](Real x, Real) { return log2l(x); }},
    {"log1p", [](Real x, Real) { return log1pl(x); }},
    {"sin", [](Real x, Real) { return sinl(x); }},
    {"cos", [](Real x, Real) { return cosl(x); }},
    {"tan", [](Real x, Real) { return tanl(x); }},
    {"tanh", [](Real x, Real) { return tanhl(x); }},
    {"erf", [](Real x, Real) { return erfl(x); }},
    {"logistic", [](Real x, Real) { return logistic(x); }},
    {"atan2", [](Real x, Real y) { return atan2l(x, y); }},
    {"pow", [](Real x, Real y) { return powl(x, y); }},
    {"abs", [](Real x, Real) { return fabsl(x); }},
    {"neg", [](Real x, Real) { return -x; }},
    {"sign", [](Real x, Real) { return sign(x); }},
    {"minimum", [](Real x, Real y) { return smaller(x, y); }},
    {"maximum", [](Real x, Real y) { return larger(x, y); }},
    {"clamp", [](Real x, Real y) { return smaller(larger(x, y), 2.5L); }},
    {"where", [](Real x, Real y) { return x < y ? x : y; }},
    {"floor", [](Real x, Real) { return floorl(x); }},
    {"ceil", [](Real x, Real) { return ceill(x); }},
    {"round", [](Real x, Real) { return rintl(x); }},
    {"trunc", [](Real x, Real) { return truncl(x); }},
    {"gelu", [](Real x, Real) { return std::isinf(x) && x < 0 ? NAN : x / 2 * erfcl(-x * sqrtl(0.5L)); }},
    {"gelu_tanh", [](Real x, Real) { return x / 2 * (1 + tanhl(sqrtl(2 / acosl(-1)) * (x + 0.044715L * x * x * x))); }},
    {"silu", [](Real x, Real) { return x * logistic(x); }},
    {"softplus", [](Real x, Real) { return larger(x, 0) + log1pl(expl(-fabsl(x))); }},
};

// Returns the distance to the next number of the format at this size.
Real unit_at(const Format& format, Real size) {
  int exponent = format.least;
  if (size > 0 && std::isfinite(size)) exponent = std::clamp(ilogbl(size), format.least, format.most);
  return ldexpl(1, exponent - format.bits + 1);
}

struct Request {
  std::string function, mode;
  Real base, slope;
};

// Returns the error of a result relative to its limit; infinite if only one of the two is NaN.
Real error_of(const Format& format, const Request& ask, Real x, Real got, Real want) {
  if (std::isnan(want) || std::isnan(got)) return std::isnan(want) == std::isnan(got) ? 0 : INFINITY;
  const bool coarse = ask.mode == "relative" || ask.mode == "negative" || ask.mode == "absolute";
  const bool either = ask.function == "minimum" || ask.function == "maximum" || ask.function == "clamp";
  if (want == 0 && got == 0) return coarse || either || std::signbit(want) == std::signbit(got) ? 0 : INFINITY;
  if (std::isfinite(format.largest)) want = std::clamp(want, -format.largest, format.largest);
  if (std::isinf(want)) return got == want ? 0 : INFINITY;
  // Infinity counts as the number after the largest one, as in rounding.
  const Real end = ldexpl(1, format.most + 1);
  const Real right = std::clamp(want, -end, end), error = fabsl(std::clamp(got, -end, end) - right);
  if (error == 0) return 0;
  Real allowed = ask.base;
  if (ask.mode == "units" || ask.mode == "size") {
    const Real size = ask.mode == "size" ? std::max(fabsl(right), fabsl(x)) : fabsl(right);
    allowed *= unit_at(format, size);
    if (format.bytes < 4) allowed += ask.slope * unit_at(kFormats.at("f32"), size);
  } else if (ask.mode != "absolute") {
    if (ask.mode == "relative" || x < 0) allowed += ask.slope * fabsl(x);
    allowed *= fabsl(right);
    const Real smallest = ldexpl(1, format.least);
    if (fabsl(right) < smallest * (1 + ask.base)) {
      if (got == 0) return 0;
      allowed += unit_at(format, 0);
    }
  }
  if (allowed == 0) return INFINITY;
  return error / (allowed + fabsl(right) * 4 * std::numeric_limits<Real>::epsilon());  // the witness's own error
}

}  // namespace

int main(int, char** argv) {
  const Format format = kFormats.at(argv[1]);
  const std::vector<double> xs = values_of(format, argv[2]), ys = values_of(format, argv[3]);
  const Real smallest = ldexpl(1, format.least);
  for (std::string line; std::getline(std::cin, line);) {
    Request ask;
    std::string file;
    std::istringstream(line) >> ask.function >> ask.mode >> ask.base >> ask.slope >> file;
    const Function& function = kFunctions.at(ask.function);
    const std::vector<double> results = values_of(format, file);
    if (results.size() != xs.size()) {
      std::printf("%s has %zu results of %zu\n", ask.function.c_str(), results.size(), xs.size());
      return 1;
    }
    const bool flushes = ask.mode == "relative" || ask.mode == "negative" || ask.mode == "absolute";
    const auto flushed = [&](Real x) { return fabsl(x) < smallest ? copysignl(0, x) : x; };
    Real worst = -1;
    size_t place = 0, beyond = 0;
    for (size_t i = 0; i < xs.size(); ++i) {
      const Real x = xs[i], y = ys[i], got = results[i];
      Real error = error_of(format, ask, x, got, function(x, y));
      if (flushes)
        for (const auto& [a, b] :
             {std::pair(flushed(x), y), std::pair(x, flushed(y)), std::pair(flushed(x), flushed(y))})
          error = std::min(error, error_of(format, ask, x, got, function(a, b)));
      // The reciprocal of a divisor beyond 2^126 is a subnormal number, which is flushed to 0.
      if (flushes && ask.function == "/" && fabsl(y) > 1 / smallest) error = error_of(format, ask, x, got, x * 0);
      beyond += error > 1;
      if (error > worst) worst = error, place = i;
    }
    std::printf("%s %zu %.4Lg x=%.17g y=%.17g got=%.17g want=%.20Lg\n", ask.function.c_str(), beyond, worst, xs[place],
                ys[place], results[place], function(xs[place], ys[place]));
  }
  return 0;
}
