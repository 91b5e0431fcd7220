#include "lines.h"

#include <doctest/doctest.h>

#include "layout/layout.h"

using namespace pallasgen;

TEST_CASE("a row that lies in several warps takes the threads that would have no row") {
  const auto rows = [](int64_t threads, int64_t longest, Shape shape) {
    return layout_of_lines(Lines::rows, threads, shape, 4, false, longest);
  };
  CHECK(rows(128, 256, {1, 4096}) == rows_layout(128, 128, 4, 1, 4096));
  CHECK(rows(256, 256, {1, 4096}) == rows_layout(256, 256, 4, 1, 4096));
  // The number of vectors limits the lanes of a row, as do the threads that other rows need.
  CHECK(rows(512, 512, {1, 1024}) == rows_layout(512, 256, 4, 1, 1024));
  CHECK(rows(256, 256, {2, 4096}) == rows_layout(256, 128, 4, 2, 4096));
  // Lines within one warp stay there.
  CHECK(rows(256, 256, {1, 128}) == rows_layout(256, 32, 4, 1, 128));
}

TEST_CASE("threads that no row asks for give none more lanes: they would say in which order it is added up") {
  for (const int64_t threads : {128, 256, 384, 512})
    CHECK(layout_of_lines(Lines::rows, threads, {1, 4096}, 4, false, 128) == rows_layout(threads, 128, 4, 1, 4096));
  for (const int64_t threads : {256, 512, 1024})
    CHECK(layout_of_lines(Lines::rows, threads, {2, 2048}, 4, false, 256) == rows_layout(threads, 128, 4, 2, 2048));
  CHECK_FALSE(layout_of_lines(Lines::rows, 128, {1, 8192}, 4, false, 256));
}
