#include "layout/memory.h"

#include <doctest/doctest.h>

#include <set>

#include "layout/derive.h"
#include "oracle.h"

using namespace pallasgen;
using namespace pallasgen::layout_oracle;

namespace {

SharedForm swizzled(int span) { return swizzled_form(2, span, 1); }

}  // namespace

TEST_CASE("forms of shared memory place every element, none on another") {
  for (const SharedForm& form : {row_major_form({24, 96}, 2, 0), row_major_form({24, 96}, 2, 16),
                                 swizzled_form(2, 128, 1), swizzled_form(2, 64, 0), swizzled_form(2, 32, 1)}) {
    std::set<int64_t> offsets;
    for (const Coordinates& at : all_of({24, 96})) {
      const int64_t offset = offset_of(form, {24, 96}, 2, at);
      CHECK((offset >= 0 && offset + 2 <= bytes_of(form, {24, 96}, 2)));
      offsets.insert(offset);
    }
    CHECK(offsets.size() == 24 * 96);
  }
  // HARDWARE: chunk ^= row & 7, (row >> 1) & 3, (row >> 2) & 1.
  CHECK(offset_of(swizzled(128), {64, 128}, 2, {5, 72}) == 64 * 128 + 5 * 128 + ((1 ^ 5) * 16));
  CHECK(offset_of(swizzled(64), {64, 32}, 2, {5, 8}) == 5 * 64 + ((1 ^ 2) * 16));
  CHECK(offset_of(swizzled(32), {64, 16}, 2, {5, 8}) == 5 * 32 + ((1 ^ 1) * 16));
}

TEST_CASE("bank conflicts, against the banks themselves") {
  const auto turns = [](const ValueLayout& layout, const SharedForm& form, int64_t bytes) {
    const SharedAccess access = vector_access(layout, form, bytes);
    return std::pair(access.wavefronts, access.ideal);
  };
  // 16-byte vectors of consecutive threads: no conflict.
  CHECK(turns(strided_layout(128, 4, {16, 128}), row_major_form({16, 128}, 4, 0), 4) ==
        std::pair<int64_t, int64_t>(64, 64));
  // An accumulator of f32 in rows of 256 bytes: rows g and g + 1 begin at the same bank; 32 bytes part them.
  CHECK(turns(wgmma_layout(64, 64), row_major_form({64, 64}, 4, 0), 4) == std::pair<int64_t, int64_t>(512, 128));
  CHECK(turns(wgmma_layout(64, 64), row_major_form({64, 64}, 4, 32), 4) == std::pair<int64_t, int64_t>(128, 128));
  // One bf16 pair of each quad in rows of 128 bytes: the 8 rows of a warp meet, and swizzling parts them.
  CHECK(turns(wgmma_layout(64, 64), row_major_form({64, 64}, 2, 0), 2) == std::pair<int64_t, int64_t>(512, 64));
  CHECK(turns(wgmma_layout(64, 64), swizzled(128), 2) == std::pair<int64_t, int64_t>(64, 64));
  CHECK(turns(wgmma_layout(64, 32), swizzled(64), 2) == std::pair<int64_t, int64_t>(32, 32));
  CHECK(turns(wgmma_layout(64, 32), row_major_form({64, 32}, 2, 0), 2) == std::pair<int64_t, int64_t>(128, 32));
  // Lanes that read one word share a turn; a lane without a place takes no part.
  CHECK(bank_access({0, 0, 2, 128, -1}, 2).wavefronts == 2);
  CHECK(bank_access({-1, -1}, 4).wavefronts == 0);
}

TEST_CASE("stmatrix takes accumulators of 16-bit elements, transposed ones too") {
  const auto access = matrix_access(wgmma_layout(64, 64), swizzled(128), 2);
  REQUIRE(access.has_value());
  CHECK(access->path == SharedPath::matrix);
  CHECK(access->matrices == 4);
  CHECK(access->instructions == 4);
  CHECK(access->wavefronts == access->ideal);
  CHECK(matrix_access(wgmma_layout(64, 64), row_major_form({64, 64}, 2, 0), 2)->wavefronts == 8 * access->ideal);
  CHECK(matrix_access(wgmma_layout(64, 64), row_major_form({64, 64}, 2, 16), 2)->wavefronts == access->ideal);
  CHECK(!matrix_access(wgmma_layout(64, 64), row_major_form({64, 64}, 2, 8), 2).has_value());  // rows are not aligned
  const auto transposed = matrix_access(wgmma_layout(64, 64), swizzled_form(2, 128, 0), 2);
  REQUIRE(transposed.has_value());
  CHECK(transposed->path == SharedPath::matrix_transposed);
  CHECK(transposed->wavefronts == transposed->ideal);
  CHECK(matrix_access(wgmma_operand_layout(64, 64, 1), row_major_form({64, 64}, 1, 16), 1).has_value());
  CHECK(!matrix_access(wgmma_layout(64, 16), row_major_form({64, 16}, 4, 0), 4).has_value());
  CHECK(!matrix_access(strided_layout(128, 4, {64, 16}), row_major_form({64, 16}, 2, 0), 2).has_value());
  // Rows of a matrix may lie anywhere, also in one row of the block.
  CHECK(matrix_access(strided_layout(128, 2, {64, 16}), row_major_form({64, 16}, 2, 0), 2).has_value());
}

TEST_CASE("vectors of strided global memory") {
  const ValueLayout layout = strided_layout(128, 8, {16, 128});
  CHECK(vector_width(layout, {{128, true}, {1, true}}, 8) == 8);
  CHECK(vector_width(layout, {{128, true}, {1, true}}, 2) == 2);  // no better aligned
  CHECK(vector_width(layout, {{4, false}, {1, true}}, 8) == 4);   // rows some multiple of 4 apart
  CHECK(vector_width(layout, {{1, true}, {16, true}}, 8) == 1);   // the other dim runs
  CHECK(vector_width(*transpose_layout(layout, {1, 0}), {{1, true}, {128, true}}, 8) == 8);
}
