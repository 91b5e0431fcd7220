#include "elementwise.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "broadcast.h"
#include "values.h"

using namespace pallasgen;
using namespace pallasgen::interpreter;

namespace {

Ints on_ints(Op op, DType dtype, const Ints& a, const Ints& b) {
  const auto n = static_cast<int64_t>(a.size());
  return integers(apply_elementwise(op, dtype, {make_integers(dtype, {n}, a), make_integers(dtype, {n}, b)}));
}

Reals on_floats(Op op, DType dtype, const Reals& a, const Reals& b) {
  const auto n = static_cast<int64_t>(a.size());
  return numbers(apply_elementwise(op, dtype, {make(dtype, {n}, a), make(dtype, {n}, b)}));
}

double on_float(Op op, double x, DType dtype = DType::f32) {
  return numbers(apply_elementwise(op, dtype, {make(dtype, {}, {x})}))[0];
}

}  // namespace

TEST_CASE("integer // and % round towards minus infinity, also at the limits") {
  const int64_t least = std::numeric_limits<int32_t>::min();
  CHECK(on_ints(Op::floor_divide, DType::i32, {7, -7, 7, -7, least}, {2, 2, -2, -2, -1}) == Ints{3, -4, -4, 3, least});
  CHECK(on_ints(Op::modulo, DType::i32, {7, -7, 7, -7, least}, {2, 2, -2, -2, -1}) == Ints{1, 1, -1, -1, 0});
  CHECK(on_ints(Op::cdiv, DType::i32, {7, -7, 8}, {2, 2, 2}) == Ints{4, -3, 4});
  CHECK(on_ints(Op::floor_divide, DType::i8, {-128}, {-1}) == Ints{-128});
  CHECK(on_ints(Op::floor_divide, DType::i32, {5}, {0}) == Ints{least});
  CHECK(on_ints(Op::modulo, DType::u8, {5}, {0}) == Ints{0});
}

TEST_CASE("integers wrap in their own width") {
  CHECK(on_ints(Op::add, DType::i8, {127, -128}, {1, -1}) == Ints{-128, 127});
  CHECK(on_ints(Op::multiply, DType::u16, {65535}, {65535}) == Ints{1});
  CHECK(on_ints(Op::multiply, DType::i32, {65536}, {65536}) == Ints{0});
  CHECK(on_ints(Op::subtract, DType::u32, {0}, {1}) == Ints{4294967295});
  CHECK(on_ints(Op::add, DType::i64, {std::numeric_limits<int64_t>::max()}, {1}) ==
        Ints{std::numeric_limits<int64_t>::min()});
  CHECK(on_ints(Op::power, DType::i32, {-3, 2}, {3, 31}) == Ints{-27, std::numeric_limits<int32_t>::min()});
  CHECK(integers(apply_elementwise(Op::abs, DType::i8, {make_integers(DType::i8, {1}, {-128})})) == Ints{-128});
  CHECK(integers(apply_elementwise(Op::invert, DType::u4, {make_integers(DType::u4, {1}, {3})})) == Ints{12});
}

TEST_CASE("shifts") {
  CHECK(on_ints(Op::shift_right, DType::i32, {-5, -5, -5}, {1, 31, 40}) == Ints{-3, -1, -1});
  CHECK(on_ints(Op::shift_right, DType::u8, {0x80, 0x80}, {7, 8}) == Ints{1, 0});
  CHECK(on_ints(Op::shift_left, DType::i8, {1, 1, 1, 3}, {7, 8, -1, 6}) == Ints{-128, 0, 0, -64});
}

TEST_CASE("minimum, maximum and clamp propagate NaN") {
  const double nan = std::nan("");
  for (Op op : {Op::minimum, Op::maximum}) {
    CHECK(std::isnan(on_floats(op, DType::f32, {nan}, {1})[0]));
    CHECK(std::isnan(on_floats(op, DType::bf16, {1}, {nan})[0]));
  }
  CHECK(on_floats(Op::minimum, DType::f32, {1, 3}, {2, -kInfinity}) == Reals{1, -kInfinity});
  CHECK(on_floats(Op::maximum, DType::f64, {1, 3}, {2, -kInfinity}) == Reals{2, 3});
  const Value x = make(DType::f32, {4}, {-9, 0.5, 9, nan});
  const Reals clamped = numbers(
      apply_elementwise(Op::clamp, DType::f32, {x, make(DType::literal, {}, {-1}), make(DType::literal, {}, {2})}));
  CHECK(clamped[0] == -1);
  CHECK(clamped[1] == 0.5);
  CHECK(clamped[2] == 2);
  CHECK(std::isnan(clamped[3]));
}

TEST_CASE("each operation rounds to its dtype") {
  CHECK(on_floats(Op::add, DType::f32, {1}, {0x1p-24}) == Reals{1});
  CHECK(on_floats(Op::add, DType::f16, {2048}, {1}) == Reals{2048});
  CHECK(on_floats(Op::add, DType::bf16, {256}, {1}) == Reals{256});
  CHECK(on_floats(Op::multiply, DType::f16, {256}, {256}) == Reals{kInfinity});
  CHECK(on_floats(Op::divide, DType::f32, {1, 1, -1}, {3, 0, 0}) ==
        Reals{static_cast<double>(1.0f / 3), kInfinity, -kInfinity});
  const Value a = make(DType::f32, {}, {1 + 0x1p-12}), b = make(DType::f32, {}, {1 - 0x1p-12}),
              c = make(DType::f32, {}, {-1});
  CHECK(numbers(apply_elementwise(Op::fma, DType::f32, {a, b, c})) == Reals{-0x1p-24});
}

