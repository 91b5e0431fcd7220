#include <doctest/doctest.h>

#include "layout/derive.h"
#include "oracle.h"
#include "parts.h"

using namespace pallasgen;
using namespace pallasgen::layout_oracle;

namespace {

// Checks that element_of agrees with the definition.
void check_holders(const ValueLayout& layout) {
  int wrong = 0;
  int64_t all = 0;
  for (const auto& [element, holders] : who_holds(layout)) {
    for (const auto& [addend, of_addend] : holders) {
      for (const auto& [thread, reg] : of_addend) wrong += element_of(layout, thread, reg) != element;
      all += static_cast<int64_t>(of_addend.size());
    }
    wrong += holders.size() != static_cast<size_t>(addends(layout));
  }
  for (int thread = 0; thread < threads(layout); ++thread) {
    for (int reg = 0; reg < registers_per_thread(layout); ++reg) all -= element_of(layout, thread, reg).has_value();
  }
  CHECK(wrong == 0);
  CHECK(all == 0);
  CHECK(covers_shape(layout));
}

// Counts registers of the derived layout that do not hold `of` the element that the layout holds there.
template <class Of>
int differences(const ValueLayout& layout, const ValueLayout& derived, Of of) {
  int wrong = threads(layout) != threads(derived);
  const auto before = who_holds(layout), after = who_holds(derived);
  wrong += before.size() != after.size();
  for (const auto& [element, holders] : before) wrong += by_addend(after.at(of(element))) != by_addend(holders);
  return wrong;
}

}  // namespace

TEST_CASE("layouts drawn at random: their holders are those of the definition") {
  std::mt19937 random(1);
  for (int i = 0; i < 24; ++i) {
    const ValueLayout layout = random_layout(random, i % 3 == 0);
    CAPTURE(text(layout));
    check_holders(layout);
  }
  check_holders(uniform_layout(1));
  check_holders(uniform_layout(96));
  check_holders(uniform_layout(256));
  CHECK(!covers_shape(layout_of_parts("holes", {4}, {{Holder::lane, 0, 2, 2}, {Holder::warp, 0, 1, 2}})));
}

TEST_CASE("layouts drawn at random: canonical forms are equal exactly where the holders are") {
  std::mt19937 random(2);
  int equal = 0;
  for (int i = 0; i < 100; ++i) {
    const std::vector<int64_t> shape = {static_cast<int64_t>(1 + random() % 3), static_cast<int64_t>(1 + random() % 4)};
    const ValueLayout a = random_layout_of(random, shape, 1, i % 2 == 0);
    const ValueLayout b = random_layout_of(random, shape, 1, i % 2 == 0);
    CAPTURE(text(a));
    CAPTURE(text(b));
    CAPTURE(text(canonical(a)));
    CAPTURE(text(canonical(b)));
    CHECK((a == b) == same_holders(a, b));
    CHECK(same_holders(a, canonical(a)));
    equal += a == b;
  }
  CHECK(equal > 3);
  for (int i = 0; i < 24; ++i) {
    const ValueLayout layout = random_layout(random, i % 3 == 0);
    CAPTURE(text(layout));
    CAPTURE(text(canonical(layout)));
    REQUIRE(same_holders(layout, canonical(layout)));
    CHECK(canonical(layout) == layout);
  }
}

TEST_CASE("one layout written down in several ways compares equal") {
  // A row-major block over threads, flat and by dims; a fragment of 16 columns and operand A of 16-bit elements.
  CHECK(strided_layout(128, 4, {16, 128}) == rows_layout(128, 32, 4, 16, 128));
  CHECK(wgmma_layout(64, 16) == wgmma_operand_layout(64, 16, 2));
  CHECK(wgmma_layout(128, 16) == wgmma_operand_layout(128, 16, 2));
  CHECK(!(wgmma_layout(64, 32) == wgmma_operand_layout(64, 32, 1)));
  CHECK(!(wgmma_layout(64, 16) == wgmma_layout(64, 24)));
  // Eight warps are two warpgroups.
  const auto warps = [](std::vector<TracedPart> parts) {
    parts.push_back({Holder::lane, 0, 1, 32});
    return layout_of_parts("warps", {256}, parts);
  };
  CHECK(warps({{Holder::warp, 0, 32, 8}}) == warps({{Holder::warpgroup, 0, 128, 2}, {Holder::warp, 0, 32, 4}}));
  // Parts that hold only padding are the same at any position.
  const auto one = [](TracedPart a, TracedPart b) { return layout_of_parts("one", {1, 1}, {a, b}); };
  CHECK(one({Holder::lane, 0, 1, 32}, {Holder::warp, 0, 32, 2}) ==
        one({Holder::lane, 1, 1, 32}, {Holder::warp, 0, 1, 2}));
}

