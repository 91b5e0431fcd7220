#include <doctest/doctest.h>

#include <random>

#include "expression/typed.h"

using namespace pallasgen;

namespace {

struct Range {
  int64_t minimum, maximum, multiple_of;
};
constexpr Range kRanges[] = {{0, 20, 1}, {0, 64, 8}, {-7, 5, 1}, {16, 16, 16}};

TypedPtr symbol(int id) {
  return make_typed({}, DType::index, {}, Symbol{SymbolKind::dim, id, std::string(1, 'w' + id)});
}

SymbolFacts facts() {
  return {[](const Symbol& s) { return kRanges[s.id].minimum; }, [](const Symbol& s) { return kRanges[s.id].maximum; },
          [](const Symbol& s) { return kRanges[s.id].multiple_of; }};
}

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {}

  int64_t number(int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(random_); }

  // Builds an index without simplification.
  TypedPtr index(int depth) {
    if (depth == 0 || number(0, 5) == 0)
      return number(0, 2) == 0 ? index_constant(number(-9, 9)) : symbol(number(0, 3));
    static constexpr Op kOps[] = {Op::add,      Op::subtract, Op::multiply, Op::floor_divide, Op::modulo, Op::cdiv,
                                  Op::minimum,  Op::maximum,  Op::negate,   Op::abs,          Op::where,  Op::add,
                                  Op::subtract, Op::multiply, Op::sign,     Op::shift_left};
    const Op op = kOps[number(0, std::size(kOps) - 1)];
    if (op == Op::where) return raw(op, DType::index, {truth(depth - 1), index(depth - 1), index(depth - 1)});
    if (op == Op::shift_left) return raw(op, DType::index, {index(depth - 1), index_constant(number(0, 3))});
    if (operation(op).max_args == 1) return raw(op, DType::index, {index(depth - 1)});
    return raw(op, DType::index, {index(depth - 1), index(depth - 1)});
  }

  TypedPtr truth(int depth) {
    static constexpr Op kOps[] = {Op::less,      Op::less_equal,  Op::greater,    Op::greater_equal, Op::equal,
                                  Op::not_equal, Op::logical_and, Op::logical_or, Op::logical_not};
    const Op op = kOps[number(0, depth > 0 ? std::size(kOps) - 1 : 5)];
    const int below = depth > 0 ? depth - 1 : 0;
    if (op == Op::logical_not) return raw(op, DType::boolean, {truth(below)});
    if (op == Op::logical_and || op == Op::logical_or) return raw(op, DType::boolean, {truth(below), truth(below)});
    return raw(op, DType::boolean, {index(below), index(below)});
  }

  std::vector<int64_t> values() {
    std::vector<int64_t> out;
    for (const Range& range : kRanges) {
      const int64_t low = (range.minimum + (range.minimum > 0 ? range.multiple_of - 1 : 0)) / range.multiple_of;
      out.push_back(number(low, range.maximum / range.multiple_of) * range.multiple_of);
    }
    return out;
  }

 private:
  std::mt19937_64 random_;

  static TypedPtr raw(Op op, DType dtype, std::vector<TypedPtr> args) {
    return make_typed({}, dtype, {}, Apply{op, std::move(args), {}});
  }
};

}  // namespace

TEST_CASE("what is said of random index expressions holds for their values") {
  Generator generator(20260101);
  int evaluated = 0, bounded = 0, affine_forms = 0, multiples = 0, smaller = 0;
  const auto size = [](const TypedPtr& expr) {
    int nodes = 0;
    walk(expr, [&](const Typed&) { ++nodes; });
    return nodes;
  };
  for (int round = 0; round < 20000; ++round) {
    const TypedPtr expr = round % 4 == 0 ? generator.truth(4) : generator.index(4);
    CAPTURE(to_string(expr));
    const TypedPtr simple = simplify(expr);
    CAPTURE(to_string(simple));
    CHECK(size(simple) <= size(expr));
    CHECK(equal(simplify(simple), simple));
    smaller += size(simple) < size(expr);
    const Bounds range = bounds(expr, facts());
    const int64_t factor = multiple_of(expr, facts());
    const std::optional<Affine> form = affine(expr);
    bounded += range.minimum && range.maximum;
    affine_forms += form && !form->terms.empty();
    multiples += factor > 1;
    for (int attempt = 0; attempt < 8; ++attempt) {
      const std::vector<int64_t> values = generator.values();
      const auto value_of = [&](const Symbol& s) { return std::optional<int64_t>(values[s.id]); };
      const std::optional<int64_t> value = evaluate_index(expr, value_of);
      if (!value) continue;
      ++evaluated;
      CHECK(evaluate_index(simple, value_of) == value);
      if (range.minimum) CHECK(*range.minimum <= *value);
      if (range.maximum) CHECK(*value <= *range.maximum);
      CHECK((factor == 0 ? *value == 0 : *value % factor == 0));
      if (form) {
        int64_t sum = form->constant;
        for (const Affine::Term& term : form->terms) sum += term.coefficient * values[term.symbol.id];
        CHECK(sum == *value);
      }
      const TypedPtr replaced = substitute(expr, [&](const Symbol& s) { return index_constant(values[s.id]); });
      CHECK(evaluate_index(replaced, [](const Symbol&) { return std::optional<int64_t>(); }) == value);
    }
  }
  // The checks above were not vacuous.
  CHECK(evaluated > 50000);
  CHECK(bounded > 3000);
  CHECK(affine_forms > 1000);
  CHECK(multiples > 500);
  CHECK(smaller > 5000);
}

