#include <doctest/doctest.h>
#include <pallasgen/emulator/emulator.h>
#include <pallasgen/launch.h>

#include <cmath>
#include <limits>
#include <vector>

#include "reduce_shared_kernels.cuh"

using namespace shared_reductions;

namespace {

// The definition of the strategies, on parts in their order.
struct ByNeighbours {
  using Strategy = Neighbours;
  template <class T, class F>
  static T fold(std::vector<T> parts, F combine) {
    for (size_t stride = 1; stride < parts.size(); stride *= 2) {
      for (size_t i = 0; i + stride < parts.size(); i += 2 * stride) parts[i] = combine(parts[i], parts[i + stride]);
    }
    return parts[0];
  }
};
struct ByHalves {
  using Strategy = Halves;
  template <class T, class F>
  static T fold(std::vector<T> parts, F combine) {
    while (parts.size() > 1) {
      const size_t lower = (parts.size() + 1) / 2;
      for (size_t i = 0; i + lower < parts.size(); ++i) parts[i] = combine(parts[i], parts[i + lower]);
      parts.resize(lower);
    }
    return parts[0];
  }
};

// Numbers whose sums show the order.
template <class T>
T number(size_t i) {
  return static_cast<T>(std::ldexp(static_cast<double>(i * 7919 % 10007) - 5000.0, -static_cast<int>(i % 23)));
}
template <>
int32_t number<int32_t>(size_t i) {
  return static_cast<int32_t>(i * 7919 % 1001) - 500;
}

template <class Combine, class By, class T, class L>
void check_rows() {
  constexpr auto M = static_cast<size_t>(L::kRows), N = static_cast<size_t>(L::kColumns);
  std::vector<T> in(M * N), out(M), again(M);
  for (size_t i = 0; i < in.size(); ++i) in[i] = number<T>(i);
  REQUIRE(launch(rows<Combine, typename By::Strategy, T, L>, 1, L::kThreads,
                 2 * sizeof(T) * L::kThreadRows * L::kThreads, nullptr, static_cast<const T*>(in.data()), out.data(),
                 again.data(), static_cast<int64_t>(M), static_cast<int64_t>(N)) == cudaSuccess);
  size_t wrong = 0;
  for (size_t r = 0; r < M; ++r) {
    // Each lane folds its own elements in their order first.
    std::vector<T> parts(L::kLanes, Combine::template neutral<T>());
    for (size_t c = 0; c < N; ++c) {
      T& part = parts[c / L::kVector % L::kLanes];
      part = Combine::combine(part, in[r * N + c]);
    }
    const T want = By::fold(parts, [](T a, T b) { return Combine::combine(a, b); });
    wrong += out[r] != want || again[r] != want;
  }
  CHECK(wrong == 0);
}

template <class By>
void check_all_rows() {
  check_rows<Sum, By, float, RowsLayout<64, 2, 4, 70, 16>>();
  check_rows<Sum, By, float, RowsLayout<64, 8, 4, 16, 36>>();
  check_rows<Product, By, float, RowsLayout<128, 32, 4, 8, 256>>();
  check_rows<Maximum, By, float, RowsLayout<128, 32, 1, 5, 33>>();
  check_rows<Sum, By, double, RowsLayout<256, 64, 2, 9, 520>>();
  check_rows<Minimum, By, double, RowsLayout<512, 512, 2, 2, 5000>>();
  check_rows<Sum, By, int32_t, RowsLayout<128, 128, 4, 3, 1000>>();
}

template <class By, class L, int Groups>
void check_columns() {
  constexpr auto M = static_cast<size_t>(Groups * L::kRows), N = static_cast<size_t>(L::kColumns);
  std::vector<float> in(M * N), out(N);
  for (size_t i = 0; i < in.size(); ++i) in[i] = number<float>(i);
  constexpr size_t places = static_cast<size_t>(Groups * L::kParts) * (L::kThreads / L::kLanes);
  REQUIRE(launch(columns<typename By::Strategy, L, Groups>, 1, Groups * L::kThreads, sizeof(float) * places * N,
                 nullptr, static_cast<const float*>(in.data()), out.data(), static_cast<int64_t>(M),
                 static_cast<int64_t>(N)) == cudaSuccess);
  size_t wrong = 0;
  for (size_t c = 0; c < N; ++c) {
    std::vector<float> parts(places, 0.0f);
    for (int wg = 0; wg < Groups; ++wg) {
      for (int t = 0; t < L::kThreads; ++t) {
        for (int e = 0; e < L::size; ++e) {
          const auto place = L::place(t, e);
          if (!L::contains(t, e) || static_cast<size_t>(place.at[1]) != c) continue;
          const int part = (wg * L::kParts + e / L::kPartSize) * (L::kThreads / L::kLanes) + t / L::kLanes;
          parts[static_cast<size_t>(part)] += in[static_cast<size_t>(wg * L::kRows + place.at[0]) * N + c];
        }
      }
    }
    wrong += out[c] != By::fold(parts, [](float a, float b) { return a + b; });
  }
  CHECK(wrong == 0);
}

template <class By, int N, int Threads>
void check_tile() {
  std::vector<float> in(N);
  for (size_t i = 0; i < N; ++i) in[i] = number<float>(i);
  float out = 0;
  REQUIRE(launch(tile<typename By::Strategy, N, Threads>, 1, Threads, sizeof(float) * N, nullptr,
                 static_cast<const float*>(in.data()), &out) == cudaSuccess);
  CHECK(out == By::fold(in, [](float a, float b) { return a + b; }));
}

template <class By>
void check_lanes() {
  constexpr size_t kWarps = 3;
  std::vector<float> in(32 * kWarps), sums(in.size()), best(in.size()), again(in.size());
  std::vector<int> position(in.size());
  for (size_t i = 0; i < in.size(); ++i) in[i] = number<float>(i);
  in[5] = in[20] = 1e9f;                                               // the first of equals
  in[32 + 7] = in[32 + 30] = std::numeric_limits<float>::quiet_NaN();  // wins
  REQUIRE(launch(lanes<typename By::Strategy, kWarps>, 1, 32 * kWarps, kWarps * 32 * (sizeof(float) + sizeof(int)),
                 nullptr, static_cast<const float*>(in.data()), sums.data(), best.data(), position.data(),
                 again.data()) == cudaSuccess);
  for (size_t w = 0; w < kWarps; ++w) {
    const std::vector<float> own(in.begin() + static_cast<long>(32 * w), in.begin() + static_cast<long>(32 * w + 32));
    const float sum = By::fold(own, [](float a, float b) { return a + b; });
    size_t first = 0;
    for (size_t i = 1; i < 32; ++i) first = Greatest::beats(own[i], own[first]) ? i : first;
    for (size_t i = 32 * w; i < 32 * w + 32; ++i) {
      CHECK((sums[i] == sum || (std::isnan(sum) && std::isnan(sums[i]))));
      CHECK((again[i] == sum || (std::isnan(sum) && std::isnan(again[i]))));
      CHECK(position[i] == static_cast<int>(first));
      CHECK((best[i] == own[first] || std::isnan(best[i])));
    }
  }
}

}  // namespace