TEST_CASE("layouts drawn at random: derived layouts, register by register") {
  std::mt19937 random(3);
  for (int i = 0; i < 24; ++i) {
    const ValueLayout layout = random_layout_of(random, random_shape(random), random_warps(random), i % 3 == 0);
    CAPTURE(text(layout));
    const int rank = static_cast<int>(layout.shape.size());
    std::vector<int> order(rank);
    for (int d = 0; d < rank; ++d) order[d] = (d + 1) % rank;
    if (const auto transposed = transpose_layout(layout, order)) {
      CHECK(differences(layout, *transposed, [&](const Coordinates& at) {
              Coordinates moved(at.size());
              for (int d = 0; d < rank; ++d) moved[d] = at[order[d]];
              return moved;
            }) == 0);
    }
    int64_t total = 1;
    for (int64_t size : layout.shape) total *= size;
    for (const std::vector<int64_t>& shape :
         {std::vector<int64_t>{total}, {1, total}, {total % 4 == 0 ? total / 4 : total, total % 4 == 0 ? 4 : 1}}) {
      const auto reshaped = reshape_layout(layout, shape);
      CHECK((reshaped.has_value() || !layout.flat));
      if (!reshaped) continue;
      CAPTURE(text(*reshaped));
      CHECK(differences(layout, *reshaped, [&](const Coordinates& at) {
              int64_t linear = 0;
              for (int d = 0; d < rank; ++d) linear = linear * layout.shape[d] + at[d];
              return coordinates_of(shape, linear);
            }) == 0);
      CHECK(*reshape_layout(*reshaped, layout.shape) == layout);
    }
    for (int axis = 0; axis <= rank; ++axis) {
      if (const auto wider = broadcast_layout(layout, axis, 3)) {
        CHECK(covers_shape(*wider));
        CHECK(*slice_layout(*wider, axis) == layout);
      }
    }
    for (int axis = 0; axis < rank; ++axis) {
      const auto slice = slice_layout(layout, axis), folded = folded_layout(layout, axis);
      REQUIRE(slice.has_value() == folded.has_value());
      if (!slice) continue;
      CHECK(covers_shape(*slice));
      CHECK(covers_shape(*folded));
      if (!is_partial(layout)) CHECK(full_layout(*folded) == *slice);
      // Every thread that holds an element holds its slice.
      int wrong = 0;
      const auto slices = who_holds(*slice);
      for (const auto& [element, holders] : who_holds(layout)) {
        Coordinates at = element;
        at.erase(at.begin() + axis);
        std::set<int> with_slice;
        for (const auto& [addend, of_addend] : slices.at(at)) {
          for (const auto& holder : of_addend) with_slice.insert(holder.first);
        }
        for (const auto& [addend, of_addend] : holders) {
          for (const auto& holder : of_addend) wrong += !with_slice.contains(holder.first);
        }
      }
      CHECK(wrong == 0);
      const int64_t extent = layout.shape[axis], size = 1 + random() % extent, start = random() % (extent - size + 1);
      const auto window = window_layout(layout, axis, start, size);
      if (!window) continue;
      CAPTURE(text(*window));
      CHECK(covers_shape(*window));
      // Each thread holds in it the same of those columns.
      wrong = 0;
      for (int thread = 0; thread < threads(layout); ++thread) {
        std::multiset<Coordinates> of_layout, of_window;
        for (int reg = 0; reg < registers_per_thread(layout); ++reg) {
          const auto at = element_of(layout, thread, reg);
          if (at && (*at)[axis] >= start && (*at)[axis] < start + size) of_layout.insert(*at);
        }
        for (int reg = 0; reg < registers_per_thread(*window); ++reg) {
          auto at = element_of(*window, thread, reg);
          if (at) (*at)[axis] += start;
          if (at) of_window.insert(*at);
        }
        wrong += of_layout != of_window;
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("windows within a part of registers, and of a ragged end") {
  const auto step = window_layout(wgmma_operand_layout(64, 64, 1), 1, 32, 16);
  REQUIRE(step.has_value());
  CHECK(registers_per_thread(*step) == 8);
  const auto tail = window_layout(rows_layout(32, 32, 1, 1, 80), 1, 64, 16);
  REQUIRE(tail.has_value());
  CHECK(registers_per_thread(*tail) == 1);
}

TEST_CASE("the full layout of a partial one is the slice") {
  const ValueLayout partial = *folded_layout(wgmma_layout(64, 64), 1), row = *slice_layout(wgmma_layout(64, 64), 1);
  CHECK(is_partial(partial));
  CHECK(addends(partial) == 4);
  CHECK(full_layout(partial) == row);
  CHECK(!(partial == row));
}
