#include "selection.h"

#include <doctest/doctest.h>

#include <optional>

#include "fault.h"
#include "values.h"

using namespace pallasgen;
using namespace pallasgen::interpreter;

namespace {

using Ints = std::vector<int64_t>;
using Items = std::vector<ResolvedItem>;

// Returns the source of every selected element, in order.
Ints sources(const Selection& selection) {
  Ints out;
  for (const ElementRun& run : selection.runs) {
    for (int64_t i = 0; i < run.count; ++i) out.push_back(run.source < 0 ? run.source : run.source + i);
  }
  return out;
}

ResolvedGather gather(Shape shape, const Ints& indices) {
  return {convert(make_integers(DType::i64, std::move(shape), indices), DType::index)};
}

std::string fault_of(const IndexedSpace& space, const Items& items, const Value* mask = nullptr) {
  try {
    select(space, items, mask, {});
  } catch (const Fault& fault) {
    return fault.message;
  }
  return "";
}

}  // namespace

TEST_CASE("integers, slices and new axes") {
  const IndexedSpace space = dense_space({3, 4}, "x");
  Selection s = select(space, {ResolvedInteger{1}, ResolvedSlice{1, 2, 1}}, nullptr, {});
  CHECK(s.shape == Shape{2});
  CHECK(sources(s) == Ints{5, 6});
  s = select(space, {ResolvedSlice{0, 3, 1}, ResolvedNewAxis{}, ResolvedInteger{2}}, nullptr, {});
  CHECK(s.shape == Shape{3, 1});
  CHECK(sources(s) == Ints{2, 6, 10});
  s = select(space, {ResolvedSlice{2, 2, -2}, ResolvedSlice{0, 2, 3}}, nullptr, {});
  CHECK(sources(s) == Ints{8, 11, 0, 3});
  s = select(space, {ResolvedSlice{0, 3, 1}, ResolvedSlice{0, 4, 1}}, nullptr, {});
  CHECK(s.runs.size() == 1);  // a whole block is one run
  CHECK(select(dense_space({}, "x"), {}, nullptr, {}).runs[0].count == 1);
  CHECK(select(space, {ResolvedSlice{0, 0, 1}, ResolvedSlice{0, 4, 1}}, nullptr, {}).runs.empty());
}

TEST_CASE("integer arrays") {
  const IndexedSpace space = dense_space({3, 4}, "x");
  Selection s = select(space, {gather({2}, {2, 0}), ResolvedSlice{0, 4, 1}}, nullptr, {});
  CHECK(s.shape == Shape{2, 4});
  CHECK(sources(s) == Ints{8, 9, 10, 11, 0, 1, 2, 3});
  s = select(space, {gather({2, 1}, {2, 0}), gather({3}, {0, 1, 3})}, nullptr, {});
  CHECK(s.shape == Shape{2, 3});
  CHECK(sources(s) == Ints{8, 9, 11, 0, 1, 3});
  s = select(space, {ResolvedSlice{0, 3, 1}, gather({2}, {3, 3})}, nullptr, {});
  CHECK(s.shape == Shape{3, 2});
  CHECK(sources(s) == Ints{3, 3, 7, 7, 11, 11});
  // As in NumPy, index arrays with a slice between bring their dims to the front; an integer counts as one of them.
  const IndexedSpace cube = dense_space({2, 3, 4}, "x");
  s = select(cube, {gather({2}, {1, 0}), ResolvedSlice{0, 3, 1}, ResolvedInteger{3}}, nullptr, {});
  CHECK(s.shape == Shape{2, 3});
  CHECK(sources(s) == Ints{15, 19, 23, 3, 7, 11});
  s = select(cube, {ResolvedInteger{1}, ResolvedSlice{0, 3, 1}, gather({2}, {0, 3})}, nullptr, {});
  CHECK(s.shape == Shape{2, 3});
  CHECK(sources(s) == Ints{12, 16, 20, 15, 19, 23});
}

TEST_CASE("a view clips at the end of its array") {
  // Rows 2 to 5 and columns 4 to 7 of an array of 4 x 6.
  const IndexedSpace view{{{4, 6, 0, 2, true}, {4, 1, 0, 2, true}}, 2 * 6 + 4, "x"};
  Selection s = select(view, {ResolvedSlice{0, 4, 1}, ResolvedSlice{0, 4, 1}}, nullptr, {});
  CHECK(sources(s) == Ints{16, 17, -1, -1, 22, 23, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1});
  s = select(view, {ResolvedInteger{1}, gather({3}, {0, 9, 1})}, nullptr, {});
  CHECK(sources(s) == Ints{22, -1, 23});
  CHECK(fault_of(view, {ResolvedInteger{-1}, ResolvedInteger{0}}) ==
        "index -1 along dim 0 of 'x' is outside: it has 4 elements there");
}

TEST_CASE("indices outside are faults, but where the mask leaves them out") {
  const IndexedSpace space = dense_space({4}, "x");
  CHECK(fault_of(space, {ResolvedSlice{2, 3, 1}}) == "index 4 along dim 0 of 'x' is outside: it has 4 elements there");
  CHECK(fault_of(space, {gather({3}, {0, 3, -1})}) ==
        "index -1 along dim 0 of 'x' is outside: it has 4 elements there");
  const Value mask = make_integers(DType::boolean, {3}, {1, 0, 1});
  const Selection s = select(space, {gather({3}, {0, 99, 3})}, &mask, {});
  CHECK(sources(s) == Ints{0, -2, 3});
  const Value all = make_integers(DType::boolean, {}, {0});
  CHECK(sources(select(space, {ResolvedSlice{9, 2, 1}}, &all, {})) == Ints{-2, -2});
}
