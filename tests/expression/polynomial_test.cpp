#include "expression/polynomial.h"

#include <doctest/doctest.h>

using namespace pallasgen;

namespace {

TypedPtr size_symbol(int id) {
  return make_typed({}, DType::index, {}, Symbol{SymbolKind::dim, id, std::string(1, static_cast<char>('A' + id))});
}

TypedPtr made(Op op, const TypedPtr& a, const TypedPtr& b) {
  return make_typed({}, DType::index, {}, Apply{op, {a, b}, {}});
}

}  // namespace

TEST_CASE("what is equal by the laws of + and * has one text") {
  const TypedPtr a = size_symbol(0), b = size_symbol(1), two = index_constant(2, "bm");
  const auto same = [](const TypedPtr& x, const TypedPtr& y) { return multiplied_out(x) == multiplied_out(y); };
  CHECK(same(made(Op::multiply, a, b), made(Op::multiply, b, a)));
  CHECK(same(made(Op::add, a, a), made(Op::multiply, two, a)));
  CHECK(same(made(Op::multiply, made(Op::add, a, b), two),
             made(Op::add, made(Op::multiply, b, index_constant(2)), made(Op::multiply, two, a))));
  CHECK(same(made(Op::subtract, made(Op::add, a, b), b), a));
  CHECK(same(made(Op::subtract, a, a), index_constant(0)));
  CHECK(same(made(Op::cdiv, made(Op::add, a, b), two), made(Op::cdiv, made(Op::add, b, a), index_constant(2))));
  CHECK_FALSE(same(a, b));
  CHECK_FALSE(same(made(Op::multiply, a, a), a));
  CHECK_FALSE(same(made(Op::cdiv, a, two), made(Op::floor_divide, a, two)));
  CHECK_FALSE(same(made(Op::cdiv, a, two), made(Op::cdiv, two, a)));
}

TEST_CASE("products that overflow stay as they are") {
  const TypedPtr large = made(Op::multiply, index_constant(INT64_MAX), size_symbol(0));
  const TypedPtr twice = make_typed({}, DType::index, {}, Apply{Op::multiply, {large, large}, {}});
  CHECK(multiplied_out(twice) == multiplied_out(twice));
  CHECK(multiplied_out(twice) != multiplied_out(large));
}
