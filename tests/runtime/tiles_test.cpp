#include <doctest/doctest.h>

#include <pallasgen/ring.cuh>
#include <pallasgen/tiles.cuh>
#include <pallasgen/tma.cuh>
#include <set>
#include <utility>

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
  CHECK(tma_coordinate(INT32_MAX) == INT32_MAX);
  CHECK(tma_coordinate((INT64_C(1) << 32) + 2) == INT32_MAX);
  CHECK(tma_coordinate(INT64_C(2) - (INT64_C(1) << 32)) == INT32_MIN);
}
