#include "array_ops.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "elementwise.h"
#include "values.h"

using namespace pallasgen;
using namespace pallasgen::interpreter;

namespace {

Value counted(DType dtype, Shape shape) {
  std::vector<double> elements(static_cast<size_t>(elements_of(shape)));
  std::iota(elements.begin(), elements.end(), 0);
  return make(dtype, std::move(shape), elements);
}

// Small whole numbers without a pattern that a wrong stride would preserve.
Value scattered(DType dtype, Shape shape, int64_t seed) {
  std::vector<double> elements;
  for (int64_t i = 0; i < elements_of(shape); ++i)
    elements.push_back(static_cast<double>((i * 37 + seed * 11 + i * i) % 15 - 7));
  return make(dtype, std::move(shape), elements);
}

// Computes the definition, element by element, in exact arithmetic.
Reals plain_dot(const Value& a, const Value& b, bool trans_a, bool trans_b) {
  const int64_t m = a.shape[trans_a ? 1 : 0], k = a.shape[trans_a ? 0 : 1], n = b.shape[trans_b ? 0 : 1];
  Reals out;
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (int64_t s = 0; s < k; ++s) {
        sum += double_of(a, trans_a ? s * m + i : i * k + s) * double_of(b, trans_b ? j * k + s : s * n + j);
      }
      out.push_back(sum);
    }
  }
  return out;
}

}  // namespace

TEST_CASE("transpose") {
  const Value x = counted(DType::i32, {2, 3, 4});
  const Value moved = transpose(x, {2, 0, 1});
  CHECK(moved.shape == Shape{4, 2, 3});
  for (int64_t i = 0; i < 4; ++i) {
    for (int64_t j = 0; j < 2; ++j) {
      for (int64_t k = 0; k < 3; ++k) CHECK(integer_of(moved, (i * 2 + j) * 3 + k) == (j * 3 + k) * 4 + i);
    }
  }
  const Value wide = counted(DType::f32, {70, 45});
  const Value back = transpose(transpose(wide, {1, 0}), {1, 0});
  CHECK(numbers(back) == numbers(wide));
  CHECK(double_of(transpose(wide, {1, 0}), 1) == 45);
  CHECK(integers(transpose(x, {0, 1, 2})) == integers(x));
}

TEST_CASE("concatenate and iota") {
  const Value x = counted(DType::i32, {2, 2}), y = counted(DType::i32, {2, 1});
  CHECK(integers(concatenate({x, y}, 1, DType::i32)) == Ints{0, 1, 0, 2, 3, 1});
  CHECK(integers(concatenate({x, x}, 0, DType::i32)) == Ints{0, 1, 2, 3, 0, 1, 2, 3});
  CHECK(integers(iota(DType::i32, {2, 3}, 0)) == Ints{0, 0, 0, 1, 1, 1});
  CHECK(numbers(iota(DType::bf16, {2, 3}, 1)) == Reals{0, 1, 2, 0, 1, 2});
}

TEST_CASE("sums over any axes") {
  const Value x = counted(DType::f32, {2, 3, 4});
  CHECK(numbers(reduce(Op::sum, DType::f32, x, {0, 2}, false)) == Reals{60, 92, 124});
  CHECK(numbers(reduce(Op::sum, DType::f32, x, {}, false)) == Reals{276});
  const Value kept = reduce(Op::mean, DType::f32, x, {1}, true);
  CHECK(kept.shape == Shape{2, 1, 4});
  CHECK(numbers(kept) == Reals{4, 5, 6, 7, 16, 17, 18, 19});
}

TEST_CASE("sums of small floats round once") {
  Reals ones(2000, 1.0);
  CHECK(numbers(reduce(Op::sum, DType::bf16, make(DType::bf16, {2000}, ones), {0}, false)) == Reals{2000});
  CHECK(numbers(reduce(Op::sum, DType::f16, make(DType::f16, {2000}, Reals(2000, 50)), {0}, false)) ==
        Reals{kInfinity});
  CHECK(numbers(reduce(Op::mean, DType::f16, make(DType::f16, {2000}, Reals(2000, 50)), {0}, false)) == Reals{50});
}

