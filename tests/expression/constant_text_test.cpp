#include "expression/constant_text.h"

#include <doctest/doctest.h>

using namespace pallasgen;

namespace {

TypedPtr named(int64_t value, std::string name = {}) {
  return make_typed({}, DType::index, {}, Constant{value, std::move(name)});
}

std::string text_of(Op op, const TypedPtr& a, const TypedPtr& b) { return computed_name(op, {a, b}); }

}  // namespace

TEST_CASE("names of computed constants: arithmetic of consts and literals") {
  const TypedPtr bn = named(64, "bn"), less = named(63, "bn - 1");
  CHECK(text_of(Op::subtract, bn, named(1)) == "bn - 1");
  CHECK(text_of(Op::multiply, less, named(2)) == "(bn - 1) * 2");
  CHECK(text_of(Op::multiply, named(2), less) == "2 * (bn - 1)");
  CHECK(text_of(Op::subtract, bn, less) == "bn - (bn - 1)");
  CHECK(text_of(Op::add, less, bn) == "bn - 1 + bn");
  CHECK(text_of(Op::multiply, named(128, "bn * 2"), named(3)) == "bn * 2 * 3");
  CHECK(text_of(Op::subtract, named(1), named(-64, "-bn")) == "1 - -bn");
  CHECK(computed_name(Op::negate, {bn}) == "-bn");
  CHECK(computed_name(Op::negate, {less}) == "-(bn - 1)");
}

TEST_CASE("names of computed constants: none where the text would say less than the number, or C++ more") {
  const TypedPtr bn = named(64, "bn"), large = named(100'000, "large");
  CHECK(text_of(Op::add, named(1), named(2)) == "");
  CHECK(text_of(Op::multiply, named(0), bn) == "");
  CHECK(text_of(Op::subtract, bn, bn) == "");
  CHECK(text_of(Op::multiply, large, large) == "");  // beyond an int
  CHECK(text_of(Op::add, named(int64_t{1} << 40, "far"), named(-1)) == "");
  CHECK(computed_name(Op::abs, {bn}) == "");
  CHECK(computed_name(Op::sign, {bn}) == "");
  CHECK(text_of(Op::power, bn, named(0)) == "");
  CHECK(text_of(Op::floor_divide, bn, named(2)) == "");  // `/` of C++, `//` of the language
  CHECK(text_of(Op::multiply, named(1), bn) == "bn");
  CHECK(text_of(Op::add, named(1, std::string(61, 'b')), named(1)) == "");
  CHECK(text_of(Op::add, named(63, "bn - 1"), named(0)) == "bn - 1");
  CHECK(text_of(Op::subtract, named(0), bn) == "0 - bn");
}

TEST_CASE("names of computed constants: how strongly a text binds, and its names") {
  CHECK(level_of_name("bn") == NameLevel::atom);
  CHECK(level_of_name("-bn") == NameLevel::sign);
  CHECK(level_of_name("-bn - 1") == NameLevel::sum);
  CHECK(level_of_name("(bn - 1) * 2") == NameLevel::product);
  CHECK(level_of_name("ceil_div(bn - 1, 2)") == NameLevel::atom);
  CHECK(names_in("(bn - 12) * b2") == std::vector<std::string>{"bn", "b2"});
  CHECK(with_names("(bn - 12) * b2", [](const std::string& name) { return name + "_"; }) == "(bn_ - 12) * b2_");
}
