#include <doctest/doctest.h>
#include <pallasgen/emulator/emulator.h>
#include <pallasgen/launch.h>

#include <vector>

#include "copy_kernels.cuh"

using namespace copies;

namespace {

// An array between guard elements, which must not change.
template <class T>
struct Guarded {
  static constexpr int64_t kFlank = 64;
  std::vector<T> memory;
  int64_t size;
  explicit Guarded(int64_t n) : memory(static_cast<size_t>(n + 2 * kFlank), T(55)), size(n) {}
  T* data() { return memory.data() + kFlank; }
  bool flanks_are_whole() const {
    for (int64_t i = 0; i < kFlank; ++i) {
      if (memory[static_cast<size_t>(i)] != T(55) || memory[memory.size() - 1 - static_cast<size_t>(i)] != T(55))
        return false;
    }
    return true;
  }
};

template <class T, class L, int R>
void check_copy(void (*kernel)(Arrays<T, L, R>), std::vector<int64_t> extents, std::vector<int64_t> offsets) {
  int64_t total = 1;
  for (int64_t e : extents) total *= e;
  Guarded<T> in(total), out(total);
  Arrays<T, L, R> arrays{in.data(), out.data(), {}, {}, T(-1)};
  for (int64_t i = 0; i < total; ++i) in.data()[i] = static_cast<T>(i % 100 + 1), out.data()[i] = T(0);
  for (int d = 0; d < R; ++d) {
    arrays.extents[d] = extents[static_cast<size_t>(d)];
    arrays.offsets[d] = offsets[static_cast<size_t>(d)];
  }
  REQUIRE(launch(kernel, 1, L::kThreads, 0, nullptr, arrays) == cudaSuccess);
  int wrong = 0;
  for (int64_t i = 0; i < total; ++i) {
    bool inside = true;
    int64_t rest = i;
    for (int d = R - 1; d >= 0; --d) {
      const int64_t at = rest % extents[static_cast<size_t>(d)] - offsets[static_cast<size_t>(d)];
      rest /= extents[static_cast<size_t>(d)];
      inside = inside && at >= 0 && at < L::dim(d);
    }
    wrong += out.data()[i] != (inside ? in.data()[i] : T(0));
  }
  CHECK(wrong == 0);
  CHECK(out.flanks_are_whole());
}

template <class T, class L>
void check_gather(int64_t M, int64_t N, int64_t m, int64_t n) {
  Guarded<T> in(M * N), out(L::dim(0) * L::dim(1));
  for (int64_t i = 0; i < M * N; ++i) in.data()[i] = static_cast<T>(i % 100 + 1);
  const Arrays<T, L, 2> arrays{in.data(), out.data(), {M, N}, {m, n}, T(-1)};
  REQUIRE(launch(gather_2d<T, L>, 1, L::kThreads, 0, nullptr, arrays) == cudaSuccess);
  int wrong = 0;
  for (int64_t i = 0; i < L::dim(0); ++i) {
    for (int64_t j = 0; j < L::dim(1); ++j) {
      const bool inside = m + i < M && n + j < N;
      wrong += out.data()[i * L::dim(1) + j] != (inside ? in.data()[(m + i) * N + n + j] : T(-1));
    }
  }
  CHECK(wrong == 0);
  CHECK(out.flanks_are_whole());
}

template <class T, int Threads, int Vector, int Rows, int Cols>
void check_gather_async(int64_t M, int64_t N, int64_t m, int64_t n) {
  using L = StridedLayout<Threads, Vector, Rows, Cols>;
  Guarded<T> in(M * N), out(Rows * Cols);
  for (int64_t i = 0; i < M * N; ++i) in.data()[i] = static_cast<T>(i % 100 + 1);
  for (const Call call : {Call::all, Call::place, Call::axes, Call::extents, Call::extents_alone}) {
    const bool padded = call == Call::all || call == Call::place, zeros = call == Call::extents_alone;
    if (!padded && (m < 0 || n < 0)) continue;
    const Arrays<T, L, 2> arrays{in.data(), out.data(), {M, N}, {m, n}, T(77)};
    std::fill_n(out.data(), Rows * Cols, T(99));
    REQUIRE(launch(gather_async<T, Threads, Vector, Rows, Cols>, 1, Threads, sizeof(Tile<T, L>), nullptr, arrays,
                   call) == cudaSuccess);
    int wrong = 0;
    for (int64_t i = 0; i < Rows; ++i) {
      for (int64_t j = 0; j < Cols; ++j) {
        const bool inside = m + i >= 0 && n + j >= 0 && m + i < M && n + j < N;
        const T want = inside ? in.data()[(m + i) * N + n + j] : zeros ? T(0) : T(77);
        wrong += out.data()[i * Cols + j] != want;
      }
    }
    CHECK(wrong == 0);
    CHECK(out.flanks_are_whole());
  }
}

template <class T, int Rows, int Cols>
void check_gather_bulk(int64_t M, int64_t m) {
  Guarded<T> in(M * Cols), out(Rows * Cols);
  for (int64_t i = 0; i < M * Cols; ++i) in.data()[i] = static_cast<T>(i % 100 + 1);
  for (const bool whole : {false, true}) {
    if (whole && m + Rows > M) continue;
    REQUIRE(launch(gather_bulk<T, Rows, Cols>, 1, 128, sizeof(RunTile<T, Rows, Cols>), nullptr,
                   static_cast<const T*>(in.data()), out.data(), M, m, T(77), whole) == cudaSuccess);
    int wrong = 0;
    for (int64_t i = 0; i < Rows * Cols; ++i)
      wrong += out.data()[i] != (m + i / Cols < M ? in.data()[m * Cols + i] : T(77));
    CHECK(wrong == 0);
    CHECK(out.flanks_are_whole());
  }
}

template <class L>
void check_broadcast(int64_t M, int64_t N, int64_t m, int64_t n) {
  std::vector<float> row(static_cast<size_t>(N)), column(static_cast<size_t>(M)), cell(static_cast<size_t>(6 * M * N)),
      transposed(static_cast<size_t>(M * N));
  Guarded<float> out(M * N);
  for (size_t i = 0; i < row.size(); ++i) row[i] = static_cast<float>(i);
  for (size_t i = 0; i < column.size(); ++i) column[i] = static_cast<float>(i) * 100;
  for (size_t i = 0; i < cell.size(); ++i) cell[i] = static_cast<float>(i) * 1000;
  for (size_t i = 0; i < transposed.size(); ++i) transposed[i] = static_cast<float>(i) * 0.25f;
  REQUIRE(launch(broadcast<L>, 1, L::kThreads, 0, nullptr, row.data(), column.data(), cell.data(), transposed.data(),
                 out.data(), M, N, m, n) == cudaSuccess);
  int wrong = 0;
  for (int64_t i = 0; i < M; ++i) {
    for (int64_t j = 0; j < N; ++j) {
      const bool inside = i >= m && j >= n && i < m + L::dim(0) && j < n + L::dim(1);
      const auto at = [](const std::vector<float>& v, int64_t x) { return v[static_cast<size_t>(x)]; };
      const float want =
          at(row, j) + at(column, i) + at(cell, ((2 * M + i) * 2 + 1) * N + j) + at(transposed, j * M + i);
      wrong += out.data()[i * N + j] != (inside ? want : 55.0f);
    }
  }
  CHECK(wrong == 0);
  CHECK(out.flanks_are_whole());
}

template <class L>
void check_places(int64_t M, int64_t N, int64_t m, int64_t n) {
  std::vector<int> out(static_cast<size_t>(L::dim(0) * L::dim(1)));
  REQUIRE(launch(places<L>, 1, L::kThreads, 0, nullptr, out.data(), M, N, m, n) == cudaSuccess);
  int wrong = 0;
  for (int i = 0; i < L::dim(0); ++i) {
    for (int j = 0; j < L::dim(1); ++j) {
      const int inside = m + i < M && n + j < N ? 1000000 : 0;
      wrong += out[static_cast<size_t>(i * L::dim(1) + j)] != i * 1000 + j + inside;
    }
  }
  CHECK(wrong == 0);
}

template <class T, class L>
void check_turn() {
  const int64_t M = L::dim(0), N = L::dim(1);
  std::vector<T> in(static_cast<size_t>(M * N)), out(in.size() * 2);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<T>(i % 120);
  REQUIRE(launch(turn<T, L>, 1, L::kThreads, sizeof(Tile<T, L>), nullptr, in.data(), out.data(), M, N) == cudaSuccess);
  int wrong = 0;
  for (int64_t i = 0; i < M; ++i) {
    for (int64_t j = 0; j < N; ++j) {
      wrong += out[static_cast<size_t>(j * M + i)] != in[static_cast<size_t>(i * N + j)];
      wrong += out[static_cast<size_t>(M * N + i * N + j)] != in[static_cast<size_t>(i * N + j)];
    }
  }
  CHECK(wrong == 0);
}

template <class Tiles>
void check_visits(int tiles_m, int tiles_n, int64_t blocks) {
  std::vector<int> visits(static_cast<size_t>(tiles_m * tiles_n) + 1);
  REQUIRE(launch(visit_2d<Tiles>, blocks, 32, 0, nullptr, visits.data(), tiles_m, tiles_n) == cudaSuccess);
  CHECK(visits.back() == 0);
  for (size_t i = 0; i + 1 < visits.size(); ++i) CHECK(visits[i] == 1);
}

}  // namespace