TEST_CASE("sums of integers") {
  CHECK(integers(reduce(Op::sum, DType::i32, make_integers(DType::i8, {3}, {127, 127, 127}), {0}, false)) == Ints{381});
  CHECK(integers(reduce(Op::sum, DType::i32, make_integers(DType::boolean, {3}, {1, 1, 0}), {0}, false)) == Ints{2});
  CHECK(integers(reduce(Op::prod, DType::i32, make_integers(DType::i32, {2}, {65536, 65536}), {0}, false)) == Ints{0});
}

TEST_CASE("max, min, argmax and argmin") {
  const double nan = std::nan("");
  const Value x = make(DType::f32, {3, 3}, {1, 5, 5, nan, 9, nan, -kInfinity, -kInfinity, -kInfinity});
  const Reals most = numbers(reduce(Op::max, DType::f32, x, {1}, false));
  CHECK(most[0] == 5);
  CHECK(std::isnan(most[1]));
  CHECK(most[2] == -kInfinity);
  CHECK(integers(reduce(Op::argmax, DType::i32, x, {1}, false)) == Ints{1, 0, 0});
  CHECK(integers(reduce(Op::argmin, DType::i32, make_integers(DType::i32, {4}, {3, -1, -1, 4}), {0}, false)) ==
        Ints{1});
  CHECK(integers(reduce(Op::min, DType::u32, make_integers(DType::u32, {2}, {4294967295, 7}), {0}, false)) == Ints{7});
}

TEST_CASE("reductions of nothing") {
  const Value none = make(DType::f32, {0, 2}, {});
  CHECK(numbers(reduce(Op::sum, DType::f32, none, {0}, false)) == Reals{0, 0});
  CHECK(numbers(reduce(Op::max, DType::f32, none, {0}, false)) == Reals{-kInfinity, -kInfinity});
  CHECK(integers(reduce(Op::max, DType::i8, make(DType::i8, {0}, {}), {0}, false)) == Ints{-128});
  CHECK(integers(reduce(Op::min, DType::u8, make(DType::u8, {0}, {}), {0}, false)) == Ints{255});
  CHECK(integers(reduce(Op::all, DType::boolean, make(DType::boolean, {0}, {}), {0}, false)) == Ints{1});
}

TEST_CASE("running sums and maxima") {
  CHECK(integers(scan(Op::cumsum, DType::i32, make_integers(DType::i8, {2, 3}, {100, 100, 100, 1, 2, 3}), 1)) ==
        Ints{100, 200, 300, 1, 3, 6});
  CHECK(integers(scan(Op::cumsum, DType::i32, make_integers(DType::i32, {2, 3}, {1, 2, 3, 4, 5, 6}), 0)) ==
        Ints{1, 2, 3, 5, 7, 9});
  CHECK(integers(scan(Op::cummax, DType::i32, make_integers(DType::i32, {4}, {1, 3, 2, 4}), 0)) == Ints{1, 3, 3, 4});
  const Reals most = numbers(scan(Op::cummax, DType::f32, make(DType::f32, {3}, {1, std::nan(""), 5}), 0));
  CHECK(std::isnan(most[1]));
  CHECK(std::isnan(most[2]));
  // 256 + 1 in bf16 would stay 256 forever.
  CHECK(numbers(scan(Op::cumsum, DType::bf16, make(DType::bf16, {4}, {256, 1, 1, 1}), 0)) == Reals{256, 256, 258, 260});
}

TEST_CASE("dot in every form") {
  for (bool trans_a : {false, true}) {
    for (bool trans_b : {false, true}) {
      const Value a = scattered(DType::bf16, trans_a ? Shape{133, 7} : Shape{7, 133}, 1);
      const Value b = scattered(DType::bf16, trans_b ? Shape{600, 133} : Shape{133, 600}, 2);
      const Value c = dot(a, b, DType::f32, {trans_a, trans_b}, std::nullopt);
      CHECK(c.shape == Shape{7, 600});
      CHECK(numbers(c) == plain_dot(a, b, trans_a, trans_b));
    }
  }
}

