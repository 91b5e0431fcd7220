#include "lines.h"

#include <doctest/doctest.h>

#include "layout/layout.h"

using namespace pallasgen;

TEST_CASE("a row that lies in several warps takes the threads that would have no row") {
  const auto rows = [](int64_t threads, Shape shape) { return layout_of_lines(Lines::rows, threads, shape, 4, false); };
  CHECK(rows(128, {1, 4096}) == rows_layout(128, 128, 4, 1, 4096));
  CHECK(rows(256, {1, 4096}) == rows_layout(256, 256, 4, 1, 4096));
  // One vector of each thread is the end of it, and so are the other rows.
  CHECK(rows(512, {1, 1024}) == rows_layout(512, 256, 4, 1, 1024));
  CHECK(rows(256, {2, 4096}) == rows_layout(256, 128, 4, 2, 4096));
  // What lies in one warp stays there.
  CHECK(rows(256, {1, 128}) == rows_layout(256, 32, 4, 1, 128));
}
