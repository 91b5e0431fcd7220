#include <doctest/doctest.h>
#include <pallasgen/emulator/emulator.h>
#include <pallasgen/launch.h>

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "reduce_kernels.cuh"

using namespace reductions;

namespace {

// The layout determines the order, which is not the rows' own, so sums are compared with a tolerance.
template <class T>
bool close(T got, double want) {
  if constexpr (kIsSame<T, bf16> || kIsSame<T, f16>) {
    return std::fabs(static_cast<double>(to_float(got)) - want) <= 1e-2 * std::fabs(want) + 1e-3;
  } else {
    if (std::isnan(want)) return got != got;
    return std::fabs(static_cast<double>(got) - want) <= 1e-5 * std::fabs(want);
  }
}

template <class Combine, class T, class L>
void check_rows(int64_t M, int64_t N, double (*combine)(double, double), double start, T (*value)(int64_t)) {
  const auto in = std::make_unique<T[]>(static_cast<size_t>(M * N));
  const auto out = std::make_unique<T[]>(static_cast<size_t>(M));
  const auto spread = std::make_unique<T[]>(static_cast<size_t>(L::kRows) * L::kColumns);
  for (int64_t i = 0; i < M * N; ++i) in[static_cast<size_t>(i)] = value(i);
  constexpr size_t bytes = L::kLanes > 32 ? sizeof(Tiles<T, L>) : 0;
  const T* source = in.get();
  REQUIRE(launch(rows<Combine, T, L>, 1, L::kThreads, bytes, nullptr, source, out.get(), spread.get(), M, N) ==
          cudaSuccess);
  int wrong = 0;
  for (int64_t r = 0; r < M; ++r) {
    double want = start;
    for (int64_t c = 0; c < N; ++c) {
      double x;
      if constexpr (kIsHalf<T>)
        x = to_float(in[static_cast<size_t>(r * N + c)]);
      else
        x = static_cast<double>(in[static_cast<size_t>(r * N + c)]);
      want = combine(want, x);
    }
    wrong += !close(out[static_cast<size_t>(r)], want);
    for (int64_t c = 0; c < L::kColumns; ++c) {
      const T& there = spread[static_cast<size_t>(r * L::kColumns + c)];
      wrong += memcmp(&there, &out[static_cast<size_t>(r)], sizeof(T)) != 0;
    }
  }
  CHECK(wrong == 0);
}

template <class L, int Groups, int Lines = column_lines<L>()>
void check_columns(int64_t M, int64_t N) {
  std::vector<float> in(static_cast<size_t>(M * N)), out(static_cast<size_t>(N), -1.0f),
      spread(static_cast<size_t>(Groups * L::kRows * L::kColumns));
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i * 37 % 101) - 50.0f;
  constexpr size_t bytes = 2 * sizeof(float) * L::kColumns * Groups * Lines + 64;
  REQUIRE(launch(columns<L, Groups, Lines>, 1, Groups * L::kThreads, bytes, nullptr,
                 static_cast<const float*>(in.data()), out.data(), spread.data(), M, N) == cudaSuccess);
  int wrong = 0;
  for (int64_t c = 0; c < L::kColumns; ++c) {
    float want = 0;
    for (int64_t r = 0; r < M && c < N; ++r) want += in[static_cast<size_t>(r * N + c)];
    wrong += c < N && out[static_cast<size_t>(c)] != want;
    for (int64_t r = 0; r < Groups * L::kRows; ++r) wrong += spread[static_cast<size_t>(r * L::kColumns + c)] != want;
  }
  CHECK(wrong == 0);
}

// The sums of the columns of N numbers, whose last bits show the order.
template <class L, int Groups>
std::vector<float> column_sums() {
  constexpr int64_t M = Groups * L::kRows, N = L::kColumns;
  std::vector<float> in(static_cast<size_t>(M * N)), out(static_cast<size_t>(N)), spread(in.size());
  for (size_t i = 0; i < in.size(); ++i) in[i] = std::ldexp(static_cast<float>(i * 7919 % 10007), -int(i % 23));
  constexpr size_t bytes = 2 * sizeof(float) * N * Groups * column_lines<L>() + 64;
  REQUIRE(launch(columns<L, Groups>, 1, Groups * L::kThreads, bytes, nullptr, static_cast<const float*>(in.data()),
                 out.data(), spread.data(), M, N) == cudaSuccess);
  return out;
}

// The results of the warpgroups of `across`, and of a warpgroup that has all columns.
struct Across {
  std::vector<float> rows, row_parts, columns, running;
  bool operator==(const Across&) const = default;
};
template <class L, int Groups>
Across sums_across() {
  constexpr size_t M = L::kRows, N = Groups * L::kColumns;
  std::vector<float> in(M * N);
  for (size_t i = 0; i < in.size(); ++i) in[i] = std::ldexp(static_cast<float>(i * 7919 % 10007), -int(i % 23));
  Across out{std::vector<float>(Groups * M), std::vector<float>(Groups * M), std::vector<float>(N),
             std::vector<float>(M * N)};
  constexpr size_t bytes = sizeof(float) * (3 * 128 * M / 32 + N * M / 16) + 64;
  REQUIRE(launch(across<L, Groups>, 1, Groups * 128, bytes, nullptr, static_cast<const float*>(in.data()),
                 out.rows.data(), out.row_parts.data(), out.columns.data(), out.running.data()) == cudaSuccess);
  for (int g = 1; g < Groups; ++g) {
    for (std::vector<float>* each : {&out.rows, &out.row_parts})
      CHECK(std::equal(each->begin(), each->begin() + M, each->begin() + static_cast<long>(g * M)));
  }
  out.rows.resize(M);
  out.row_parts.resize(M);
  return out;
}

