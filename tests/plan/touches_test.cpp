#include "order/touches.h"

#include <doctest/doctest.h>

using namespace pallasgen;

namespace {

// A store of `size` elements from `first + tile * step` on, by threads of some layout.
TouchedPlace stored(int64_t first, int64_t size, int64_t step, DType dtype = DType::f32) {
  const TypedPtr tile = make_typed({}, DType::index, {}, Symbol{SymbolKind::axis, 0, "tile"});
  TouchedPlace place{"o", Touch::write, "", true, 0, -1, 3};
  const TypedPtr offset = index_apply(Op::multiply, tile, index_constant(step));
  note_reach(place, dtype, 1, index_apply(Op::add, offset, index_constant(first)), size);
  return place;
}

}  // namespace

TEST_CASE("threads meet between two stores that may reach the same elements, and between no others") {
  CHECK(conflict(stored(0, 32, 0), stored(31, 1, 0)));
  CHECK_FALSE(conflict(stored(0, 32, 0), stored(32, 32, 0)));
  CHECK_FALSE(conflict(stored(32, 32, 0), stored(0, 32, 0)));
  // Within one tile, or between any two.
  CHECK_FALSE(conflict(stored(0, 32, 64), stored(32, 32, 64)));
  CHECK(conflict(stored(0, 32, 64), stored(0, 32, 64)));
  CHECK(conflict(stored(0, 64, 64), stored(64, 64, 64)));
  CHECK(conflict(stored(0, 33, 64), stored(32, 32, 64)));
  CHECK(conflict(stored(0, 32, 64), stored(48, 32, 64)));
  // Steps of two sizes conflict if a common step does.
  CHECK(conflict(stored(0, 32, 64), stored(32, 32, 96)));
  CHECK_FALSE(conflict(stored(0, 2, 4), stored(2, 2, 8)));
}

TEST_CASE("of elements that share a byte nothing is known") {
  CHECK(conflict(stored(0, 1, 0, DType::i4), stored(1, 1, 0, DType::i4)));
}
