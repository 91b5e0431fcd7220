#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <pallasgen/ring.cuh>
#include <pallasgen/tiles.cuh>
#include <pallasgen/tma.cuh>
#include <set>
#include <utility>
#include <vector>

using namespace pallasgen;

namespace {

template <int Width, Along A>
void check_order(int tiles_m, int tiles_n) {
  std::set<std::pair<int, int>> seen;
  TileIndex last{};
  for (int t = 0; t < tiles_m * tiles_n; ++t) {
    const TileIndex tile = strip_tile<Width, A>(t, tiles_m, tiles_n);
    CHECK(tile.m >= 0);
    CHECK(tile.m < tiles_m);
    CHECK(tile.n >= 0);
    CHECK(tile.n < tiles_n);
    CHECK(seen.emplace(tile.m, tile.n).second);
    const int across = A == Along::kM ? tile.m : tile.n, along = A == Along::kM ? tile.n : tile.m;
    const int last_across = A == Along::kM ? last.m : last.n, last_along = A == Along::kM ? last.n : last.m;
    if (t > 0) {
      // Within a strip a step of one along it; from strip to strip no step along it: back and forth.
      const bool same_strip = across / Width == last_across / Width;
      const int step = along - last_along;
      CHECK((same_strip ? step >= -1 && step <= 1 : step == 0));
    }
    last = tile;
  }
  CHECK(seen.size() == static_cast<size_t>(tiles_m * tiles_n));
}

}  // namespace

TEST_CASE("tiles: strips hold each tile once, back and forth, for any size") {
  for (int m = 0; m <= 19; ++m) {
    for (int n = 0; n <= 19; ++n) {
      check_order<1, Along::kM>(m, n);
      check_order<8, Along::kM>(m, n);
      check_order<8, Along::kN>(m, n);
      check_order<3, Along::kN>(m, n);
      check_order<16, Along::kM>(m, n);
    }
  }
}

TEST_CASE("tiles: counts near the limit do not overflow") {
  constexpr int many = 1 << 28;
  CHECK(strip_tile<16>(7 * many - 1, 7, many).m == 6);
  CHECK(strip_tile<16>(7 * (many - 1) + 3, 7, many).n == many - 1);
  CHECK(strip_tile<16, Along::kN>(7 * (many - 1) + 3, many, 7).m == many - 1);
}

TEST_CASE("ring: slots in turn, the phase flips with each lap") {
  Ring<3> ring;
  for (int i = 0; i < 20; ++i, ring.advance()) {
    CHECK(ring.slot == i % 3);
    CHECK(ring.phase == static_cast<uint32_t>(i / 3 % 2));
  }
  Ring<1> one;
  for (int i = 0; i < 5; ++i, one.advance()) {
    CHECK(one.slot == 0);
    CHECK(one.phase == static_cast<uint32_t>(i % 2));
  }
}

TEST_CASE("coordinates: a place that no int holds is one outside on the same side") {
  CHECK(tma_coordinate(0) == 0);
  CHECK(tma_coordinate(-3) == -3);
  CHECK(tma_coordinate(INT32_MAX - 15) == INT32_MAX - 15);
  CHECK(tma_coordinate((INT64_C(1) << 32) + 2) == INT32_MAX - 15);
  CHECK(tma_coordinate(INT64_C(2) - (INT64_C(1) << 32)) == INT32_MIN);
}

namespace {

// Returns all tiles in the order of Parts.
template <int Rank, class... Parts>
std::vector<std::array<int, Rank>> in_order(const std::array<int, Rank>& counts) {
  int total = 1;
  for (int count : counts) total *= count;
  std::vector<std::array<int, Rank>> tiles;
  for (int t = 0; t < total; ++t) {
    int index[Rank];
    std::copy(counts.begin(), counts.end(), index);
    TileDecoder<Rank, Parts...>(t, index);
    std::copy(index, index + Rank, tiles.emplace_back().begin());
  }
  return tiles;
}

}  // namespace

TEST_CASE("tiles: two heads at a time, rows of tiles from their end, batches, heads") {
  const auto tiles = in_order<3, AxisGroups<1, 2>, AxisReversed<2>, AxisInOrder<0>, AxisInOrder<1>>({2, 3, 2});
  const std::vector<std::array<int, 3>> wanted = {{0, 0, 1}, {0, 1, 1}, {1, 0, 1}, {1, 1, 1}, {0, 0, 0}, {0, 1, 0},
                                                  {1, 0, 0}, {1, 1, 0}, {0, 2, 1}, {1, 2, 1}, {0, 2, 0}, {1, 2, 0}};
  CHECK(tiles == wanted);
}

TEST_CASE("tiles: groups of groups hold each tile once, for any size") {
  for (int m = 1; m <= 11; ++m) {
    for (int n = 1; n <= 11; ++n) {
      const auto tiles =
          in_order<2, AxisGroups<0, 4>, AxisGroups<1, 3>, AxisGroups<0, 2>, AxisReversed<1>, AxisReversed<0>>({m, n});
      const std::set<std::array<int, 2>> different(tiles.begin(), tiles.end());
      CHECK(different.size() == static_cast<size_t>(m * n));
      CHECK(*different.begin() == std::array<int, 2>{0, 0});
      CHECK(*different.rbegin() == std::array<int, 2>{m - 1, n - 1});
    }
  }
}