double add(double a, double b) { return a + b; }
double multiply(double a, double b) { return a * b; }
double larger(double a, double b) { return a > b || std::isnan(a) ? a : b; }
double smaller(double a, double b) { return a < b || std::isnan(a) ? a : b; }
double either(double a, double b) { return a != 0 || b != 0; }
double both(double a, double b) { return a != 0 && b != 0; }

template <class T>
T signed_value(int64_t i) {
  return static_cast<T>(i * 37 % 101 - 50);
}
float positive(int64_t i) { return 1.0f + static_cast<float>(i % 7) / 16.0f; }
float negative(int64_t i) { return -2.0f - static_cast<float>(i % 5); }
float with_nan(int64_t i) {
  return i % 97 == 13 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(i % 11);
}
bf16 half_value(int64_t i) { return __float2bfloat16_rn(static_cast<float>(i % 13) - 20.0f); }

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("reduce: rows of a few lanes, of a warp, of several warps") {
  check_rows<Sum, float, RowsLayout<32, 1, 1, 40, 3>>(40, 3, add, 0, positive);
  check_rows<Sum, float, RowsLayout<64, 4, 4, 16, 16>>(16, 16, add, 0, positive);
  check_rows<Sum, float, RowsLayout<128, 8, 4, 50, 36>>(50, 36, add, 0, positive);
  check_rows<Sum, float, RowsLayout<128, 32, 4, 8, 256>>(8, 256, add, 0, positive);
  check_rows<Sum, float, RowsLayout<256, 64, 4, 6, 520>>(6, 520, add, 0, positive);
  check_rows<Sum, float, RowsLayout<256, 128, 2, 3, 2050>>(3, 2050, add, 0, positive);
  check_rows<Sum, double, RowsLayout<512, 512, 2, 2, 5000>>(2, 5000, add, 0, signed_value<double>);
}

TEST_CASE("reduce: what the block has no element for does not count") {
  // All negative: a zero from a lane without a column would show in a maximum; 13 columns of 16 lanes.
  check_rows<Maximum, float, RowsLayout<128, 16, 1, 50, 13>>(50, 13, larger, -kInfinity, negative);
  check_rows<Minimum, float, RowsLayout<128, 16, 1, 7, 13>>(7, 13, smaller, kInfinity, positive);
  check_rows<Product, float, RowsLayout<64, 32, 1, 5, 33>>(5, 33, multiply, 1, positive);
  check_rows<Maximum, float, RowsLayout<128, 64, 1, 3, 70>>(3, 70, larger, -kInfinity, negative);
  // Groups of lanes without rows, and a block that extends past the array.
  check_rows<Sum, float, RowsLayout<256, 16, 4, 5, 64>>(5, 64, add, 0, positive);
  check_rows<Maximum, float, RowsLayout<128, 32, 4, 8, 256>>(5, 200, larger, -kInfinity, negative);
}

TEST_CASE("reduce: every combination and size of element") {
  check_rows<Sum, int32_t, RowsLayout<64, 8, 4, 8, 64>>(8, 64, add, 0, signed_value<int32_t>);
  check_rows<Maximum, int8_t, RowsLayout<64, 8, 8, 8, 64>>(8, 64, larger, -128, signed_value<int8_t>);
  check_rows<Minimum, int64_t, RowsLayout<64, 32, 2, 4, 100>>(4, 100, smaller, 1e18, signed_value<int64_t>);
  check_rows<Maximum, uint32_t, RowsLayout<64, 32, 4, 4, 128>>(4, 128, larger, 0, signed_value<uint32_t>);
  check_rows<Minimum, uint16_t, RowsLayout<64, 32, 4, 4, 128>>(4, 128, smaller, 65535, signed_value<uint16_t>);
  check_rows<Maximum, bf16, RowsLayout<128, 32, 8, 4, 512>>(4, 512, larger, -kInfinity, half_value);
  check_rows<Maximum, float, RowsLayout<64, 32, 4, 4, 128>>(4, 128, larger, -kInfinity, with_nan);
  check_rows<Minimum, float, RowsLayout<128, 64, 4, 4, 512>>(4, 512, smaller, kInfinity, with_nan);
  check_rows<Any, bool, RowsLayout<64, 16, 1, 9, 20>>(9, 20, either, 0, [](int64_t i) { return i % 41 == 3; });
  check_rows<All, bool, RowsLayout<64, 16, 1, 9, 20>>(9, 20, both, 1, [](int64_t i) { return i % 41 != 3; });
}