TEST_CASE("copy: blocks inside, over the edge and outside of arrays") {
  using V8 = StridedLayout<32, 8, 512>;
  for (int64_t size : {0, 8, 504, 512, 520, 2000})
    for (int64_t offset : {0, 8, 496, 512, 1024}) check_copy<float, V8, 1>(copy_1d<float, V8>, {size}, {offset});
  using V1 = StridedLayout<64, 1, 100>;
  for (int64_t size : {0, 1, 99, 100, 101, 250})
    for (int64_t offset : {0, 1, 77, 100}) check_copy<int16_t, V1, 1>(copy_1d<int16_t, V1>, {size}, {offset});
  using Matrix = StridedLayout<128, 4, 24, 40>;
  for (int64_t M : {1, 24, 30})
    for (int64_t N : {4, 40, 44, 100})
      for (int64_t m : {0, 5, 24})
        for (int64_t n : {0, 8, 40}) check_copy<uint8_t, Matrix, 2>(copy_2d<uint8_t, Matrix>, {M, N}, {m, n});
  using Doubles = StridedLayout<32, 4, 3, 8>;
  check_copy<double, Doubles, 2>(copy_2d<double, Doubles>, {5, 16}, {2, 12});
  using Pairs = StridedLayout<32, 2, 6, 10>;
  check_copy<int8_t, Pairs, 2>(copy_2d<int8_t, Pairs>, {7, 22}, {3, 14});
  check_copy<int16_t, Pairs, 2>(copy_2d<int16_t, Pairs>, {7, 22}, {3, 14});
  check_copy<int32_t, Pairs, 2>(copy_2d<int32_t, Pairs>, {7, 22}, {3, 14});
  using Four = StridedLayout<96, 1, 2, 3, 5, 7>;
  for (int64_t o : {0, 1, 2, 4}) check_copy<int, Four, 4>(copy_4d<int, Four>, {3, 4, 6, 8}, {o, o, o, o});
}

