#include "layout/layout.h"

#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "layout/derive.h"
#include "layout/rows.h"
#include "oracle.h"

using namespace pallasgen;
using layout_oracle::same_holders;

namespace {

// Checks that element_of agrees with the definition for every register.
void check_inverse(const ValueLayout& layout) {
  CAPTURE(layout_oracle::text(layout));
  CHECK(covers_shape(layout));
  int64_t held = 0;
  for (const auto& [at, holders] : layout_oracle::who_holds(layout)) {
    for (const auto& [addend, of_addend] : holders) {
      for (const auto& [thread, reg] : of_addend) {
        REQUIRE(element_of(layout, thread, reg) == at);
        ++held;
      }
    }
  }
  int64_t elements = 0;
  for (int thread = 0; thread < threads(layout); ++thread) {
    for (int reg = 0; reg < registers_per_thread(layout); ++reg) elements += element_of(layout, thread, reg) ? 1 : 0;
  }
  CHECK(held == elements);
}

// The layouts of an accumulator's rows and columns.
ValueLayout rows_of_wgmma(int64_t rows) { return *slice_layout(wgmma_layout(rows, 8), 1); }
ValueLayout columns_of_wgmma(int64_t columns) { return *slice_layout(wgmma_layout(64, columns), 0); }

nlohmann::json oracle() {
  std::ifstream file(std::string(PALLASGEN_SOURCE_DIR) + "/tests/oracle/layouts/wgmma_fragments.json");
  return nlohmann::json::parse(file);
}

}  // namespace

TEST_CASE("operand A of wgmma in registers lies as CuTe's tables say") {
  const nlohmann::json tables = oracle();
  for (const auto& [key, depth, bytes] :
       {std::tuple("a_64x16_16bit", 16, 2), {"a_64x8_tf32", 8, 4}, {"a_64x32_8bit", 32, 1}}) {
    CAPTURE(key);
    const nlohmann::json& table = tables.at(key).at("coord");
    const ValueLayout layout = wgmma_operand_layout(64, depth, bytes);
    CHECK(covers_shape(layout));
    REQUIRE(threads(layout) == 128);
    REQUIRE(registers_per_thread(layout) == static_cast<int64_t>(table[0].size()));
    for (int thread = 0; thread < 128; ++thread) {
      for (size_t reg = 0; reg < table[thread].size(); ++reg) {
        const auto at = element_of(layout, thread, static_cast<int>(reg));
        REQUIRE(at.has_value());
        REQUIRE((*at)[0] == table[thread][reg][0].get<int64_t>());
        REQUIRE((*at)[1] == table[thread][reg][1].get<int64_t>());
      }
    }
  }
  CHECK(covers_shape(wgmma_operand_layout(128, 96, 1)));
}

TEST_CASE("wgmma accumulators lie as CuTe's tables say") {
  const nlohmann::json tables = oracle();
  for (const auto& [key, rows, columns] :
       {std::tuple("d_64x8", 64, 8), {"d_64x64", 64, 64}, {"d_64x96", 64, 96}, {"a_64x16_16bit", 64, 16}}) {
    const nlohmann::json& table = tables.at(key).at("coord");
    const ValueLayout layout = wgmma_layout(rows, columns);
    REQUIRE(static_cast<int64_t>(table.size()) == threads(layout));
    REQUIRE(static_cast<int64_t>(table[0].size()) == registers_per_thread(layout));
    for (int thread = 0; thread < 128; ++thread) {
      for (size_t reg = 0; reg < table[thread].size(); ++reg) {
        const auto at = element_of(layout, thread, static_cast<int>(reg));
        REQUIRE(at.has_value());
        REQUIRE((*at)[0] == table[thread][reg][0].get<int64_t>());
        REQUIRE((*at)[1] == table[thread][reg][1].get<int64_t>());
      }
    }
  }
}

