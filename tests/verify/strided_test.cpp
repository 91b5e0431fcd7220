#include "strided.h"

#include <doctest/doctest.h>

using namespace pallasgen;

namespace {

Array counted(DType dtype, Shape shape) {
  Array array = Array::zeros(dtype, shape);
  for (int64_t i = 0; i < shape[0] * shape[1]; ++i) array.set(i, static_cast<double>(i));
  return array;
}

}  // namespace

TEST_CASE("strides put elements of whole bytes and of halves where a launcher meets them, and find them there") {
  for (const DType dtype : {DType::f32, DType::u8, DType::u4, DType::f64}) {
    CAPTURE(name_of(dtype));
    const Array array = counted(dtype, {3, 2});
    for (const Shape& strides : {Shape{}, Shape{2, 1}, Shape{5, 1}, Shape{5, 2}, Shape{1, 3}}) {
      const auto memory = spread(array, strides, 0xcd);
      REQUIRE(memory);
      CHECK(memory->size() == spread_bytes(dtype, array.shape, strides));
      const auto back = gathered(*memory, dtype, array.shape, strides, 0xcd);
      REQUIRE(back);
      CHECK(back->bytes == array.bytes);
    }
  }
  // 0 1 . 2 3 . 4 5, the even element in the low half.
  CHECK(*spread(counted(DType::u4, {3, 2}), {3, 1}, 0xcd) == "\x10\x2d\xc3\x54");
}

TEST_CASE("an element between those of an array that is written is found, half a byte too") {
  for (const DType dtype : {DType::u8, DType::u4}) {
    std::string memory = *spread(counted(dtype, {2, 2}), {5, 2}, 0xcd);
    memory[dtype == DType::u4 ? 0 : 1] ^= 0x70;  // element 1
    CHECK_FALSE(gathered(memory, dtype, {2, 2}, {5, 2}, 0xcd));
  }
}

TEST_CASE("elements of one place must be equal") {
  CHECK_FALSE(spread(counted(DType::u4, {3, 2}), {0, 1}, 0));
  CHECK(spread(Array::zeros(DType::u4, {3, 2}), {0, 1}, 0) == std::string(4, '\0'));
}

TEST_CASE("the memory of elements of 4 bits is whole words, whose bits past the last element stay") {
  CHECK(spread_bytes(DType::u4, {17}, {}) == 12);
  CHECK(spread_bytes(DType::i4, {2, 2}, {9, 1}) == 8);
  CHECK(spread_bytes(DType::f4e2m1, {0}, {}) == 0);
  for (const Shape& strides : {Shape{}, Shape{3, 1}}) {
    std::string memory = *spread(counted(DType::u4, {3, 3}), strides, 0xcd);
    CHECK(memory.size() == 8);
    CHECK(gathered(memory, DType::u4, {3, 3}, strides, 0xcd));
    memory[5] ^= 1;  // in the second word, after the fifth byte, which holds the last element
    CHECK_FALSE(gathered(memory, DType::u4, {3, 3}, strides, 0xcd));
  }
}

TEST_CASE("an array whose elements lie far apart is not written out whole") {
  constexpr int64_t kGiB = int64_t{1} << 30;
  CHECK(is_far_apart(DType::f32, {2, 3}, {kGiB / 4 - 3, 1}));
  CHECK_FALSE(is_far_apart(DType::f32, {2, 3}, {kGiB / 4 - 4, 1}));
  CHECK_FALSE(is_far_apart(DType::f32, {0, 3}, {kGiB, 1}));
  CHECK_FALSE(is_far_apart(DType::f32, {2, 3}, {}));
}
