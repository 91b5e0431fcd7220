#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "interpret/array.h"
#include "values.h"

using namespace pallasgen;
using namespace pallasgen::interpreter;

namespace {}  // namespace

TEST_CASE("astype to an integer truncates and saturates, NaN gives 0") {
  const Value x = make(DType::f32, {9}, {1.9, -1.9, 127.9, 128, -129, 300, kInfinity, -kInfinity, std::nan("")});
  CHECK(integers(convert(x, DType::i8)) == Ints{1, -1, 127, 127, -128, 127, 127, -128, 0});
  CHECK(integers(convert(x, DType::u8)) == Ints{1, 0, 127, 128, 0, 255, 255, 0, 0});
  CHECK(integers(convert(x, DType::u4)) == Ints{1, 0, 15, 15, 0, 15, 15, 0, 0});
  CHECK(integers(convert(make(DType::f64, {3}, {0x1p63, -0x1p63, 0x1p62}), DType::i64)) ==
        Ints{std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::min(), int64_t{1} << 62});
  CHECK(convert(make(DType::f64, {2}, {0x1p64, 0x1p63}), DType::u64).as<uint64_t>()[0] == ~uint64_t{0});
  CHECK(convert(make(DType::f64, {2}, {0x1p64, 0x1p63}), DType::u64).as<uint64_t>()[1] == uint64_t{1} << 63);
}

TEST_CASE("astype to a narrower integer wraps") {
  const Value x = make_integers(DType::i32, {5}, {128, -129, 65536 + 7, 15, 8});
  CHECK(integers(convert(x, DType::i8)) == Ints{-128, 127, 7, 15, 8});
  CHECK(integers(convert(x, DType::i4)) == Ints{0, -1, 7, -1, -8});
  CHECK(integers(convert(make_integers(DType::i64, {1}, {-1}), DType::u32)) == Ints{4294967295});
  CHECK(integers(convert(make_integers(DType::u32, {1}, {4294967295}), DType::i32)) == Ints{-1});
}

TEST_CASE("integers round to floats once") {
  CHECK(numbers(convert(make_integers(DType::i32, {2}, {257, 259}), DType::bf16)) == Reals{256, 260});
  // One above a tie of bf16: through f32 it would become the tie.
  CHECK(numbers(convert(make_integers(DType::i32, {1}, {(1 << 30) + (1 << 22) + 1}), DType::bf16)) ==
        Reals{(1 << 30) + (1 << 23)});
  CHECK(numbers(convert(make_integers(DType::i64, {1}, {(int64_t{1} << 40) + (1 << 16) + 1}), DType::f32)) ==
        Reals{0x1p40 + 0x1p17});
  CHECK(numbers(convert(make_integers(DType::i32, {1}, {65520}), DType::f16)) == Reals{kInfinity});
}

TEST_CASE("doubles round to small floats once") {
  CHECK(numbers(convert(make(DType::f64, {1}, {1 + 0x1p-8 + 0x1p-40}), DType::bf16)) == Reals{1 + 0x1p-7});
  CHECK(numbers(convert(make(DType::f32, {1}, {464}), DType::f8e4m3)) == Reals{448});
}

TEST_CASE("bools: zero is false, NaN is true") {
  CHECK(integers(convert(make(DType::f32, {4}, {0, -0.0, std::nan(""), 0.1}), DType::boolean)) == Ints{0, 0, 1, 1});
  CHECK(integers(convert(make_integers(DType::i32, {2}, {256, 0}), DType::boolean)) == Ints{1, 0});
  CHECK(numbers(convert(make_integers(DType::boolean, {2}, {1, 0}), DType::f16)) == Reals{1, 0});
}

TEST_CASE("bitcast keeps the bits") {
  const Value one = make(DType::f32, {2}, {1, -0.0});
  CHECK(integers(bitcast(one, DType::u32, {2})) == Ints{0x3f800000, 0x80000000});
  CHECK(numbers(bitcast(bitcast(one, DType::i32, {2}), DType::f32, {2})) == Reals{1, 0});
  CHECK(numbers(bitcast(make_integers(DType::i16, {1}, {0x3c00}), DType::f16, {1})) == Reals{1});
  CHECK(integers(bitcast(make_integers(DType::u16, {1}, {0x0201}), DType::u8, {1, 2})) == Ints{1, 2});
}

TEST_CASE("arrays of every dtype keep what is put in") {
  for (const DTypeInfo& row : dtypes()) {
    CAPTURE(row.name);
    Array array = Array::zeros(row.dtype, {3, 3});
    CHECK(array.bytes.size() == static_cast<size_t>(bytes_of(row.dtype, 9)));
    for (int64_t i = 0; i < 9; ++i) array.set(i, i % 2 == 0 ? 1 : 2);
    for (int64_t i = 0; i < 9; ++i) CHECK(array.at(i) == (row.dtype == DType::boolean || i % 2 == 0 ? 1 : 2));
  }
  Array nibbles = Array::zeros(DType::i4, {3});
  for (int64_t i = 0; i < 3; ++i) nibbles.set_integer(i, 7 - 5 * i);
  CHECK(nibbles.bytes == std::vector<std::byte>{std::byte{0x27}, std::byte{0x0d}});  // even index in the low nibble
  CHECK(nibbles.integer_at(2) == -3);
  nibbles.set_integer(0, 9);
  CHECK(nibbles.integer_at(0) == -7);
}
