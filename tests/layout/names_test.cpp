#include "layout/names.h"

#include <doctest/doctest.h>

#include "layout/derive.h"
#include "oracle.h"

using namespace pallasgen;
using namespace pallasgen::layout_oracle;

namespace {

// Returns the name of a layout; reading the name gives the layout again, and the same name.
std::string named(const ValueLayout& layout, int64_t role_threads, int64_t element_bytes = 4) {
  CAPTURE(text(layout));
  const std::string name = layout_text(layout, role_threads, element_bytes);
  CAPTURE(name);
  const auto read = layout_named(name, layout.shape, role_threads, element_bytes);
  REQUIRE(read.has_value());
  CHECK(*read == layout);
  CHECK(same_holders(*read, layout));
  for (int axis = 0; axis < static_cast<int>(layout.shape.size()); ++axis)
    CHECK(slice_layout(*read, axis) == slice_layout(layout, axis));
  CHECK(layout_text(*read, role_threads, element_bytes) == name);
  return name;
}

}  // namespace

TEST_CASE("layouts have the names of the texts of tile programs") {
  const ValueLayout acc = wgmma_layout(64, 64), rows = rows_layout(128, 32, 4, 8, 256);
  CHECK(named(rows_layout(2048, 2048, 8, 2, 36864), 2048, 2) == "rows.2048.8");  // of a cluster
  CHECK(named(acc, 128) == "wgmma");
  CHECK(named(wgmma_layout(256, 64, 2), 256) == "wgmma");
  CHECK(named(wgmma_layout(128, 64), 128) == "wgmma");
  CHECK(named(*window_layout(acc, 1, 16, 16), 128) == "wgmma");
  CHECK(named(*transpose_layout(acc, {1, 0}), 128) == "wgmma.T");
  CHECK(named(wgmma_operand_layout(64, 64, 1), 128, 1) == "wgmma_operand");
  CHECK(named(wgmma_operand_layout(64, 64, 4), 128, 4) == "wgmma_operand");
  CHECK(named(*slice_layout(acc, 1), 128) == "wgmma_row");
  CHECK(named(*slice_layout(wgmma_layout(256, 64, 2), 1), 256) == "wgmma_row");
  CHECK(named(*slice_layout(acc, 0), 128) == "wgmma_column");
  CHECK(named(wgmma_across_layout(64, 128, 2), 256) == "wgmma_across");
  CHECK(named(*slice_layout(wgmma_across_layout(128, 48, 3), 1), 384) == "wgmma_across.slice");
  CHECK(named(*slice_layout(wgmma_across_layout(64, 128, 2), 0), 256) == "wgmma_across.columns");
  CHECK(!layout_named("wgmma_across", {64, 24}, 256, 4));
  CHECK(!layout_named("wgmma_across", {64, 64}, 128, 4));
  CHECK(named(*folded_layout(acc, 1), 128) == "wgmma_row.partial");
  CHECK(named(*folded_layout(acc, 0), 128) == "wgmma_column.partial");
  CHECK(named(rows, 128) == "rows.32.4");
  const ValueLayout blocks = fma_layout(128, 16, 1, 4, 64, 96);
  CHECK(named(blocks, 128) == "fma.16.1.4");
  CHECK(named(*slice_layout(blocks, 1), 128) == "fma.16.1.1.slice");
  CHECK(named(*slice_layout(blocks, 0), 128) == "fma.16.1.4.columns");
  CHECK(!layout_named("fma.12.1.4", {64, 96}, 128, 4));
  CHECK(named(*slice_layout(rows, 1), 128) == "rows.32.slice");
  CHECK(named(*slice_layout(rows, 0), 128) == "rows.32.4.columns");
  CHECK(named(*folded_layout(rows, 1), 128) == "rows.32.slice.partial");
  CHECK(*layout_named("rows.32.4.slice", {8}, 128, 4) == *slice_layout(rows, 1));
  CHECK(named(strided_layout(128, 4, {1024}), 128) == "strided.4");
  CHECK(named(strided_layout(128, 4, {16, 128}), 128) == "strided.4");
  CHECK(named(*folded_layout(strided_layout(256, 4, {1024}), 0), 256) == "all.partial");
  CHECK(named(uniform_layout(128), 128) == "all");
  CHECK(named(uniform_layout(32), 128) == "warp");
  CHECK(named(uniform_layout(1), 128) == "one");
  CHECK(named(*broadcast_layout(uniform_layout(128), 0, 16), 128) == "all");
  CHECK(named(*broadcast_layout(broadcast_layout(uniform_layout(128), 0, 16).value(), 0, 3), 128) == "all");
  CHECK(named(*broadcast_layout(uniform_layout(1), 0, 16), 128) == "one");
  // A layout without a name of its own is described part by part.
  const ValueLayout deep = strided_layout(128, 2, {4, 16, 16});
  CHECK(named(*slice_layout(deep, 1), 128) == "held.r4d0s1.r2d1s1.l4x.l8d1s2.w4x");
  CHECK(named(strided_layout(64, 32, {5, 500}), 64) == "flat.r2d0s2048.r32d0s1.l32d0s32.w2d0s1024");
  CHECK(named(*folded_layout(deep, 1), 128) == "held.r4d0s1.r2d1s1.l4p.l8d1s2.w4p");
}