TEST_CASE("copy: what lies outside reads as it should") {
  using Strided = StridedLayout<128, 4, 16, 24>;
  using Accumulator = WgmmaLayout<64, 24>;
  for (int64_t m : {0, 3, 20, 40}) {
    for (int64_t n : {0, 8, 32, 48}) {
      check_gather<float, Strided>(30, 40, m, n);
      check_gather<int16_t, Accumulator>(50, 33, m, n);
      check_gather<float, WgmmaLayout<128, 8>>(140, 9, m, n);
    }
  }
}

TEST_CASE("copy: by cp.async, and through registers where runs are short") {
  for (int64_t m : {-3, 0, 3, 20, 40}) {
    for (int64_t n : {-8, 0, 8, 32, 48}) {
      check_gather_async<float, 64, 4, 16, 24>(30, 40, m, n);
      check_gather_async<int16_t, 32, 4, 16, 8>(30, 40, m, n);
      check_gather_async<int8_t, 96, 4, 5, 20>(30, 40, m, n);
      check_gather_async<double, 32, 2, 3, 6>(30, 40, m, n);
    }
    for (int64_t n : {-5, 0, 7, 31, 48}) {
      check_gather_async<float, 128, 1, 9, 7>(30, 37, m, n);
      check_gather_async<int16_t, 64, 1, 16, 24>(30, 37, m, n);
      check_gather_async<uint8_t, 32, 1, 3, 5>(30, 37, m, n);
    }
    for (int64_t n : {-2, 0, 30}) check_gather_async<uint8_t, 32, 2, 3, 10>(30, 38, m, n);
  }
}

TEST_CASE("copy: whole rows by bulk copies, which end in the middle of a unit or before the block begins") {
  for (int64_t M : {16, 17, 18, 19, 24, 31, 32}) {
    for (int64_t m : {0, 8, 16, 24, 32}) {
      check_gather_bulk<float, 8, 10>(M, m);
      check_gather_bulk<double, 8, 3>(M, m);
      check_gather_bulk<int16_t, 16, 7>(M, m / 16 * 16);
      check_gather_bulk<uint8_t, 16, 5>(M, m / 16 * 16);
    }
  }
}

