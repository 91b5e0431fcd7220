#include <doctest/doctest.h>
#include <pallasgen/emulator/emulator.h>
#include <pallasgen/launch.h>

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "scan_kernels.cuh"

using namespace scans;

namespace {

// Returns the first place with a wrong result, -1 for none. Sums of the tests' numbers are exact.
template <class Combine, class T, class L>
int64_t first_wrong(int64_t M, int64_t N, T (*value)(int64_t)) {
  const auto count = static_cast<size_t>(M * N);
  const auto in = std::make_unique<T[]>(count), out = std::make_unique<T[]>(count),
             again = std::make_unique<T[]>(count);
  for (size_t i = 0; i < count; ++i) in[i] = value(static_cast<int64_t>(i));
  constexpr size_t bytes = L::kLanes > 32 ? sizeof(Tiles<T, L>) : 0;
  const T* source = in.get();
  REQUIRE(launch(rows<Combine, T, L>, 1, L::kThreads, bytes, nullptr, source, out.get(), again.get(), M, N) ==
          cudaSuccess);
  for (int64_t r = 0; r < M; ++r) {
    T want = Combine::template neutral<T>();
    for (int64_t c = 0; c < N; ++c) {
      const auto at = static_cast<size_t>(r * N + c);
      want = Combine::combine(want, in[at]);
      const auto same = [&](T got) { return memcmp(&got, &want, sizeof(T)) == 0 || (want != want && got != got); };
      if (!same(out[at]) || !same(again[at])) return r * N + c;
    }
  }
  return -1;
}

// True if the column of each row is found.
template <int Column, class L>
bool finds_column(int64_t M) {
  const int64_t N = L::kColumns;
  std::vector<float> in(static_cast<size_t>(M * N)), out(static_cast<size_t>(M), -1.0f);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
  constexpr size_t bytes = L::kLanes > 32 ? sizeof(float) * L::kThreadRows * (L::kThreads / 32) : 0;
  REQUIRE(launch(pick<Column, float, L>, 1, L::kThreads, bytes, nullptr, static_cast<const float*>(in.data()),
                 out.data(), M, N) == cudaSuccess);
  for (int64_t r = 0; r < M; ++r) {
    if (out[static_cast<size_t>(r)] != static_cast<float>(r * N + Column)) return false;
  }
  return true;
}

template <class T>
T whole(int64_t i) {
  return static_cast<T>(i * 37 % 101 - 50);
}
float with_nan(int64_t i) {
  return i % 97 == 61 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(i * 7 % 11);
}
bf16 half_value(int64_t i) { return __float2bfloat16_rn(static_cast<float>(i * 5 % 13) - 20.0f); }

}  // namespace

TEST_CASE("scan: rows of one lane, of a few, of a warp") {
  CHECK(first_wrong<Sum, float, RowsLayout<32, 1, 1, 40, 3>>(40, 3, whole<float>) == -1);
  CHECK(first_wrong<Sum, float, RowsLayout<64, 4, 4, 16, 16>>(16, 16, whole<float>) == -1);
  CHECK(first_wrong<Sum, float, RowsLayout<128, 8, 4, 50, 36>>(50, 36, whole<float>) == -1);
  CHECK(first_wrong<Sum, float, RowsLayout<128, 32, 4, 8, 1024>>(8, 1024, whole<float>) == -1);
  CHECK(first_wrong<Sum, float, RowsLayout<64, 32, 1, 5, 1>>(5, 1, whole<float>) == -1);
}

TEST_CASE("scan: rows that several warps share, one run of each thread or many") {
  CHECK(first_wrong<Sum, float, RowsLayout<128, 64, 4, 6, 520>>(6, 520, whole<float>) == -1);
  CHECK(first_wrong<Sum, float, RowsLayout<256, 256, 4, 1, 1024>>(1, 1024, whole<float>) == -1);
  CHECK(first_wrong<Sum, float, RowsLayout<256, 128, 2, 3, 2050>>(3, 2050, whole<float>) == -1);
  CHECK(first_wrong<Sum, double, RowsLayout<512, 512, 2, 2, 9000>>(2, 9000, whole<double>) == -1);
  CHECK(first_wrong<Sum, float, RowsLayout<256, 64, 1, 5, 1300>>(5, 1300, whole<float>) == -1);  // 21 runs
}