TEST_CASE("a name tells along which dim lanes have nothing: a sum along it is in all of them") {
  CHECK(named(rows_layout(32, 32, 4, 1, 4), 32) == "rows.32.4");
  CHECK(named(*transpose_layout(rows_layout(32, 32, 1, 4, 1), {1, 0}), 32) == "rows.32.1.T");
  for (int64_t lanes = 1; lanes <= 32; lanes *= 2) {
    for (int64_t vector = 1; vector <= 4; vector *= 2) {
      for (const auto& [rows, columns] : {std::pair{1, 4}, {4, 1}, {1, 1}, {2, 4}, {3, 8}})
        named(rows_layout(32, lanes, vector, rows, columns), 32);
    }
  }
}

TEST_CASE("layouts drawn at random: their texts read back") {
  std::mt19937 random(7);
  for (int i = 0; i < 60; ++i) {
    const ValueLayout layout = i % 4 == 0
                                   ? random_layout(random, false)
                                   : random_layout_of(random, random_shape(random), random_warps(random), i % 3 == 0);
    const int64_t role = threads(layout), bytes = int64_t{1} << random() % 4;
    named(layout, role, bytes);
    for (int axis = 0; axis < static_cast<int>(layout.shape.size()); ++axis) {
      if (const auto slice = slice_layout(layout, axis)) named(*slice, role, bytes);
      if (const auto wider = broadcast_layout(layout, axis, 2)) named(*wider, role, bytes);
    }
  }
}

TEST_CASE("what names no layout of a block is none") {
  const auto none = [](std::string_view text, const std::vector<int64_t>& shape, int64_t role = 128,
                       int64_t bytes = 2) {
    CAPTURE(text);
    CHECK(!layout_named(text, shape, role, bytes).has_value());
  };
  for (const char* text : {"",
                           ".",
                           "wgmm",
                           "wgmma.4",
                           "wgmma_row",
                           "wgmma.slice",
                           "wgmma.partial",
                           "rows",
                           "rows.32",
                           "rows.3.4",
                           "rows.256.4",
                           "rows.32.0",
                           "rows.32.-1",
                           "rows.32.99999999999999999999",
                           "strided",
                           "strided.x",
                           "strided.4.",
                           "strided.4.T.T",
                           "all.slice",
                           "held",
                           "held.",
                           "flat"})
    none(text, {64, 64});
  none("wgmma", {64, 60});
  none("wgmma", {32, 64});
  none("wgmma", {64, 64}, 256);
  none("wgmma", {64, 64}, 96);
  none("wgmma_operand", {64, 64}, 128, 8);
  none("wgmma_row", {60});
  none("strided.4", {64}, 48);
  // Parts that leave a gap, too few of them, too many, of no dim, over more threads than there are.
  none("held.l32d0s1.r2d0s64", {64});
  none("held.l32d0s1", {64});
  none("held.l32d0s1.r2d0s32.r2d0s32", {64});
  none("held.l32d0s1.r2d1s1", {64});
  none("held.l32d0s1.w8d0s32", {256});
  none("held.l32d0s1.r99999999d0s32", {64});
  none("held.l32d0s1.q2d0s32", {64});
  none("held.l32d0s1.r2d0s32x", {64});
  none("held.l31d0s1.r3d0s31", {64});
  none("held.w2d0s1.l16d0s2.r2d0s32", {64});
  CHECK(layout_named("held.l32d0s1.r2d0s32", {64}, 128, 2).has_value());
  CHECK(layout_named("flat.l32d0s1.r2d0s32", {4, 16}, 128, 2).has_value());
}