TEST_CASE("reduce: each warpgroup by its own barrier and tile") {
  using L = RowsLayout<128, 128, 4, 3, 600>;
  std::vector<float> in(6 * 600), out(6, 0.0f);
  for (size_t i = 0; i < in.size(); ++i) in[i] = positive(static_cast<int64_t>(i));
  REQUIRE(launch(in_warpgroups<L>, 1, 256, 2 * sizeof(float[3][4]), nullptr, in.data(), out.data(), int64_t{6},
                 int64_t{600}) == cudaSuccess);
  for (size_t r = 0; r < 6; ++r) {
    double want = 0;
    for (size_t c = 0; c < 600; ++c) want += in[r * 600 + c];
    CHECK(close(out[r], want));
  }
}

TEST_CASE("reduce: the order in columns of accumulators is that of their rows, for any number of warpgroups") {
  CHECK(column_sums<WgmmaLayout<192, 16>, 1>() == column_sums<WgmmaLayout<64, 16>, 3>());
  CHECK(column_sums<WgmmaLayout<128, 8>, 1>() == column_sums<WgmmaLayout<64, 8>, 2>());
  CHECK(column_sums<WgmmaLayout<128, 24>, 2>() == column_sums<WgmmaLayout<256, 24>, 1>());
}

TEST_CASE("reduce: the order in columns of rows in turn is the same for any number of threads and lanes") {
  const std::vector<float> sums = column_sums<RowsLayout<32, 4, 4, 100, 16>, 1>();
  CHECK(sums == column_sums<RowsLayout<64, 4, 4, 100, 16>, 1>());
  CHECK(sums == column_sums<RowsLayout<512, 4, 4, 100, 16>, 1>());
  CHECK(sums == column_sums<RowsLayout<128, 2, 4, 100, 16>, 1>());
  CHECK(sums == column_sums<RowsLayout<128, 16, 1, 100, 16>, 1>());
  CHECK(sums == column_sums<RowsLayout<256, 64, 1, 100, 16>, 1>());
  CHECK(sums == column_sums<RowsLayout<96, 4, 4, 100, 16>, 1>());
  CHECK(sums == column_sums<RowsLayout<384, 2, 4, 100, 16>, 1>());
  CHECK(sums == column_sums<RowsLayout<384, 32, 1, 100, 16>, 1>());
  CHECK(sums == column_sums<RowsLayout<640, 64, 1, 100, 16>, 1>());
}

TEST_CASE("reduce: columns, through the lanes and warps that share them, also of several warpgroups") {
  check_columns<RowsLayout<64, 4, 4, 20, 36>, 1>(20, 36);
  check_columns<RowsLayout<128, 32, 1, 6, 50>, 1>(5, 41);
  check_columns<RowsLayout<32, 1, 1, 40, 3>, 1>(40, 3);
  check_columns<RowsLayout<256, 64, 2, 7, 300>, 1>(6, 290);
  check_columns<RowsLayout<96, 8, 4, 50, 32>, 1>(50, 32);
  check_columns<RowsLayout<96, 8, 4, 50, 32>, 1, 12>(50, 32);
  check_columns<RowsLayout<512, 4, 4, 1024, 16>, 1>(1000, 16);
  check_columns<WgmmaLayout<64, 16>, 1>(64, 16);
  check_columns<WgmmaLayout<128, 24>, 1>(101, 20);
  check_columns<WgmmaLayout<64, 40>, 2>(128, 40);
  check_columns<WgmmaLayout<64, 8>, 3>(150, 8);
}

TEST_CASE("reduce: warpgroups that have columns each add in the order of one that has all of them") {
  const Across one = sums_across<WgmmaLayout<64, 48>, 1>();
  CHECK(one == sums_across<WgmmaLayout<64, 24>, 2>());
  CHECK(one == sums_across<WgmmaLayout<64, 16>, 3>());
  CHECK(sums_across<WgmmaLayout<128, 32>, 1>() == sums_across<WgmmaLayout<128, 8>, 4>());
  CHECK(one.rows == one.row_parts);
  CHECK(one.rows.back() == doctest::Approx(one.running.back()));
  CHECK(one.rows.back() > 0);
}

TEST_CASE("reduce: of the threads that hold an element of a slice one stores it") {
  using L = RowsLayout<128, 8, 4, 20, 40>;
  std::vector<int> rows(20), columns(40), row_sums(20, 100), column_sums(40, 100);
  for (size_t i = 0; i < 20; ++i) rows[i] = static_cast<int>(i);
  for (size_t i = 0; i < 40; ++i) columns[i] = static_cast<int>(2 * i);
  REQUIRE(launch(add_slices<L>, 1, 128, 0, nullptr, rows.data(), columns.data(), row_sums.data(), column_sums.data()) ==
          cudaSuccess);
  for (size_t i = 0; i < 20; ++i) CHECK(row_sums[i] == 100 + static_cast<int>(i));
  for (size_t i = 0; i < 40; ++i) CHECK(column_sums[i] == 100 + 2 * static_cast<int>(i));
}