TEST_CASE("scan: what the block has no element for, and rows and columns past the end of the array") {
  CHECK(first_wrong<Maximum, float, RowsLayout<128, 16, 1, 50, 13>>(50, 13, whole<float>) == -1);
  CHECK(first_wrong<Sum, float, RowsLayout<64, 32, 1, 5, 33>>(5, 33, whole<float>) == -1);
  CHECK(first_wrong<Sum, float, RowsLayout<256, 16, 4, 5, 64>>(5, 64, whole<float>) == -1);
  CHECK(first_wrong<Maximum, float, RowsLayout<128, 32, 4, 8, 256>>(5, 200, whole<float>) == -1);
  CHECK(first_wrong<Sum, float, RowsLayout<128, 64, 1, 3, 70>>(2, 61, whole<float>) == -1);
}

TEST_CASE("scan: combinations and sizes of element") {
  CHECK(first_wrong<Sum, int32_t, RowsLayout<64, 8, 4, 8, 64>>(8, 64, whole<int32_t>) == -1);
  CHECK(first_wrong<Sum, int64_t, RowsLayout<128, 64, 2, 4, 300>>(4, 300, whole<int64_t>) == -1);
  CHECK(first_wrong<Maximum, int8_t, RowsLayout<64, 8, 8, 8, 64>>(8, 64, whole<int8_t>) == -1);
  CHECK(first_wrong<Maximum, uint32_t, RowsLayout<64, 32, 4, 4, 128>>(4, 128, whole<uint32_t>) == -1);
  CHECK(first_wrong<Maximum, float, RowsLayout<128, 64, 4, 4, 512>>(4, 512, with_nan) == -1);
  const auto rare = [](int64_t i) { return i % 41 == 23; };
  CHECK(first_wrong<Maximum, bool, RowsLayout<64, 16, 1, 9, 20>>(9, 20, rare) == -1);
  using Halves = RowsLayout<128, 32, 8, 4, 512>;
  const auto in = std::make_unique<bf16[]>(2048), out = std::make_unique<bf16[]>(2048),
             again = std::make_unique<bf16[]>(2048);
  for (int64_t i = 0; i < 2048; ++i) in[static_cast<size_t>(i)] = half_value(i);
  REQUIRE(launch(rows<Maximum, bf16, Halves>, 1, 128, 0, nullptr, static_cast<const bf16*>(in.get()), out.get(),
                 again.get(), int64_t{4}, int64_t{512}) == cudaSuccess);
  for (size_t i = 0; i < 2048; ++i) {
    float want = to_float(in[i / 512 * 512]);
    for (size_t j = i / 512 * 512; j <= i; ++j) want = std::max(want, to_float(in[j]));
    REQUIRE(to_float(out[i]) == want);
  }
}

TEST_CASE("scan: accumulators of matrix instructions") {
  CHECK(first_wrong<Sum, float, WgmmaLayout<64, 24>>(64, 24, whole<float>) == -1);
  CHECK(first_wrong<Maximum, float, WgmmaLayout<128, 64>>(101, 50, whole<float>) == -1);
}

TEST_CASE("scan: a column of each row, wherever it lies") {
  CHECK(finds_column<2, RowsLayout<32, 1, 1, 40, 3>>(40));
  CHECK(finds_column<29, RowsLayout<128, 8, 4, 50, 36>>(50));
  CHECK(finds_column<1023, RowsLayout<128, 32, 4, 8, 1024>>(7));
  CHECK(finds_column<0, RowsLayout<256, 64, 4, 6, 520>>(6));
  CHECK(finds_column<519, RowsLayout<256, 64, 4, 6, 520>>(6));
  CHECK(finds_column<1345, RowsLayout<256, 128, 2, 3, 2050>>(3));
  CHECK(finds_column<63, WgmmaLayout<128, 64>>(128));
  CHECK(finds_column<17, WgmmaLayout<64, 24>>(60));
}

TEST_CASE("scan: each warpgroup by its own barrier and tile") {
  using L = RowsLayout<128, 128, 4, 3, 600>;
  std::vector<float> in(6 * 600), out(6 * 600);
  for (size_t i = 0; i < in.size(); ++i) in[i] = whole<float>(static_cast<int64_t>(i));
  REQUIRE(launch(in_warpgroups<L>, 1, 256, 2 * sizeof(float[kRuns<L>][4]), nullptr,
                 static_cast<const float*>(in.data()), out.data(), int64_t{6}, int64_t{600}) == cudaSuccess);
  for (size_t r = 0; r < 6; ++r) {
    float want = 0;
    for (size_t c = 0; c < 600; ++c) {
      want += in[r * 600 + c];
      REQUIRE(out[r * 600 + c] == want);
    }
  }
}