TEST_CASE("bounds are exact where each symbol stands once") {
  const auto check = [](const TypedPtr& expr, std::optional<int64_t> low, std::optional<int64_t> high) {
    CAPTURE(to_string(expr));
    const Bounds range = bounds(expr, facts());
    CHECK(range.minimum == low);
    CHECK(range.maximum == high);
  };
  const TypedPtr w = symbol(0), x = symbol(1), y = symbol(2);
  check(index_apply(Op::add, w, x), 0, 84);
  check(index_apply(Op::subtract, w, x), -64, 20);
  check(index_apply(Op::multiply, w, index_constant(-3)), -60, 0);
  check(index_apply(Op::multiply, w, y), -140, 100);
  check(index_apply(Op::cdiv, w, index_constant(8)), 0, 3);
  check(index_apply(Op::floor_divide, y, index_constant(2)), -4, 2);
  check(index_apply(Op::modulo, w, index_constant(8)), 0, 7);
  check(index_apply(Op::modulo, w, index_constant(32)), 0, 20);
  // A division by 0 has no result.
  check(index_apply(Op::floor_divide, x, w), 0, 64);
  check(index_apply(Op::cdiv, x, w), 0, 64);
  check(index_apply(Op::modulo, x, w), 0, 19);
  check(index_apply(Op::floor_divide, x, y), std::nullopt, std::nullopt);
  check(index_apply(Op::modulo, x, index_constant(0)), std::nullopt, std::nullopt);
  check(index_apply(Op::minimum, w, index_constant(4)), 0, 4);
  check(index_apply(Op::less, w, index_constant(21)), 1, 1);
  check(index_apply(Op::equal, w, index_constant(-1)), 0, 0);
  check(index_apply(Op::equal, w, index_constant(3)), 0, 1);
}

TEST_CASE("unknown bounds stay unknown, and the known side is used") {
  const SymbolFacts open{[](const Symbol&) { return std::optional<int64_t>(0); },
                         [](const Symbol&) { return std::optional<int64_t>(); },
                         [](const Symbol&) { return int64_t{1}; }};
  const Bounds sum = bounds(index_apply(Op::add, symbol(0), index_constant(5)), open);
  CHECK(sum.minimum == 5);
  CHECK(!sum.maximum);
  const Bounds least = bounds(index_apply(Op::minimum, symbol(0), index_constant(5)), open);
  CHECK(least.minimum == 0);
  CHECK(least.maximum == 5);
  const Bounds blocks = bounds(index_apply(Op::cdiv, symbol(0), index_constant(128)), open);
  CHECK(blocks.minimum == 0);
  CHECK(!blocks.maximum);
}

TEST_CASE("identities") {
  const TypedPtr w = symbol(0), x = symbol(1);
  const auto text = [](Op op, const TypedPtr& a, const TypedPtr& b) { return to_string(index_apply(op, a, b)); };
  CHECK(text(Op::add, w, index_constant(0)) == "w");
  CHECK(text(Op::multiply, w, index_constant(1)) == "w");
  CHECK(text(Op::multiply, w, index_constant(0)) == "0");
  CHECK(text(Op::subtract, w, w) == "0");
  CHECK(text(Op::add, index_apply(Op::subtract, w, index_constant(1)), index_constant(1)) == "w");
  CHECK(text(Op::add, index_apply(Op::subtract, w, index_constant(3)), index_constant(1)) == "w - 2");
  CHECK(text(Op::floor_divide, index_apply(Op::multiply, w, index_constant(8)), index_constant(8)) == "w");
  CHECK(text(Op::cdiv, index_apply(Op::multiply, w, index_constant(8)), index_constant(8)) == "w");
  CHECK(text(Op::modulo, index_apply(Op::multiply, w, index_constant(8)), index_constant(8)) == "0");
  CHECK(text(Op::equal, index_apply(Op::add, w, x), index_apply(Op::add, w, x)) == "true");
  CHECK(text(Op::floor_divide, w, index_constant(0)) == "w // 0");
  // A named constant keeps its name, and numbers computed with it have it too.
  CHECK(text(Op::multiply, w, index_constant(128, "bm")) == "w * bm");
  CHECK(text(Op::multiply, index_constant(2), index_constant(128, "bm")) == "2 * bm");
  CHECK(constant_value(index_apply(Op::multiply, index_constant(2), index_constant(128, "bm"))) == 256);
}

