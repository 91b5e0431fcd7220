#include "layout/fma.h"

#include <doctest/doctest.h>

#include <array>
#include <set>

#include "layout/derive.h"
#include "layout/layout.h"
#include "oracle.h"

using namespace pallasgen;

namespace {

// Returns the addresses of lanes that are `pitch` bytes apart.
std::array<int64_t, 32> in_a_row(int64_t pitch) {
  std::array<int64_t, 32> addresses{};
  for (size_t lane = 0; lane < addresses.size(); ++lane) addresses[lane] = static_cast<int64_t>(lane) * pitch;
  return addresses;
}

}  // namespace

TEST_CASE("blocks of threads hold each element once, register by register as the runtime's FmaLayout") {
  struct Case {
    int64_t threads, across, row_vector, column_vector, rows, columns;
  };
  for (const Case& c : {Case{32, 4, 1, 4, 16, 16}, Case{32, 1, 1, 1, 40, 3}, Case{64, 8, 1, 2, 33, 10},
                        Case{96, 8, 4, 1, 52, 20}, Case{128, 16, 1, 4, 64, 96}, Case{256, 16, 4, 4, 128, 128},
                        Case{256, 64, 1, 1, 20, 100}, Case{384, 16, 1, 4, 96, 40}, Case{512, 128, 1, 1, 10, 300}}) {
    CAPTURE(c.threads);
    CAPTURE(c.across);
    const ValueLayout layout = fma_layout(c.threads, c.across, c.row_vector, c.column_vector, c.rows, c.columns);
    CHECK(covers_shape(layout));
    REQUIRE(threads(layout) == c.threads);
    const int64_t lanes = std::min<int64_t>(c.across, 8), down = 32 / lanes, warps = c.across / lanes;
    const int64_t row_round = c.threads / c.across * c.row_vector, column_round = c.across * c.column_vector;
    const int64_t each = (c.columns + column_round - 1) / column_round * c.column_vector;
    REQUIRE(registers_per_thread(layout) == (c.rows + row_round - 1) / row_round * c.row_vector * each);
    int wrong = 0;
    for (int t = 0; t < c.threads; ++t) {
      const int64_t y = t / 32 / warps * down + t % 32 / lanes, x = t / 32 % warps * lanes + t % lanes;
      for (int e = 0; e < registers_per_thread(layout); ++e) {
        const int64_t i = e / each, j = e % each;
        const int64_t row = i / c.row_vector * row_round + y * c.row_vector + i % c.row_vector;
        const int64_t column = j / c.column_vector * column_round + x * c.column_vector + j % c.column_vector;
        std::optional<std::vector<int64_t>> want;
        if (row < c.rows && column < c.columns) want = {row, column};
        wrong += element_of(layout, t, e) != want;
      }
    }
    CHECK(wrong == 0);
    for (int axis = 0; axis < 2; ++axis) {
      const auto slice = slice_layout(layout, axis);
      REQUIRE(slice.has_value());
      CHECK(covers_shape(*slice));
    }
  }
}

TEST_CASE("conflicts of banks: words of 32 banks, by halves of a warp for 8 bytes and by quarters for 16") {
  CHECK(bank_conflicts(in_a_row(4), 4) == 1);
  CHECK(bank_conflicts(in_a_row(0), 4) == 1);  // one word for all
  CHECK(bank_conflicts(in_a_row(8), 4) == 2);
  CHECK(bank_conflicts(in_a_row(128), 4) == 32);
  CHECK(bank_conflicts(in_a_row(132), 4) == 1);  // a word of padding
  CHECK(bank_conflicts(in_a_row(16), 16) == 1);
  CHECK(bank_conflicts(in_a_row(64), 16) == 4);
  CHECK(bank_conflicts(in_a_row(80), 16) == 1);
  CHECK(bank_conflicts(in_a_row(64), 8) == 8);
  CHECK(bank_conflicts(in_a_row(2), 2) == 1);
}

TEST_CASE("threads read the operands of their blocks without conflicts, both ways, as they lie in slots") {
  for (const int64_t bytes : {4, 8}) {
    for (const int64_t depth : {8, 16, 32, 64}) {
      for (const bool a_along : {false, true}) {
        for (const bool b_along : {false, true}) {
          CAPTURE(bytes);
          CAPTURE(depth);
          const FmaOperand a{bytes, a_along}, b{bytes, b_along};
          const FmaBlocks blocks = fma_blocks(256, 128, 128, a, b);
          CHECK(blocks.thread_rows == 8);
          CHECK(blocks.thread_columns == 8);
          CHECK(fma_conflicts(256, blocks, 0, 128, depth, a, 0) == 1);
          const int64_t row = depth * bytes, span = !b_along ? 0 : row % 128 == 0 ? 128 : row % 64 == 0 ? 64 : 32;
          CHECK(fma_conflicts(256, blocks, 1, 128, depth, b, span) == 1);
          // Stored row by row, neighbours would conflict.
          if (b_along) CHECK(fma_conflicts(256, blocks, 1, 128, depth, b, 0) == std::min<int64_t>(8, row / 16));
        }
      }
    }
  }
  // Rows of 80 bytes begin at different banks without a swizzle.
  const FmaOperand along{4, true};
  CHECK(fma_conflicts(128, fma_blocks(128, 64, 64, along, along), 1, 64, 20, along, 0) == 1);
}

TEST_CASE("blocks are as near to a square as the sides and the threads allow") {
  const FmaOperand along{4, true}, across{4, false};
  CHECK(fma_threads(128, 128) == 256);
  CHECK(fma_threads(64, 64) == 128);
  CHECK(fma_threads(32, 32) == 64);
  CHECK(fma_threads(16, 16) == 32);
  CHECK(fma_threads(256, 256) == 256);
  const FmaBlocks square = fma_blocks(128, 64, 64, along, across);
  CHECK(square.thread_rows * square.thread_columns == 32);
  CHECK(square.column_vector == 4);
  const FmaBlocks ragged = fma_blocks(256, 96, 40, along, across);
  CHECK(ragged.thread_rows == 6);
  CHECK(ragged.thread_columns == 4);
  CHECK(fma_step(16, along) == 4);
  CHECK(fma_step(18, along) == 2);
  CHECK(fma_step(16, across) == 1);
  CHECK(fma_step(16, {8, true}) == 2);
  CHECK(fma_step(16, {2, true}) == 4);
}