TEST_CASE("copy: rows, columns, squeezed axes and transposes of arrays") {
  for (int64_t m : {0, 16, 24}) {
    for (int64_t n : {0, 16, 24}) {
      check_broadcast<StridedLayout<64, 4, 16, 16>>(32, 36, m, n);
      check_broadcast<StridedLayout<32, 1, 5, 7>>(27, 31, m, n);
      check_broadcast<WgmmaLayout<64, 16>>(70, 30, m, n);
    }
  }
}

TEST_CASE("copy: places and masks of elements") {
  check_places<StridedLayout<64, 2, 20, 30>>(30, 40, 15, 20);
  check_places<WgmmaLayout<128, 24>>(200, 40, 100, 20);
}

TEST_CASE("copy: through shared memory to other threads") {
  check_turn<float, StridedLayout<128, 4, 32, 32>>();
  check_turn<int16_t, StridedLayout<128, 8, 64, 40>>();
  check_turn<uint8_t, StridedLayout<32, 2, 10, 6>>();
  check_turn<double, StridedLayout<64, 1, 9, 7>>();
}

TEST_CASE("copy: rank 0") {
  int in = 41, out[3] = {7, 0, 7};
  REQUIRE(launch(add_one<int>, 1, 32, 0, nullptr, &in, out + 1) == cudaSuccess);
  CHECK(out[0] == 7);
  CHECK(out[1] == 42);
  CHECK(out[2] == 7);
}

TEST_CASE("tiles: all CTAs together visit each tile once") {
  for (int m : {1, 2, 7, 8, 9, 17}) {
    for (int n : {1, 3, 16}) {
      for (int64_t blocks : {1, 3, 5}) {
        check_visits<StripTiles<8>>(m, n, blocks);
        check_visits<StripTiles<4, Along::kN>>(m, n, blocks);
      }
      check_visits<StripTiles<8>>(m, n, m * n);
      check_visits<OneTilePerCta<8>>(m, n, m * n);
      check_visits<OneTilePerCta<>>(m, n, m * n + 2);
      for (int64_t blocks : {1, 4, 1000}) {
        std::vector<int> visits(static_cast<size_t>(m * n * 3) + 1);
        using Ordered = OrderedTiles<3, AxisGroups<1, 2>, AxisReversed<0>, AxisInOrder<2>, AxisInOrder<1>>;
        REQUIRE(launch(visit_3d<RowMajorTiles<3>>, blocks, 32, 0, nullptr, visits.data(), m, n, 3) == cudaSuccess);
        REQUIRE(launch(visit_3d<Ordered>, blocks, 32, 0, nullptr, visits.data(), m, n, 3) == cudaSuccess);
        CHECK(visits.back() == 0);
        for (size_t i = 0; i + 1 < visits.size(); ++i) CHECK(visits[i] == 2);
      }
    }
  }
  check_visits<StripTiles<8>>(0, 5, 2);
  check_visits<StripTiles<8>>(5, 0, 2);
  check_visits<OneTilePerCta<8>>(0, 5, 2);
}

TEST_CASE("tma: boxes of rank 3 that hang over the edges") {
  const int64_t X = 10, Y = 20, Z = 40;
  for (int x : {0, 2, 4, 8}) {
    for (int y : {0, 3, 16}) {
      for (int z : {0, 8, 24, 32}) {
        std::vector<float> in(static_cast<size_t>(X * Y * Z)), out(in.size(), -5.0f);
        for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
        TensorMaps maps("box");
        const auto map_in = maps.add("in", in.data(), {X, Y, Z}, {4, 8, 16}, Swizzle::kNone);
        const auto map_out = maps.add("out", out.data(), {X, Y, Z}, {4, 8, 16}, Swizzle::kNone);
        REQUIRE(maps.ok());
        REQUIRE(launch(box_3d<float>, 1, 128, sizeof(Box<float>), nullptr, map_in, map_out, x, y, z) == cudaSuccess);
        int wrong = 0;
        for (int64_t i = 0; i < X * Y * Z; ++i) {
          const int64_t a = i / (Y * Z) - x, b = i / Z % Y - y, c = i % Z - z;
          const bool inside = a >= 0 && a < 4 && b >= 0 && b < 8 && c >= 0 && c < 16;
          wrong += out[static_cast<size_t>(i)] != (inside ? static_cast<float>(i) + 1.0f : -5.0f);
        }
        CHECK(wrong == 0);
      }
    }
  }
}