TEST_CASE("holders and elements are inverse") {
  check_inverse(wgmma_layout(64, 8));
  check_inverse(wgmma_layout(128, 24));
  check_inverse(wgmma_layout(192, 16));
  check_inverse(wgmma_across_layout(64, 48, 3));
  check_inverse(wgmma_across_layout(128, 16, 2));
  check_inverse(rows_of_wgmma(128));
  check_inverse(columns_of_wgmma(40));
  check_inverse(strided_layout(32, 1, {2, 3}));
  check_inverse(strided_layout(128, 4, {16, 128}));
  check_inverse(strided_layout(256, 2, {7, 50}));
  check_inverse(strided_layout(96, 8, {3, 5, 16}));
  check_inverse(strided_layout(32, 1, {}));
  check_inverse(strided_layout(64, 1, {1}));
  check_inverse(*transpose_layout(wgmma_layout(64, 16), {1, 0}));
  check_inverse(*window_layout(wgmma_layout(64, 64), 1, 16, 16));
}

TEST_CASE("a wgmma accumulator follows the rule of the PTX manual") {
  const ValueLayout layout = wgmma_layout(128, 24);
  CHECK(registers_per_thread(layout) == 128 * 24 / 128);
  for (int thread = 0; thread < 128; ++thread) {
    for (int reg = 0; reg < 24; ++reg) {
      const int v = reg % 12;
      const std::vector<int64_t> want = {reg / 12 * 64 + 16 * (thread / 32) + thread % 32 / 4 + 8 * (v / 2 % 2),
                                         8 * (v / 4) + 2 * (thread % 4) + v % 2};
      REQUIRE(*element_of(layout, thread, reg) == want);
    }
  }
}