TEST_CASE("reduce in shared memory: rows, by neighbouring pairs and by halves, bit by bit") {
  check_all_rows<ByNeighbours>();
  check_all_rows<ByHalves>();
}

TEST_CASE("reduce in shared memory: columns of any number of parts, in the order of their rows") {
  check_columns<ByNeighbours, RowsLayout<128, 32, 1, 6, 50>, 1>();
  check_columns<ByHalves, RowsLayout<64, 4, 4, 20, 36>, 1>();
  check_columns<ByNeighbours, WgmmaLayout<64, 40>, 3>();
  check_columns<ByHalves, WgmmaLayout<64, 8>, 3>();
  check_columns<ByHalves, WgmmaLayout<192, 16>, 1>();
  check_columns<ByNeighbours, WgmmaLayout<128, 24>, 2>();
}

TEST_CASE("reduce in shared memory: a tile of any size, by fewer threads than it has elements and by more") {
  check_tile<ByNeighbours, 256, 128>();
  check_tile<ByHalves, 256, 64>();
  check_tile<ByNeighbours, 37, 64>();
  check_tile<ByHalves, 37, 32>();
  check_tile<ByHalves, 1, 32>();
}

TEST_CASE("reduce in shared memory: lanes of a warp, with positions of the best") {
  check_lanes<ByNeighbours>();
  check_lanes<ByHalves>();
}
