#include "layout/reduce.h"

#include <doctest/doctest.h>

#include "layout/derive.h"
#include "oracle.h"

using namespace pallasgen;
using namespace pallasgen::layout_oracle;

namespace {

// What the threads' registers hold when they have taken the steps of the reduction.
std::vector<std::vector<int64_t>> run(const Reduction& reduction, const std::vector<std::vector<int64_t>>& registers) {
  std::vector<std::vector<int64_t>> values(registers.size(),
                                           std::vector<int64_t>(registers_per_thread(reduction.result), 0));
  for (size_t thread = 0; thread < registers.size(); ++thread) {
    for (size_t reg = 0; reg < registers[thread].size(); ++reg)
      values[thread][reduction.fold[reg]] += registers[thread][reg];
  }
  for (int mask : reduction.masks) {
    const auto before = values;
    for (size_t thread = 0; thread < values.size(); ++thread) {
      for (size_t reg = 0; reg < values[thread].size(); ++reg) values[thread][reg] += before[thread ^ mask][reg];
    }
  }
  if (reduction.warps.empty()) return values;
  const auto before = values;
  for (size_t thread = 0; thread < values.size(); ++thread) {
    for (size_t reg = 0; reg < values[thread].size(); ++reg) {
      values[thread][reg] = 0;
      for (int warp : reduction.warps[thread / 32]) values[thread][reg] += before[warp * 32 + thread % 32][reg];
    }
  }
  return values;
}

}  // namespace

TEST_CASE("layouts drawn at random: the steps of a reduction leave the sum with all that hold the slice") {
  std::mt19937 random(4);
  int through_memory = 0;
  for (int i = 0; i < 40; ++i) {
    const ValueLayout layout = i % 4 == 0
                                   ? random_layout(random, false)
                                   : random_layout_of(random, random_shape(random), random_warps(random), i % 3 == 0);
    CAPTURE(text(layout));
    for (int axis = 0; axis < static_cast<int>(layout.shape.size()); ++axis) {
      const auto reduction = reduce_layout(layout, axis, 4);
      if (!reduction) continue;
      // One value for each addend of each element; its replicas hold the same.
      std::vector<std::vector<int64_t>> registers(threads(layout),
                                                  std::vector<int64_t>(registers_per_thread(layout), 0));
      std::map<Coordinates, int64_t> sums;
      for (const auto& [element, holders] : who_holds(layout)) {
        Coordinates of_sum = element;
        of_sum.erase(of_sum.begin() + axis);
        for (const auto& [addend, of_addend] : holders) {
          const int64_t value = random() % 1000;
          for (const auto& [thread, reg] : of_addend) registers[thread][reg] = value;
          sums[of_sum] += value;
        }
      }
      const auto values = run(*reduction, registers);
      int wrong = 0;
      for (const auto& [element, holders] : who_holds(reduction->result)) {
        for (const auto& [addend, of_addend] : holders) {
          for (const auto& [thread, reg] : of_addend) wrong += values[thread][reg] != sums[element];
        }
      }
      CHECK(wrong == 0);
      CHECK(!is_partial(reduction->result));
      if (!is_partial(layout)) CHECK(reduction->result == *slice_layout(layout, axis));
      through_memory += !reduction->warps.empty();
    }
  }
  CHECK(through_memory > 3);
}

TEST_CASE("rows and columns of an accumulator: steps and price") {
  const auto rows = reduce_layout(wgmma_layout(128, 64), 1, 4);
  REQUIRE(rows.has_value());
  CHECK(rows->result == wgmma_row_layout(128));
  CHECK(rows->masks == std::vector<int>{2, 1});
  CHECK(rows->warps.empty());
  CHECK(rows->shared_bytes == 0);
  // 64 registers fold to 4, each of which takes two shuffles and two sums.
  CHECK(rows->price.instructions == 60 + 4 * 2 * 2);
  const auto columns = reduce_layout(wgmma_layout(128, 64), 0, 4);
  REQUIRE(columns.has_value());
  CHECK(columns->masks == std::vector<int>{16, 8, 4});
  CHECK(columns->warps == std::vector<std::vector<int>>(4, {0, 1, 2, 3}));
  CHECK(columns->within_warpgroups);
  CHECK(columns->shared_bytes == 4 * 64 * 4);
  CHECK(columns->price.cycles > rows->price.cycles);
  const auto wide = reduce_layout(rows_layout(256, 256, 4, 2, 2048), 1, 8);
  REQUIRE(wide.has_value());
  CHECK(!wide->within_warpgroups);
  CHECK(wide->shared_bytes == 8 * 2 * 8);
  // A partial row sum costs its two shuffles when it is read.
  const auto behind = reduce_partial(*folded_layout(wgmma_layout(128, 64), 1), 4);
  CHECK(behind.masks == std::vector<int>{2, 1});
  CHECK(behind.price.instructions == 4 * 2 * 2);
  CHECK(reduce_partial(wgmma_layout(64, 8), 4).price.cycles == 0);
  CHECK(!reduce_layout(strided_layout(32, 1, {4, 6}), 1, 4).has_value());
}