TEST_CASE("several warpgroups have equal runs of an accumulator's rows") {
  const ValueLayout both = wgmma_layout(256, 24, 2), one = wgmma_layout(128, 24);
  const ValueLayout operands = wgmma_operand_layout(128, 64, 1, 2), operand = wgmma_operand_layout(64, 64, 1);
  for (const auto& [of_both, of_one, rows] : {std::tuple(&both, &one, 128), {&operands, &operand, 64}}) {
    REQUIRE(threads(*of_both) == 256);
    REQUIRE(registers_per_thread(*of_both) == registers_per_thread(*of_one));
    int wrong = 0;
    for (int thread = 0; thread < 256; ++thread) {
      for (int reg = 0; reg < registers_per_thread(*of_one); ++reg) {
        auto want = element_of(*of_one, thread % 128, reg);
        (*want)[0] += thread / 128 * rows;
        wrong += element_of(*of_both, thread, reg) != want;
      }
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("warpgroups that have columns each hold them as one would that has these alone") {
  const ValueLayout both = wgmma_across_layout(128, 48, 2), one = wgmma_layout(128, 24);
  REQUIRE(threads(both) == 256);
  REQUIRE(registers_per_thread(both) == registers_per_thread(one));
  for (int thread = 0; thread < 256; ++thread) {
    for (int reg = 0; reg < registers_per_thread(both); ++reg) {
      std::vector<int64_t> expected = *element_of(one, thread % 128, reg);
      expected[1] += thread / 128 * 24;
      CHECK(*element_of(both, thread, reg) == expected);
    }
  }
}

TEST_CASE("warpgroups divide the rows where each has a run of them that no other has") {
  CHECK(divides_rows(wgmma_layout(256, 24, 2)));
  CHECK(divides_rows(wgmma_layout(192, 24, 3)));
  CHECK(divides_rows(wgmma_layout(128, 24)));
  CHECK(divides_rows(wgmma_operand_layout(128, 64, 1, 2)));
  CHECK_FALSE(divides_rows(wgmma_across_layout(64, 48, 2)));
  CHECK_FALSE(divides_rows(strided_layout(256, 1, {128, 256})));
  CHECK_FALSE(divides_rows(*transpose_layout(wgmma_layout(128, 64, 2), {1, 0})));
  CHECK_FALSE(divides_rows(*slice_layout(wgmma_layout(128, 64, 2), 0)));
}

TEST_CASE("warps have the rows of a matrix instruction that they have of accumulators") {
  CHECK(divides_rows_by_warps(wgmma_layout(64, 24)));
  CHECK(divides_rows_by_warps(wgmma_layout(256, 24, 2)));
  CHECK(divides_rows_by_warps(wgmma_operand_layout(128, 64, 1, 2)));
  CHECK_FALSE(divides_rows_by_warps(strided_layout(128, 1, {64, 64})));
  CHECK_FALSE(divides_rows_by_warps(*transpose_layout(wgmma_layout(64, 64), {1, 0})));
}

TEST_CASE("a strided layout gives runs of a vector to neighbouring threads") {
  const ValueLayout layout = strided_layout(64, 4, {5, 96});
  for (int thread = 0; thread < 64; ++thread) {
    for (int reg = 0; reg < registers_per_thread(layout); ++reg) {
      const int64_t linear = (reg / 4 * 64 + thread) * 4 + reg % 4;
      const auto at = element_of(layout, thread, reg);
      REQUIRE(at.has_value() == (linear < 480));
      if (at) REQUIRE(*at == std::vector<int64_t>{linear / 96, linear % 96});
    }
  }
}

TEST_CASE("a slice is held by all that hold a part of the dim") {
  const ValueLayout full = wgmma_layout(128, 64);
  CHECK(*slice_layout(full, 1) == rows_of_wgmma(128));
  CHECK(!slice_layout(full, 2).has_value());
  CHECK(!slice_layout(strided_layout(32, 1, {4, 6}), 1).has_value());
}

TEST_CASE("row and column slots as the runtime's slices have them") {
  const ValueLayout full = wgmma_layout(128, 32), rows = rows_of_wgmma(128), columns = columns_of_wgmma(32);
  CHECK(registers_per_thread(rows) == 128 / 32);
  CHECK(registers_per_thread(columns) == 32 / 4);
  const int part = 32 / 2;
  for (int thread = 0; thread < 128; ++thread) {
    for (int e = 0; e < registers_per_thread(full); ++e) {
      const auto at = *element_of(full, thread, e);
      REQUIRE(*element_of(rows, thread, e / part * 2 + e % part / 2 % 2) == std::vector<int64_t>{at[0]});
      REQUIRE(*element_of(columns, thread, e % part / 4 * 2 + e % 2) == std::vector<int64_t>{at[1]});
    }
  }
}

TEST_CASE("windows are the same registers of every thread") {
  const ValueLayout full = wgmma_layout(64, 64);
  const auto window = window_layout(full, 1, 16, 16);
  REQUIRE(window.has_value());
  CHECK(same_holders(*window, wgmma_layout(64, 16)));
  for (int thread = 0; thread < 128; ++thread) {
    for (int reg = 0; reg < 8; ++reg) {
      auto at = *element_of(*window, thread, reg);
      at[1] += 16;
      REQUIRE(*element_of(full, thread, 8 + reg) == at);
    }
  }
  CHECK(!window_layout(full, 1, 4, 16).has_value());
  CHECK(!window_layout(full, 1, 0, 12).has_value());
  CHECK(!window_layout(full, 0, 0, 32).has_value());  // rows of a half belong to other warps
  CHECK(!window_layout(full, 1, 56, 16).has_value());
  CHECK(window_layout(wgmma_layout(128, 8), 0, 64, 64).has_value());
}

TEST_CASE("a transposed layout holds element (j, i) where the layout holds (i, j)") {
  const ValueLayout layout = wgmma_layout(128, 24);
  const auto transposed = transpose_layout(layout, {1, 0});
  REQUIRE(transposed.has_value());
  for (int thread = 0; thread < 128; ++thread) {
    for (int reg = 0; reg < registers_per_thread(layout); ++reg) {
      const auto at = *element_of(layout, thread, reg);
      REQUIRE(*element_of(*transposed, thread, reg) == std::vector<int64_t>{at[1], at[0]});
    }
  }
  CHECK(same_holders(*transpose_layout(*transposed, {1, 0}), layout));
  CHECK(!transpose_layout(strided_layout(32, 1, {4, 6}), {1, 0}).has_value());
}

TEST_CASE("layouts: rows of lanes") {
  struct Case {
    int64_t threads, lanes, vector, rows, columns;
  };
  for (const Case& c : {Case{32, 1, 1, 40, 3}, Case{32, 4, 4, 3, 16}, Case{128, 8, 4, 50, 36}, Case{64, 32, 4, 8, 96},
                        Case{128, 32, 4, 8, 256}, Case{256, 16, 1, 50, 13}, Case{128, 128, 4, 1, 600},
                        Case{256, 64, 2, 6, 130}, Case{256, 256, 8, 2, 2048}, Case{512, 256, 1, 3, 300}}) {
    const ValueLayout layout = rows_layout(c.threads, c.lanes, c.vector, c.rows, c.columns);
    check_inverse(layout);
    CHECK(threads(layout) == c.threads);
    // Each register holds the element that the runtime's RowsLayout has there.
    const int64_t groups = c.threads / c.lanes, round = c.lanes * c.vector;
    const int64_t each = (c.columns + round - 1) / round * c.vector;
    REQUIRE(registers_per_thread(layout) == (c.rows + groups - 1) / groups * each);
    int wrong = 0;
    for (int t = 0; t < c.threads; ++t) {
      for (int e = 0; e < registers_per_thread(layout); ++e) {
        const int64_t slot = e % each, row = e / each * groups + t / c.lanes;
        const int64_t column = slot / c.vector * round + t % c.lanes * c.vector + slot % c.vector;
        std::optional<std::vector<int64_t>> want;
        if (row < c.rows && column < c.columns) want = {row, column};
        wrong += element_of(layout, t, e) != want;
      }
    }
    CHECK(wrong == 0);
    // Rows fold in a thread, then across its lanes and warps; all that held a part of a row hold the result.
    const std::optional<ValueLayout> reduced = slice_layout(layout, 1);
    REQUIRE(reduced.has_value());
    check_inverse(*reduced);
    CHECK(registers_per_thread(*reduced) == (c.rows + groups - 1) / groups);
    CHECK(layout_oracle::who_holds(*reduced).rbegin()->second.at(0).size() == static_cast<size_t>(c.lanes));
    const std::optional<ValueLayout> columns = slice_layout(layout, 0);
    REQUIRE(columns.has_value());
    check_inverse(*columns);
    CHECK(layout_oracle::who_holds(*columns).begin()->second.at(0).size() == static_cast<size_t>(groups));
  }
}

TEST_CASE("lanes of a row whose columns are reduced: long runs, few elements too many, few threads a column") {
  CHECK(column_lanes(512, 16, 4) == 4);
  CHECK(column_lanes(128, 512, 4) == 128);   // each thread has columns of its own
  CHECK(column_lanes(128, 1024, 4) == 128);  // two vectors each
  CHECK(column_lanes(256, 96, 4) == 8);      // three vectors each rather than 32 lanes for 24 vectors
  CHECK(column_lanes(64, 24, 8) == 4);       // one lane has 24 elements, but its neighbours are rows apart
  CHECK(column_lanes(32, 3, 1) == 4);
  CHECK(column_lanes(96, 512, 4) == 32);  // a power of two that divides the threads
}

TEST_CASE("lanes of a long row: two rows of short elements share an SM where no parameters stand beside them") {
  CHECK(row_lanes(1, 16384, 8) == 512);
  CHECK(row_lanes(1, 32768, 8) == 512);
  CHECK(row_lanes(1, 32768, 4) == 1024);  // a row of f32
}

TEST_CASE("lanes of a row that several CTAs share") {
  CHECK(row_lanes(1, 16384, 8, true) == 512);
  CHECK(row_lanes(1, 32768, 8, true) == 1024);
  CHECK(row_lanes(1, 65536, 8, true) == 2048);
  CHECK(row_lanes(1, 32776, 8) == 2048);
  CHECK(row_lanes(1, 65536, 8) == 2048);
  CHECK(row_lanes(1, 131072, 4) == 4096);
  CHECK(row_lanes(1, 131076, 4) == 8192);
  CHECK(row_lanes(1, 1 << 22, 4) == 131072);  // more than any cluster has threads
}