TEST_CASE("text of typed expressions has Python's precedence") {
  const TypedPtr w = symbol(0), x = symbol(1), y = symbol(2);
  const TypedPtr sum = index_apply(Op::add, w, x);
  CHECK(to_string(index_apply(Op::multiply, sum, y)) == "(w + x) * y");
  CHECK(to_string(index_apply(Op::subtract, y, sum)) == "y - (w + x)");
  CHECK(to_string(index_apply(Op::subtract, sum, y)) == "w + x - y");
  CHECK(to_string(index_apply(Op::cdiv, sum, y)) == "cdiv(w + x, y)");
  CHECK(to_string(index_apply(Op::power, index_constant(-2), index_constant(70))) == "(-2) ** 70");
  const TypedPtr test = index_apply(Op::less, w, x);
  CHECK(to_string(make_typed({}, DType::index, {}, Apply{Op::where, {test, w, x}, {}})) == "w if w < x else x");
  CHECK(to_string(make_typed({}, DType::boolean, {}, Apply{Op::logical_not, {test}, {}})) == "not w < x");
  CHECK(to_string(make_typed({}, DType::index, {}, Symbol{SymbolKind::axis_size, 0, "k"})) == "num_programs(k)");
}

TEST_CASE("exact 64-bit arithmetic has no value where it overflows") {
  CHECK(!fold(Op::add, DType::index, {INT64_MAX, int64_t{1}}));
  CHECK(!fold(Op::multiply, DType::index, {int64_t{1} << 40, int64_t{1} << 40}));
  CHECK(!fold(Op::negate, DType::index, {INT64_MIN}));
  CHECK(!fold(Op::floor_divide, DType::index, {INT64_MIN, int64_t{-1}}));
  CHECK(!fold(Op::modulo, DType::index, {int64_t{1}, int64_t{0}}));
  CHECK(fold(Op::floor_divide, DType::index, {int64_t{-7}, int64_t{2}}) == Scalar(int64_t{-4}));
  CHECK(fold(Op::modulo, DType::index, {int64_t{-7}, int64_t{2}}) == Scalar(int64_t{1}));
  CHECK(fold(Op::modulo, DType::index, {int64_t{7}, int64_t{-2}}) == Scalar(int64_t{-1}));
  CHECK(fold(Op::cdiv, DType::index, {int64_t{-7}, int64_t{2}}) == Scalar(int64_t{-3}));
  CHECK(fold(Op::cdiv, DType::index, {int64_t{7}, int64_t{2}}) == Scalar(int64_t{4}));
  CHECK(fold(Op::power, DType::index, {int64_t{-1}, int64_t{1000001}}) == Scalar(int64_t{-1}));
  CHECK(fold(Op::power, DType::index, {int64_t{3}, int64_t{4}}) == Scalar(int64_t{81}));
  CHECK(!fold(Op::power, DType::index, {int64_t{2}, int64_t{-1}}));
  CHECK(fold(Op::clamp, DType::index, {int64_t{9}, int64_t{0}, int64_t{5}}) == Scalar(int64_t{5}));
}

TEST_CASE("variables without ids are told apart by their names") {
  const auto variable = [](const char* name) {
    return make_typed({}, DType::index, {}, Symbol{SymbolKind::loop, -1, name});
  };
  CHECK(equal(variable("row"), variable("row")));
  CHECK(!equal(variable("row"), variable("column")));
  CHECK(!constant_value(index_apply(Op::subtract, variable("row"), variable("column"))));
  const auto form = affine(index_apply(Op::add, variable("row"), variable("column")));
  REQUIRE(form.has_value());
  CHECK(form->terms.size() == 2);
}

TEST_CASE("the table of operations finds its rows") {
  for (size_t i = 0; i < operations().size(); ++i) CHECK(operations()[i].op == static_cast<Op>(i));
  CHECK(operation(Op::valid).name == "valid");
  CHECK(operations().size() == static_cast<size_t>(Op::random_bits) + 1);
  CHECK(operation_named("maximum") == Op::maximum);
  CHECK(operation_named("pow") == Op::power);
  CHECK(operation_named("expand") == Op::expand_dims);
  CHECK(!operation_named("+"));
  CHECK(!operation_named("and"));
  CHECK(!operation_named("maxmum"));
}