TEST_CASE("floats: // and % as in Python") {
  CHECK(on_floats(Op::floor_divide, DType::f32, {7, -7, 7, -7.5}, {2, 2, -2, -2}) == Reals{3, -4, -4, 3});
  CHECK(on_floats(Op::modulo, DType::f32, {7, -7, 7, -7.5}, {2, 2, -2, -2}) == Reals{1, 1, -1, -1.5});
  CHECK(on_floats(Op::power, DType::f32, {2, -2, 0}, {0.5, 3, 0}) ==
        Reals{static_cast<double>(std::sqrt(2.0f)), -8, 1});
}

TEST_CASE("functions of one float") {
  CHECK(on_float(Op::round, 2.5) == 2);
  CHECK(on_float(Op::round, -1.5) == -2);
  CHECK(on_float(Op::floor, -0.5) == -1);
  CHECK(std::signbit(on_float(Op::ceil, -0.5)));
  CHECK(on_float(Op::trunc, -1.7) == -1);
  CHECK(on_float(Op::sign, -3) == -1);
  CHECK(std::isnan(on_float(Op::sign, std::nan(""))));
  CHECK(on_float(Op::exp2, -149) == 0x1p-149);
  CHECK(on_float(Op::exp, 1) == static_cast<double>(2.71828182845904523536f));
  CHECK(on_float(Op::rsqrt, 4) == 0.5);
  CHECK(on_float(Op::erf, kInfinity) == 1);
  CHECK(on_float(Op::logistic, -200) < 1e-38);
  CHECK(on_float(Op::logistic, 0) == 0.5);
  CHECK(on_float(Op::tanh, -kInfinity) == -1);
  CHECK(on_float(Op::log1p, 1e-10, DType::f64) == 1e-10 - 0.5e-20);
  CHECK(on_float(Op::exp, 1, DType::bf16) == 2.71875);
}

TEST_CASE("comparisons and tests") {
  const double nan = std::nan("");
  const Value x = make(DType::f32, {3}, {1, nan, -kInfinity}), y = make(DType::f32, {3}, {1, 1, nan});
  CHECK(integers(apply_elementwise(Op::equal, DType::boolean, {x, y})) == Ints{1, 0, 0});
  CHECK(integers(apply_elementwise(Op::not_equal, DType::boolean, {x, y})) == Ints{0, 1, 1});
  CHECK(integers(apply_elementwise(Op::less_equal, DType::boolean, {x, y})) == Ints{1, 0, 0});
  CHECK(integers(apply_elementwise(Op::isnan, DType::boolean, {x})) == Ints{0, 1, 0});
  CHECK(integers(apply_elementwise(Op::isfinite, DType::boolean, {x})) == Ints{1, 0, 0});
  const Value u = make_integers(DType::u32, {1}, {4294967295}), one = index_value(1);
  CHECK(integers(apply_elementwise(Op::greater, DType::boolean, {u, one})) == Ints{1});
}

TEST_CASE("index values and literals take the dtype of the other operand") {
  const Value half = make(DType::f16, {1}, {2});
  CHECK(numbers(apply_elementwise(Op::multiply, DType::f16, {half, make(DType::literal, {}, {0.1})})) ==
        Reals{0.199951171875});
  CHECK(integers(apply_elementwise(Op::add, DType::i8, {make_integers(DType::i8, {1}, {100}), index_value(100)})) ==
        Ints{-56});
}

TEST_CASE("operands broadcast together") {
  const Value column = make(DType::f32, {2, 1}, {10, 20}), row = make(DType::f32, {3}, {1, 2, 3});
  const Value sum = apply_elementwise(Op::add, DType::f32, {column, row});
  CHECK(sum.shape == Shape{2, 3});
  CHECK(numbers(sum) == Reals{11, 12, 13, 21, 22, 23});
  CHECK(numbers(apply_elementwise(Op::subtract, DType::f32, {row, column})) == Reals{-9, -8, -7, -19, -18, -17});
  const Value cube = make(DType::f32, {2, 1, 2}, {1, 2, 3, 4}), plane = make(DType::f32, {2, 1}, {10, 20});
  CHECK(numbers(apply_elementwise(Op::add, DType::f32, {cube, plane})) == Reals{11, 12, 21, 22, 13, 14, 23, 24});
  const Value test = make_integers(DType::boolean, {2, 1}, {1, 0});
  CHECK(numbers(apply_elementwise(Op::where, DType::f32, {test, row, make(DType::literal, {}, {-1})})) ==
        Reals{1, 2, 3, -1, -1, -1});
  const Value empty = make(DType::f32, {0, 3}, {});
  CHECK(apply_elementwise(Op::add, DType::f32, {empty, row}).shape == Shape{0, 3});
  CHECK(numbers(broadcast(make(DType::f32, {2, 1, 1}, {1, 2}), {2, 2, 2})) == Reals{1, 1, 1, 1, 2, 2, 2, 2});
}
