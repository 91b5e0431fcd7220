#include "block.h"

#include <doctest/doctest.h>

#include <cmath>

#include "fault.h"
#include "values.h"

using namespace pallasgen;
using namespace pallasgen::interpreter;

namespace {

Ref ref_of(DType dtype, std::vector<BlockKind> kinds) {
  Ref ref;
  ref.name = "x";
  ref.dtype = dtype;
  for (BlockKind kind : kinds) {
    BlockDim dim;
    dim.kind = kind;
    ref.block.push_back(dim);
  }
  return ref;
}

// Returns an array that counts 0, 1, … from the first element.
GlobalArray counting_array(DType dtype, Shape shape) {
  GlobalArray global;
  global.own = Array::zeros(dtype, std::move(shape));
  for (int64_t i = 0; i < global.own.size(); ++i) global.own.set(i, static_cast<double>(i));
  return global;
}

std::string fault_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Fault& fault) {
    return std::string(fault.rule.name) + ": " + fault.message;
  }
  return "";
}

// Rows 1 and 2, columns 2 to 4 of an array of 2 x 4: a row and a column are past the end.
const Placement kCorner{{{1, 2, 0, 1}, {2, 3, 0, 2}}};

}  // namespace

TEST_CASE("a copied block: what is inside, and the fill past the end") {
  for (DType dtype : {DType::f32, DType::i4, DType::bf16, DType::f4e2m1}) {
    CAPTURE(name_of(dtype));
    Ref ref = ref_of(dtype, {BlockKind::element, BlockKind::element});
    ref.fill = Scalar(int64_t{1});
    GlobalArray global = counting_array(dtype, {2, 4});
    Block block(ref, {2, 4}, &global, false);
    block.open(kCorner, true, false);
    const double six = global.own.at(6), seven = global.own.at(7);
    CHECK(numbers(block.read({})) == Reals{six, seven, 1, 1, 1, 1});
    CHECK(numbers(block.valid()) == Reals{1, 1, 0, 0, 0, 0});
  }
}

TEST_CASE("squeezed dims are not seen") {
  const Ref ref = ref_of(DType::i32, {BlockKind::squeezed, BlockKind::blocked});
  GlobalArray global = counting_array(DType::i32, {3, 4});
  Block block(ref, {3, 4}, &global, false);
  block.open({{{2, 1, 0, 1}, {0, 2, 0, 2}}}, true, false);
  CHECK(block.shape() == Shape{2});
  CHECK(integers(block.read({})) == std::vector<int64_t>{8, 9});
}

TEST_CASE("an output block: written back where it is inside the array") {
  const Ref ref = ref_of(DType::f32, {BlockKind::element, BlockKind::element});
  GlobalArray global = counting_array(DType::f32, {2, 4});
  Block block(ref, {2, 4}, &global, false);
  block.open(kCorner, false, true);
  CHECK(block.nothing_written());
  CHECK(fault_of([&] { block.read({}); }) == "run-undefined: element [1, 2] of 'x' is read before it is written");
  block.write({ResolvedInteger{0}, ResolvedInteger{0}}, nullptr, make(DType::f32, {}, {50}), {});
  CHECK(*block.first_unwritten() == std::vector<int64_t>{1, 3});
  CHECK(fault_of([&] { block.read({}); }) == "run-undefined: element [1, 3] of 'x' is read before it is written");
  CHECK(numbers(block.read({ResolvedInteger{0}, ResolvedInteger{0}}, nullptr, nullptr, {})) == Reals{50});
  block.write({ResolvedInteger{0}, ResolvedInteger{1}}, nullptr, make(DType::f32, {}, {60}), {});
  CHECK_FALSE(block.first_unwritten());  // the rest is past the end
  CHECK(fault_of([&] { block.read({}); }) == "");
  block.write_back();
  CHECK(numbers_of(global.own) == Reals{0, 1, 2, 3, 4, 5, 50, 60});
}

TEST_CASE("a block that starts as the input's is written from the start") {
  const Ref ref = ref_of(DType::f32, {BlockKind::element, BlockKind::element});
  GlobalArray global = counting_array(DType::f32, {2, 4});
  Block block(ref, {2, 4}, &global, false);
  block.open(kCorner, true, true);
  CHECK_FALSE(block.first_unwritten());
  const Value all = block.read({});
  block.write({ResolvedInteger{0}, ResolvedInteger{0}}, nullptr, make(DType::f32, {}, {50}), {});
  CHECK(double_of(all) == 6);  // a value that was read does not change
  CHECK(double_of(block.read({})) == 50);
}

TEST_CASE("blocks are combined with what is there") {
  Ref ref = ref_of(DType::f16, {BlockKind::element, BlockKind::element});
  ref.reduce = "add";
  GlobalArray global = counting_array(DType::f16, {2, 4});
  Block block(ref, {2, 4}, &global, false);
  block.open(kCorner, false, true);
  block.write(make(DType::f16, {}, {100}), {});
  block.write_back();
  CHECK(numbers_of(global.own) == Reals{0, 1, 2, 3, 4, 5, 106, 107});
}

TEST_CASE("a view reads and writes the array itself, and only what exists") {
  Ref ref = ref_of(DType::u4, {BlockKind::squeezed, BlockKind::element});
  ref.fill = Scalar(int64_t{9});
  GlobalArray global = counting_array(DType::u4, {2, 5});
  Block block(ref, {2, 5}, &global, true);
  block.open({{{1, 1, 0, 1}, {2, 4, 0, 3}}}, false, false);
  CHECK(integers(block.read({})) == std::vector<int64_t>{7, 8, 9, 9});
  CHECK(integers(block.read({ResolvedSlice{2, 4, 1}}, nullptr, nullptr, {})) == std::vector<int64_t>{9, 9, 9, 9});
  CHECK(numbers(block.valid()) == Reals{1, 1, 1, 0});
  const Value mask = make_integers(DType::boolean, {4}, {0, 1, 1, 1});
  block.write({ResolvedSlice{0, 4, 1}}, &mask, make_integers(DType::u4, {}, {3}), {});
  CHECK(numbers_of(global.own) == Reals{0, 1, 2, 3, 4, 5, 6, 7, 3, 3});
  const Value other = make_integers(DType::u4, {4}, {11, 12, 13, 14});
  CHECK(integers(block.read({ResolvedSlice{0, 4, 1}}, &mask, &other, {})) == std::vector<int64_t>{11, 3, 3, 9});
}

TEST_CASE("a view of an array that starts undefined") {
  const Ref ref = ref_of(DType::f32, {BlockKind::whole});
  GlobalArray global;
  global.own = filled_array(DType::f32, {4}, std::nullopt);
  global.written.assign(4, 0);
  Block block(ref, {4}, &global, true);
  block.open({{{0, 4, 0, 4}}}, false, false);
  block.write({ResolvedSlice{1, 2, 1}}, nullptr, make(DType::f32, {}, {2}), {});
  CHECK(numbers(block.read({ResolvedSlice{1, 2, 1}}, nullptr, nullptr, {})) == Reals{2, 2});
  CHECK(fault_of([&] { block.read({}); }) == "run-undefined: element [0] of 'x' is read before it is written");
  CHECK(std::isnan(global.own.at(3)));
}

TEST_CASE("arrays are filled in chunks") {
  const Array array = filled_array(DType::i4, {9001}, Scalar(int64_t{-3}));
  CHECK(array.integer_at(0) == -3);
  CHECK(array.integer_at(4096) == -3);
  CHECK(array.integer_at(9000) == -3);
  CHECK(filled_array(DType::u8, {3}, std::nullopt).integer_at(2) == 0);
}
