#include "expression/threshold.h"

#include <doctest/doctest.h>

#include <random>

using namespace pallasgen;

namespace {

const Symbol kStep{SymbolKind::axis, 0, "j"};
const TypedPtr kSize = make_typed({}, DType::index, {}, Symbol{SymbolKind::axis_size, 0, "j"});

TypedPtr step() { return make_typed({}, DType::index, {}, kStep); }
TypedPtr dim(int id) { return make_typed({}, DType::index, {}, Symbol{SymbolKind::dim, id, std::string(1, 'S' + id)}); }
TypedPtr raw(Op op, DType dtype, std::vector<TypedPtr> args) {
  return make_typed({}, dtype, {}, Apply{op, std::move(args), {}});
}
TypedPtr test(Op op, TypedPtr a, TypedPtr b) { return raw(op, DType::boolean, {std::move(a), std::move(b)}); }
TypedPtr plus(TypedPtr a, TypedPtr b) { return raw(Op::add, DType::index, {std::move(a), std::move(b)}); }
TypedPtr times(TypedPtr a, int64_t b, const char* name = "") {
  return raw(Op::multiply, DType::index, {std::move(a), index_constant(b, name)});
}

std::string solved(const TypedPtr& condition) {
  const std::optional<Threshold> found = threshold(condition, kStep, index_constant(0), kSize);
  return found ? (found->rises ? "from " : "until ") + to_string(found->at) : "none";
}

// Conditions of one direction or of several, affine in the step or not.
class ConditionGenerator {
 public:
  explicit ConditionGenerator(uint64_t seed) : random_(seed) {}

  int64_t number(int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(random_); }

  TypedPtr side(int depth) {
    if (depth == 0)
      return number(0, 2) == 0 ? index_constant(number(-20, 20)) : number(0, 1) ? step() : dim(number(0, 2));
    switch (number(0, 7)) {
      case 0:
        return times(side(depth - 1), number(-9, 9));
      case 1:
        return raw(Op::multiply, DType::index, {index_constant(number(1, 16)), side(depth - 1)});
      case 2:
        return raw(Op::negate, DType::index, {side(depth - 1)});
      case 3:
        return raw(Op::floor_divide, DType::index, {dim(number(0, 2)), index_constant(number(1, 5))});
      case 4:
        return raw(Op::subtract, DType::index, {side(depth - 1), side(depth - 1)});
      default:
        return plus(side(depth - 1), side(depth - 1));
    }
  }

  TypedPtr condition(int depth) {
    static constexpr Op kTests[] = {Op::less, Op::less_equal, Op::greater, Op::greater_equal};
    if (depth == 0 || number(0, 2) == 0) return test(kTests[number(0, 3)], side(2), side(2));
    if (number(0, 4) == 0) return raw(Op::logical_not, DType::boolean, {condition(depth - 1)});
    return test(number(0, 1) ? Op::logical_and : Op::logical_or, condition(depth - 1), condition(depth - 1));
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace

TEST_CASE("a condition changes along a symbol exactly where its threshold says, for random sizes") {
  ConditionGenerator generator(20261123);
  int rising = 0, falling = 0, inside = 0;
  for (int round = 0; round < 20000; ++round) {
    const TypedPtr condition = generator.condition(2);
    CAPTURE(to_string(condition));
    const TypedPtr low = index_constant(generator.number(-3, 3));
    const std::optional<Threshold> found = threshold(condition, kStep, low, kSize);
    if (!found) continue;
    (found->rises ? rising : falling) += 1;
    CAPTURE(to_string(found->at));
    for (int attempt = 0; attempt < 4; ++attempt) {
      const int64_t first = *constant_value(low), last = first + generator.number(0, 12);
      const int64_t dims[] = {generator.number(0, 60), generator.number(-30, 30), generator.number(0, 9)};
      int64_t j = 0;
      const auto value_of = [&](const Symbol& symbol) -> std::optional<int64_t> {
        return symbol.kind == SymbolKind::dim ? dims[symbol.id] : symbol.kind == SymbolKind::axis ? j : last;
      };
      const std::optional<int64_t> at = evaluate_index(found->at, value_of);
      REQUIRE(at);
      CHECK(first <= *at);
      CHECK(*at <= last);
      inside += first < *at && *at < last;
      for (j = first; j < last; ++j) {
        CAPTURE(j);
        CHECK((evaluate_index(condition, value_of) == 1) == (found->rises ? j >= *at : j < *at));
      }
    }
  }
  CHECK(rising > 2000);
  CHECK(falling > 2000);
  CHECK(inside > 2000);
}

TEST_CASE("a threshold is written in the words of its condition") {
  const TypedPtr end = times(plus(step(), index_constant(1)), 128, "bkv");
  CHECK(solved(test(Op::greater, end, dim(1))) == "from minimum(maximum(T // bkv, 0), num_programs(j))");
  CHECK(solved(test(Op::greater_equal, step(), index_constant(1))) == "from minimum(1, num_programs(j))");
  CHECK(solved(test(Op::less, times(step(), 8), dim(1))) == "until minimum(maximum(cdiv(T, 8), 0), num_programs(j))");
  CHECK(solved(test(Op::logical_or, test(Op::greater, end, dim(1)), test(Op::less, dim(0), end))) ==
        "from minimum(maximum(minimum(T // bkv, S // bkv), 0), num_programs(j))");
  CHECK(solved(test(Op::logical_and, test(Op::greater, end, dim(1)), test(Op::less, dim(0), end))) ==
        "from minimum(maximum(maximum(T // bkv, S // bkv), 0), num_programs(j))");
  CHECK(solved(test(Op::logical_and, test(Op::less, dim(0), dim(1)), test(Op::less, step(), dim(1)))) ==
        "until minimum(maximum(minimum(num_programs(j) if S < T else 0, T), 0), num_programs(j))");
}

TEST_CASE("a condition that is not affine, of both directions or without the symbol has no threshold") {
  CHECK(solved(test(Op::less, raw(Op::multiply, DType::index, {step(), dim(0)}), dim(1))) == "none");
  CHECK(solved(test(Op::less, raw(Op::modulo, DType::index, {step(), index_constant(2)}), dim(1))) == "none");
  CHECK(solved(test(Op::equal, step(), dim(0))) == "none");
  CHECK(solved(test(Op::less, dim(0), dim(1))) == "none");
  CHECK(solved(test(Op::less, step(), step())) == "none");
  CHECK(solved(test(Op::logical_and, test(Op::less, step(), dim(0)), test(Op::less, dim(1), step()))) == "none");
  // A factor beyond 64 bits.
  CHECK(solved(test(Op::less, times(times(step(), INT64_MAX), 2), dim(0))) == "none");
}
