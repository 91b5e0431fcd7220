#include "fragments/transposed_tiles.h"

#include <doctest/doctest.h>

#include <set>

#include "infer/across.h"
#include "layout/derive.h"

using namespace pallasgen;

namespace {

struct Case {
  int64_t rows, columns, bytes;
  int64_t threads = 128;
};

// Returns the tile of a block that is loaded by vectors of 16 bytes, and stored by them when it is transposed.
TransposedTile tile_of(const Case& c) {
  const int64_t vector = 16 / c.bytes;
  const ValueLayout stored = transposed_rows_layout(c.threads, vector, c.bytes, {c.columns, c.rows});
  return transposed_tile(strided_layout(c.threads, vector, {c.rows, c.columns}), stored, vector, c.bytes);
}

}  // namespace

TEST_CASE("a transpose meets in no bank where rows are whole lines of 128 bytes") {
  for (const Case& c : {Case{64, 64, 2}, Case{128, 64, 2}, Case{64, 128, 2}, Case{32, 32, 4}, Case{64, 64, 4},
                        Case{128, 128, 1}, Case{16, 32, 8}, Case{64, 64, 2, 256}}) {
    CAPTURE(c.rows);
    CAPTURE(c.columns);
    CAPTURE(c.bytes);
    const TransposedTile tile = tile_of(c);
    CHECK(tile.rows_together > 0);
    CHECK(tile.store_turns == 1);
    CHECK(tile.load_turns == 1);
  }
}

// Uses the place that the runtime computes for an element (copy_shared.cuh, transposed_index).
TEST_CASE("no two elements of a tile have the same place") {
  for (const int64_t bytes : {1, 2, 4, 8}) {
    for (const int64_t rows : {16, 24, 32, 72, 128}) {
      for (const int64_t columns : {16, 32, 48, 64, 80, 128}) {
        const int64_t together = tile_of({rows, columns, bytes}).rows_together;
        std::set<int64_t> places;
        for (int64_t row = 0; row < rows; ++row) {
          for (int64_t column = 0; column < columns; ++column) {
            const int64_t at = (row * columns + column) * bytes;
            const int64_t place = together == 0 ? at : at ^ (row / together % 8 * 16);
            CHECK(place < rows * columns * bytes);
            places.insert(place);
          }
        }
        CHECK(static_cast<int64_t>(places.size()) == rows * columns);
      }
    }
  }
}

TEST_CASE("what lies by vectors lies across when it is transposed") {
  const ValueLayout strided = strided_layout(128, 4, {32, 64}), rows = rows_layout(128, 8, 8, 64, 128);
  CHECK_FALSE(lies_across(strided));
  CHECK_FALSE(lies_across(rows));
  CHECK_FALSE(lies_across(wgmma_layout(64, 128)));
  CHECK(lies_across(*transpose_layout(rows, {1, 0})));
  CHECK(lies_across(*transpose_layout(strided, {1, 0})));
  CHECK_FALSE(lies_across(*transpose_layout(wgmma_layout(64, 128), {1, 0})));
}