TEST_CASE("dot: dtypes of sums") {
  const Value bytes = make_integers(DType::i8, {1, 300}, Ints(300, -128));
  CHECK(integers(dot(bytes, bytes, DType::i32, {false, true}, std::nullopt)) == Ints{300 * 16384});
  const Value ones = make(DType::f16, {1, 4096}, Reals(4096, 1));
  CHECK(numbers(dot(ones, ones, DType::f16, {false, true}, std::nullopt)) == Reals{4096});
  const Value fine = make(DType::f64, {1, 1}, {1 + 0x1p-50});
  CHECK(numbers(dot(fine, fine, DType::f64, {}, std::nullopt)) == Reals{1 + 0x1p-49});
  const Value none = make(DType::f32, {2, 0}, {});
  CHECK(numbers(dot(none, none, DType::f32, {false, true}, std::nullopt)) == Reals{0, 0, 0, 0});
}

TEST_CASE("x + dot(a, b) is one accumulation") {
  // 2^24 + 1 + 1: each step rounds back to 2^24, although the products alone give 2.
  const Value ones = make(DType::f32, {1, 2}, {1, 1}), start = make(DType::f32, {1, 1}, {0x1p24});
  CHECK(numbers(dot(ones, ones, DType::f32, {false, true}, start)) == Reals{0x1p24});
  CHECK(numbers(start) == Reals{0x1p24});
  const Value a = scattered(DType::f16, {5, 9}, 3), b = scattered(DType::f16, {9, 6}, 4);
  Reals want = plain_dot(a, b, false, false);
  for (double& x : want) x += 3;
  CHECK(numbers(dot(a, b, DType::f32, {}, make(DType::f32, {}, {3}))) == want);
}

TEST_CASE("dot of batches") {
  const Value a = scattered(DType::f32, {2, 1, 3, 4}, 5), b = scattered(DType::f32, {3, 4, 2}, 6);
  const Value c = dot(a, b, DType::f32, {}, std::nullopt);
  REQUIRE(c.shape == Shape{2, 3, 3, 2});
  const Reals all_a = numbers(a), all_b = numbers(b), all_c = numbers(c);
  for (int64_t i = 0; i < 2; ++i) {
    for (int64_t j = 0; j < 3; ++j) {
      const Value one = make(DType::f32, {3, 4}, Reals(all_a.begin() + i * 12, all_a.begin() + i * 12 + 12));
      const Value other = make(DType::f32, {4, 2}, Reals(all_b.begin() + j * 8, all_b.begin() + j * 8 + 8));
      const auto at = all_c.begin() + (i * 3 + j) * 6;
      CHECK(Reals(at, at + 6) == plain_dot(one, other, false, false));
    }
  }
}

TEST_CASE("precisions of f32 dot") {
  const Value x = make(DType::f32, {1, 1}, {1 + 0x1p-12}), one = make(DType::f32, {1, 1}, {1});
  CHECK(numbers(dot(x, one, DType::f32, {}, std::nullopt)) == Reals{1 + 0x1p-12});
  CHECK(numbers(dot(x, one, DType::f32, {false, false, DotForm::Precision::tf32}, std::nullopt)) == Reals{1});
  CHECK(numbers(dot(x, one, DType::f32, {false, false, DotForm::Precision::bf16x3}, std::nullopt)) ==
        Reals{1 + 0x1p-12});
  const Value y = make(DType::f32, {1, 1}, {1 + 0x1p-8 + 0x1p-17});  // 17 bits: the lower part rounds
  CHECK(numbers(dot(y, one, DType::f32, {false, false, DotForm::Precision::bf16x3}, std::nullopt)) ==
        Reals{1 + 0x1p-8});
}
